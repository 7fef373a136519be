"""A piece that will not move has the same reason in browsers as for the library, which the server says."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from crownhead import VARIANTS, Position, Variant
from crownhead.engine.browser import row as browser_row
from crownhead.notation import explain
from crownhead.rules.schema import Priority
from tests.house_rows import ROWS
from tests.wasm.asking import answer

GAMES, LONGEST = 3, 120  # of each variant; plies
TRIES = 12  # moves tried in each position
ALL_NAMED = 400  # squares: the library names no more than a few, browsers all
# What the library says, in the words of `reasons.js`.
KINDS = {
    "over": "over",
    "no-piece": "empty",
    "not-yours": "theirs",
    "must-remove": "remove",
    "must-jump": "jump",
    "cannot-move": "stuck",
    "jump-on": "go-on",
    "jump-to": "elsewhere",
    "move-to": "elsewhere",
    "no-way": "path",
}
_WITHOUT_SQUARES = {"over", "no-piece", "not-yours", "cannot-move", "no-way"}
# A piece of each position could capture, if it were not for a law.
FORBIDDEN = (
    ("international", "W:WK9,K37:B14,22,28", 9, Priority.MAX_PIECES),
    ("frisian", "W:W10,K35:B13,18,20", 10, Priority.MAX_VALUE),
    ("czech", "W:WKg5,b4:Be7,c5,d4", 17, Priority.WITH_KING),
    ("spanish", "W:W12,K25,26:B7,K15", 25, Priority.MAX_KINGS),
    ("italian", "W:WK11,K28:B1,K15,23", 28, Priority.KINGS_FIRST),
)

Tries = list[tuple[int, ...]]


def random_positions(row: Variant, dice: Random) -> list[Position]:
    """Positions of random games."""
    found = []
    for _ in range(GAMES):
        position = Position.start(row)
        for _ in range(LONGEST):
            found.append(position)
            moves = position.legal_moves()
            if not moves:
                break
            position = position.play(dice.choice(moves))
    return found


def tries_in(position: Position, dice: Random) -> Tries:
    """Pieces and moves that somebody may try: own pieces alone, and pairs of squares."""
    every = range(1, position.variant.board.squares + 1)
    own = [at for at, piece in position.pieces.items() if piece.colour is position.turn]
    pairs = [(dice.choice(own or [1]), dice.choice(every)) for _ in range(TRIES)]
    return [*((at,) for at in dice.sample(every, 3)), *((at,) for at in own), *pairs]


def illegal(position: Position, path: tuple[int, ...]) -> bool:
    """Whether there is a reason to ask for: one square is where no move begins."""
    if len(path) > 1:
        return not position.find(path)
    return all(move.origin != path[0] for move in position.legal_moves())


def reason(position: Position, path: tuple[int, ...], names: Mapping[int, str]) -> dict[str, Any] | None:
    """What the library says, as `reasons.js` does; None for a legal move."""
    if not illegal(position, path):
        return None
    found = explain.why_illegal(position, path, names)
    squares = [] if found.kind in _WITHOUT_SQUARES else [int(name) for name in found.squares]
    captures = any(move.captures for move in position.legal_moves())
    return {
        "reason": KINDS[found.kind],
        "squares": squares[1:] if found.kind in {"jump-to", "move-to"} else squares,
        "captures": captures,
        "priority": found.priority or "",
    }


def asked(row: Variant) -> tuple[dict[str, Any], list[list[dict[str, Any] | None]]]:
    """A question about a variant, and what the library answers."""
    dice = Random(f"reasons {row.key}")
    names = {number: str(number) for number in range(1, row.board.squares + 1)}
    positions = [(position, tries_in(position, dice)) for position in random_positions(row, dice)]
    question = {"row": browser_row(row), "positions": [(one.fen(), tries) for one, tries in positions]}
    return question, [[reason(one, path, names) for path in tries] for one, tries in positions]


@pytest.fixture(autouse=True)
def all_squares_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """As browsers do."""
    monkeypatch.setattr(explain, "_MAX_NAMED", ALL_NAMED)


def test_random_tries_in_every_variant_are_refused_for_the_same_reasons() -> None:
    questions = [asked(row) for row in (*VARIANTS.values(), *ROWS)]
    found = answer("reasons", [question for question, _ in questions])
    assert found == [expected for _, expected in questions]


def test_each_law_about_captures_is_a_reason() -> None:
    questions = [{"row": browser_row(key), "positions": [(fen, [(at,)])]} for key, fen, at, _ in FORBIDDEN]
    found = [refused["priority"] for ((refused,),) in answer("reasons", questions)]
    assert found == [priority for *_, priority in FORBIDDEN]
    assert {*found} == {*Priority}
