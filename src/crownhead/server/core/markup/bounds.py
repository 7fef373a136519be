"""Rules that keep the HTML of a text, and the work on it, in proportion: tables, links, marks."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, table
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

MAX_CELLS = 600
"""In all tables of a text, for each row has all columns however short it is written."""
MAX_LINKS = 100
MAX_MARKS, MAX_LINES = 1500, 1000
"""Of a text that is parsed at all: each mark and each line takes the parser ten times as long as a word."""

_MARK = re.compile(r"[][*_~`|>#<&\\]|(?:[-+]|\d[.)])(?=\s)")
_ITEMS = re.compile(r"^(?:[ \t>]*(?:[-+*]|\d{1,9}[.)])(?=\s))+", re.MULTILINE)
_MORE = 2  # marks that each item at the beginning of a line counts for besides, for it may open a list


def is_crowded(text: str, *, marks: int = MAX_MARKS, lines: int = MAX_LINES) -> bool:
    """Whether a text has more marks of Markdown or lines than anybody writes; it stays as it is."""
    return text.count("\n") > lines or _marks(text) > marks


def _marks(text: str) -> int:
    items = sum(len(match[0].split()) for match in _ITEMS.finditer(text))
    return sum(1 for _ in _MARK.finditer(text)) + _MORE * items


def bound(markdown: MarkdownIt) -> None:
    """Add the rules. No definitions: a long address defined once could be used a thousand times."""
    markdown.disable("reference")
    markdown.block.ruler.at("table", _bounded_table, {"alt": ["paragraph", "reference"]})
    markdown.core.ruler.push("bound_links", _bound_links)


def _bounded_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A table of as many rows as are left; those beyond stay as they were written."""
    header = state.src[state.bMarks[start] : state.eMarks[start]]
    columns, cells = header.count("|") + 1, state.env.get("cells", 0)
    rows = (MAX_CELLS - cells) // columns
    found = rows > 1 and table(state, start, min(end, start + 1 + rows), silent)
    if found and not silent:
        state.env["cells"] = cells + columns * (state.line - start)
    return found


def _bound_links(state: StateCore) -> None:
    """Leave only the texts of the links beyond ``MAX_LINKS``."""
    links = 0
    for block in state.tokens:
        kept: list[Token] = []
        for token in block.children or ():
            links += token.type == "link_open"
            if links <= MAX_LINKS or token.type not in {"link_open", "link_close"}:
                kept.append(token)
        block.children = kept if block.children is not None else None
