"""Texts for members are marked for translation."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import crownhead.contest
from crownhead.contest.formats import FORMATS, double_elimination, sections, single_elimination
from crownhead.contest.tie_breaks import TIE_BREAKS


def marked() -> set[str]:
    """The texts that stand in ``_(…)``, as those who collect them see it."""
    room = Path(crownhead.contest.__file__).parent
    found: set[str] = set()
    for path in room.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "_":
                (text,) = node.args
                assert isinstance(text, ast.Constant), f"expected a text that stands there, in {path.name}"
                found.add(str(text.value))
    return found


def shown_texts() -> Iterator[str]:
    """What pages show of formats, their options and stages, and of tie-breaks."""
    for made in FORMATS.values():
        yield from (made.name, made.summary)
        for option in made.options:
            yield from (option.text, *option.choices)
    for part in TIE_BREAKS.values():
        yield from (part.name, part.text)
    yield from (double_elimination.FINAL, double_elimination.SECOND, single_elimination.THIRD, sections.MATCH)


def test_every_sentence_that_people_read_is_marked_for_translation() -> None:
    assert sorted(set(shown_texts()) - marked()) == []
