"""The texts that the sources mark for translation: in Python and in templates."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.utils.translation.template import templatize

PACKAGE = Path(__file__).resolve().parents[3]
PACKAGES = ("contest", "server")  # those with texts for members
_WITH_CONTEXT = {"pgettext", "pgettext_lazy"}
_WITH_PLURAL = {"ngettext", "ngettext_lazy"}
_MARKED = {  # how many texts stand in a call
    **dict.fromkeys(("_", "gettext", "gettext_lazy", "gettext_noop"), 1),
    **dict.fromkeys(_WITH_PLURAL | _WITH_CONTEXT, 2),
}
# What a template becomes when it is read for its texts: calls between blanked out HTML.
_TEXT = r"""u?'(?:[^'\\]|\\.)*'|u?"(?:[^"\\]|\\.)*\""""
_CALL = re.compile(rf"""\b(?:_|n?p?gettext)\((?:{_TEXT}|[^)'"]+)+\)""", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Text:
    """A text, with its plural where it has one; ``context`` tells two meanings of a word apart."""

    singular: str
    plural: str | None
    context: str | None
    file: str

    @property
    def id(self) -> str | tuple[str, str]:
        """How a catalogue names it."""
        return self.singular if self.plural is None else (self.singular, self.plural)


def marked_texts() -> Iterator[Text]:
    """Every text that is marked; one that stands in several places comes several times."""
    for package in PACKAGES:
        for path in sorted((PACKAGE / package).rglob("*")):
            if path.suffix == ".py":
                yield from _calls(ast.parse(path.read_text("utf-8")), path)
            elif path.suffix in {".html", ".txt"}:
                for call in _CALL.findall(templatize(path.read_text("utf-8"), origin=path.name)):
                    yield from _calls(ast.parse(call), path)


def _calls(tree: ast.AST, path: Path) -> Iterator[Text]:
    file = path.relative_to(PACKAGE).as_posix()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            called = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
            wanted = _MARKED.get(called, 0)
            texts = [str(text.value) for text in node.args[:wanted] if isinstance(text, ast.Constant)]
            if not wanted or len(texts) != wanted:
                continue
            if called in _WITH_CONTEXT:
                yield Text(texts[1], None, texts[0], file)
            else:
                yield Text(texts[0], texts[1] if called in _WITH_PLURAL else None, None, file)
