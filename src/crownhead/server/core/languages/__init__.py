"""The languages of the site: a folder each in ``locale``, with a catalogue of translations."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from django.conf.locale import LANG_INFO
from django.utils.translation import to_language, to_locale

SOURCE = "en"  # what the sources are written in: it needs no catalogue
CATALOGUE = Path("LC_MESSAGES") / "django.po"


def languages_in(folder: Path) -> list[tuple[str, str]]:
    """The languages that have a folder there: the code of each and its own name for itself; English first."""
    codes = sorted(to_language(path.parents[1].name) for path in folder.glob(f"*/{CATALOGUE}"))
    return [(code, _own_name(code)) for code in (SOURCE, *codes)]


@cache
def folders_for(language: str) -> tuple[str, ...]:
    """Where to look for a text, the best first: ``nl_BE``, ``nl``, ``en`` for ``nl-be``."""
    parts = language.lower().split("-")
    own = [to_locale("-".join(parts[:count])) for count in range(len(parts), 0, -1)]
    return tuple(dict.fromkeys([*own, SOURCE]))


def _own_name(code: str) -> str:
    """``Nederlands``; the code where Django does not know the language."""
    name = str(LANG_INFO.get(code, {}).get("name_local", code))
    return name[:1].upper() + name[1:]
