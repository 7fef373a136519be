"""What is written about a variant: its name, summary and introduction, in the language of the page.

A text is the file ``locale/<language>/introductions/<key>.md``: a heading with the name, a quotation with the
summary, then the introduction. Each part may be left out. What is missing is taken from the language that
this one belongs to (``nl`` for ``nl-be``), then from English, then from the row of the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.conf import settings
from django.utils.translation import get_language

from crownhead import Variant
from crownhead.server.core.languages import folders_for

_HEADING, _QUOTATION = "# ", "> "


@dataclass(frozen=True, slots=True)
class VariantText:
    """The parts of a text; empty where they are left out."""

    name: str = ""
    summary: str = ""
    introduction: tuple[str, ...] = ()


def variant_name(variant: Variant) -> str:
    """What a variant is called in the language of the page."""
    return _text(variant).name or variant.name


def variant_summary(variant: Variant) -> str:
    """Its rules in one paragraph."""
    return _text(variant).summary or variant.summary


def introduction(variant: Variant) -> tuple[str, ...]:
    """The paragraphs of its introduction; empty where nobody has written one."""
    return _text(variant).introduction


def _text(variant: Variant) -> VariantText:
    return _best(variant.key, get_language() or settings.LANGUAGE_CODE, tuple(settings.LANGUAGE_FOLDERS))


@cache  # lists of games ask for one name per line
def _best(key: str, language: str, folders: tuple[Path, ...]) -> VariantText:
    """Each part from the language that fits best and has it."""
    texts = [
        _read(folder / name / "introductions" / f"{key}.md")
        for name in folders_for(language)
        for folder in folders
    ]
    return VariantText(
        name=next((text.name for text in texts if text.name), ""),
        summary=next((text.summary for text in texts if text.summary), ""),
        introduction=next((text.introduction for text in texts if text.introduction), ()),
    )


def _read(file: Path) -> VariantText:
    """Read a file; empty where there is none."""
    if not file.is_file():
        return VariantText()
    written = [" ".join(part.split()) for part in file.read_text("utf-8").split("\n\n") if part.strip()]
    name = written.pop(0).removeprefix(_HEADING) if written and written[0].startswith(_HEADING) else ""
    quoted = bool(written) and written[0].startswith(_QUOTATION)
    summary = written.pop(0).removeprefix(_QUOTATION).replace(f" {_QUOTATION}", " ") if quoted else ""
    return VariantText(name, summary, tuple(written))
