"""Catalogues of translations: what is written in ``django.po`` becomes the ``django.mo`` that gettext reads.

Babel does it, so no machine needs the tools of GNU gettext.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from crownhead.server.core.languages import CATALOGUE
from crownhead.server.core.languages.sources import Text

_WIDTH = 110


def compiled(folder: Path, target: Path) -> Path:
    """The ``target`` with a ``django.mo`` for each language of a folder; what has not changed is left alone.

    Beside each lies a copy of what it was made from, written last.
    """
    for source in sorted(folder.glob(f"*/{CATALOGUE}")):
        copy = target / source.relative_to(folder)
        written = source.read_bytes()
        if not copy.is_file() or copy.read_bytes() != written:
            copy.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=target) as drafts:  # another process may do the same
                made, again = Path(drafts, "django.mo"), Path(drafts, "django.po")
                with source.open("rb") as po, made.open("wb") as mo:
                    write_mo(mo, read_po(po))
                again.write_bytes(written)
                made.replace(copy.with_suffix(".mo"))
                again.replace(copy)
    return target


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
