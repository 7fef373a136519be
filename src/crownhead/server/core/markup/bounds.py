"""Rules that keep the HTML of a text, and the work on it, in proportion: tables, links, marks."""

from __future__ import annotations

import re
from types import SimpleNamespace

from markdown_it import MarkdownIt, helpers
from markdown_it.rules_block import StateBlock, table
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

MAX_CELLS = 600
"""In all tables of a text, for each row has all columns however short it is written."""
MAX_LINKS = 100
MAX_MARKS, MAX_LINES, MAX_SIGNS = 1500, 1000, 4000
"""Of a text that is parsed at all: each mark and each line takes the parser ten times as long as a word, and
each sign that might be one as long as a word."""

STEPS_EACH = 2
"""So many steps for each character of a text are made to find where the labels of its links end."""

_MARK = re.compile(r"[][*_~`|>#<&\\]|(?:[-+]|\d[.)])(?=\s)")
_SIGN = re.compile(r"[\n!#$%&*+\-:<=>@[\\\]^_`{}~]")
_ITEMS = re.compile(r"^(?:[ \t>]*(?:[-+*]|\d{1,9}[.)])(?=\s))+", re.MULTILINE)
_MORE = 2  # marks that each item at the beginning of a line counts for besides, for it may open a list


def is_crowded(text: str, *, marks: int = MAX_MARKS, lines: int = MAX_LINES, signs: int = MAX_SIGNS) -> bool:
    """Whether a text has more marks of Markdown, signs or lines than anybody writes; it stays as it is."""
    return text.count("\n") > lines or _count(_SIGN, text) > signs or _marks(text) > marks


def _marks(text: str) -> int:
    items = sum(len(match[0].split()) for match in _ITEMS.finditer(text))
    return _count(_MARK, text) + _MORE * items


def _count(pattern: re.Pattern[str], text: str) -> int:
    return sum(1 for _ in pattern.finditer(text))


def bound(markdown: MarkdownIt) -> None:
    """Add the rules. No definitions: a long address defined once could be used a thousand times."""
    markdown.disable("reference")
    markdown.block.ruler.at("table", _bounded_table, {"alt": ["paragraph", "reference"]})
    markdown.core.ruler.push("bound_links", _bound_links)
    markdown.core.ruler.before("inline", "count_steps", _count_steps)
    markdown.helpers = SimpleNamespace(  # type: ignore[assignment] # of which rules ask for these names
        parseLinkLabel=_end_of_label,
        parseLinkDestination=helpers.parseLinkDestination,
        parseLinkTitle=helpers.parseLinkTitle,
    )


def _end_of_label(state: StateInline, start: int, without_links: bool = False) -> int:
    """Where the label ends that begins with a bracket; -1 if nowhere, or once a text has had its steps.

    As the parser's own function finds it, which goes on to the end of the paragraph from each open bracket.
    """
    before, state.pos, level, end = state.pos, start + 1, 1, -1
    while state.pos < state.posMax and state.env["steps"] > 0:
        mark, at = state.src[state.pos], state.pos
        level -= mark == "]"
        if not level:
            end = at
            break
        state.env["steps"] -= 1
        state.md.inline.skipToken(state)  # which may look for labels itself
        if mark == "[" and state.pos == at + 1:
            level += 1
        elif mark == "[" and without_links:
            break
    state.pos = before
    return end


def _count_steps(state: StateCore) -> None:
    state.env["steps"] = STEPS_EACH * len(state.src)


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
