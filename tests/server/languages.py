"""A second language for tests: all that is marked for translation, between signs that nothing else has."""

from __future__ import annotations

import ast
import re
import struct
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from django.utils.translation.template import templatize

from tests.house.tree import files

ROOMS = ("src/crownhead/contest", "src/crownhead/server")  # those that say something to members
OPEN, CLOSE = "«", "»"
_FORMS = "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=(n != 1);\n"
_CONTEXT = "\4"  # parts a context from its text
_WITH_CONTEXT = {"pgettext", "pgettext_lazy"}
_MARKED = {  # how many texts stand in a call
    **dict.fromkeys(("_", "gettext", "gettext_lazy", "gettext_noop"), 1),
    **dict.fromkeys(("ngettext", "ngettext_lazy", *_WITH_CONTEXT), 2),
}
# What a template becomes when it is read for its texts: calls between blanked out HTML.
_TEXT = r"""u?'(?:[^'\\]|\\.)*'|u?"(?:[^"\\]|\\.)*\""""
_CALL = re.compile(rf"""\b(?:_|n?p?gettext)\((?:{_TEXT}|[^)'"]+)+\)""", re.DOTALL)


def second_language(folder: Path, language: str) -> Path:
    """The ``folder`` as one of locales, with every text of the site translated into this language."""
    target = folder / language / "LC_MESSAGES"
    target.mkdir(parents=True)
    (target / "django.mo").write_bytes(_compiled(dict(_translated(_texts()))))
    return folder


def _texts() -> Iterator[tuple[str, ...]]:
    """Every text that is marked, with its context before it; or its singular and its plural."""
    for path in files(*ROOMS, suffixes=(".py",)):
        yield from _calls(ast.parse(path.read_text("utf-8")))
    for path in files(*ROOMS, suffixes=(".html", ".txt")):
        for call in _CALL.findall(templatize(path.read_text("utf-8"), origin=path.name)):
            yield from _calls(ast.parse(call))


def _calls(tree: ast.AST) -> Iterator[tuple[str, ...]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            called = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
            wanted = _MARKED.get(called, 0)
            texts = [str(text.value) for text in node.args[:wanted] if isinstance(text, ast.Constant)]
            if wanted and len(texts) == wanted:
                yield (_CONTEXT.join(texts),) if called in _WITH_CONTEXT else tuple(texts)


def _translated(texts: Iterable[tuple[str, ...]]) -> Iterator[tuple[str, str]]:
    for forms in texts:
        yield "\0".join(forms), "\0".join(f"{OPEN}{form.rpartition(_CONTEXT)[2]}{CLOSE}" for form in forms)


def _compiled(messages: Mapping[str, str]) -> bytes:
    """A catalogue as gettext reads it: its head, two tables of lengths and places, and the texts."""
    pairs = [(key.encode(), text.encode()) for key, text in sorted({**messages, "": _FORMS}.items())]
    place = 28 + 16 * len(pairs)
    tables, texts = bytearray(), bytearray()
    for column in (0, 1):
        for pair in pairs:
            tables += struct.pack("<II", len(pair[column]), place + len(texts))
            texts += pair[column] + b"\0"
    head = struct.pack("<7I", 0x950412DE, 0, len(pairs), 28, 28 + 8 * len(pairs), 0, 0)
    return bytes(head + tables + texts)
