"""What is written about a variant: its name, summary and introduction, in the language of the page.

A text is the file ``locale/<language>/introductions/<key>.md``: a heading with the name, a quotation with the
summary, then the introduction. Each part may be left out. What is missing is taken from the language that
this one belongs to (``nl`` for ``nl-be``), then from English, then from the row of the table.
"""

from __future__ import annotations

from collections.abc import Iterator
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
    """What one file says; empty where it says nothing."""

    name: str = ""
    summary: str = ""
    introduction: tuple[str, ...] = ()


def variant_name(variant: Variant) -> str:
    """What a variant is called in the language of the page."""
    return next((text.name for text in _texts(variant) if text.name), variant.name)


def variant_summary(variant: Variant) -> str:
    """Its rules in one paragraph."""
    return next((text.summary for text in _texts(variant) if text.summary), variant.summary)


def introduction(variant: Variant) -> tuple[str, ...]:
    """The paragraphs of its introduction; none where nobody has written one."""
    return next((text.introduction for text in _texts(variant) if text.introduction), ())


def _texts(variant: Variant) -> Iterator[VariantText]:
    """What is written about it, the language that fits best first."""
    for language in folders_for(get_language() or settings.LANGUAGE_CODE):
        for folder in settings.LANGUAGE_FOLDERS:
            yield _read(Path(folder) / language / "introductions" / f"{variant.key}.md")


@cache
def _read(file: Path) -> VariantText:
    """What a file says; nothing where there is none."""
    if not file.is_file():
        return VariantText()
    written = [" ".join(part.split()) for part in file.read_text("utf-8").split("\n\n") if part.strip()]
    name = written.pop(0).removeprefix(_HEADING) if written and written[0].startswith(_HEADING) else ""
    quoted = bool(written) and written[0].startswith(_QUOTATION)
    summary = written.pop(0).removeprefix(_QUOTATION).replace(f" {_QUOTATION}", " ") if quoted else ""
    return VariantText(name, summary, tuple(written))
