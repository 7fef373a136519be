"""Catalogues of translations (``django.po``): brought up to date with the texts of the sources.

Babel does it, so no machine needs the tools of GNU gettext.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

from crownhead.server.core.languages.sources import Text

_WIDTH = 110


def update(file: Path, texts: Iterable[Text]) -> Catalog:
    """Bring a catalogue up to date with the sources, or begin one; what is translated already stays.

    A text that has changed a little keeps its translation, but marked as fuzzy: gettext does not use it.
    """
    if file.is_file():
        with file.open("rb") as po:
            catalogue = read_po(po)
    else:
        catalogue = Catalog(locale=file.parents[1].name, project="Crownhead", charset="utf-8")
    wanted = Catalog()
    for text in texts:
        wanted.add(text.id, locations=[(text.file, 0)], context=text.context)
    catalogue.update(wanted)
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("wb") as po:
        write_po(po, catalogue, width=_WIDTH, sort_output=True, include_lineno=False)
    return catalogue


def translated(catalogue: Catalog) -> int:
    """How many texts are translated, with all their plurals."""
    return sum(bool(message.id) and not message.fuzzy and _is_complete(message) for message in catalogue)


def _is_complete(message: Message) -> bool:
    return all(message.string) if isinstance(message.string, tuple | list) else bool(message.string)
