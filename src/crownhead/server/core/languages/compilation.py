"""Compiled catalogues: for each ``django.po`` the ``django.mo`` that gettext reads."""

from __future__ import annotations

import tempfile
from pathlib import Path

from crownhead.server.core.languages import CATALOGUE


def compile_catalogues(folder: Path, target: Path) -> Path:
    """Write the ``django.mo`` of each language of a folder that has changed, and return the ``target``.

    Beside each lies a copy of its source, written last.
    """
    for source in sorted(folder.glob(f"*/{CATALOGUE}")):
        copy = target / source.relative_to(folder)
        content = source.read_bytes()
        if not copy.is_file() or copy.read_bytes() != content:
            _compile(source, content, copy, target)
    return target


def _compile(source: Path, content: bytes, copy: Path, target: Path) -> None:
    # Babel is imported only here: the settings call this module at every start, mostly with nothing to do.
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    copy.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target) as drafts:  # another process may do the same
        compiled, source_copy = Path(drafts, "django.mo"), Path(drafts, "django.po")
        with source.open("rb") as po, compiled.open("wb") as mo:
            write_mo(mo, read_po(po))
        source_copy.write_bytes(content)
        compiled.replace(copy.with_suffix(".mo"))
        source_copy.replace(copy)
