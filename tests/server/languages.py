"""A second language for tests: all that is marked for translation, between signs that nothing else has."""

from __future__ import annotations

from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from crownhead.server.core.languages.sources import marked_texts

OPEN, CLOSE = "«", "»"


def second_language(folder: Path, language: str) -> Path:
    """The ``folder`` as one of locales, with every text of the site translated into this language."""
    target = folder / language / "LC_MESSAGES"
    target.mkdir(parents=True)
    catalogue = Catalog(locale=language)
    for text in marked_texts():
        singular, plural = f"{OPEN}{text.singular}{CLOSE}", f"{OPEN}{text.plural}{CLOSE}"
        string = singular if text.plural is None else (singular, plural)
        catalogue.add(text.id, string=string, context=text.context)
    with (target / "django.mo").open("wb") as file:
        write_mo(file, catalogue)
    return folder
