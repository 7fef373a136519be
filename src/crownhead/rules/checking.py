"""Checking that a row makes a game that can be played, before anything is made of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from crownhead.rules.columns import misfits_in, shown
from crownhead.rules.errors import BadVariant
from crownhead.rules.geometry import far_rank, is_crown_square, squares
from crownhead.rules.kernel import kernel_variant
from crownhead.rules.schema import (
    Board,
    Colour,
    Crowning,
    Direction,
    Grid,
    NoProgressDraw,
    PieceKind,
    RepetitionDraw,
    Rules,
    Variant,
)

SHORTEST_SIDE = 4
LONGEST_SIDE = 16
MAX_BITS = 128  # of a set of squares in the kernel
MAX_OPENING_PLIES = 20

_KEY = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_LONGEST_KEY = 30
_MAX_KING_RUN = 100
_LISTED = 6  # squares in a message
_MIRRORED = {
    Direction.FORWARD_LEFT: Direction.FORWARD_RIGHT,
    Direction.LEFT: Direction.RIGHT,
    Direction.BACKWARD_LEFT: Direction.BACKWARD_RIGHT,
}
_REVERSED = {
    Direction.FORWARD_LEFT: Direction.BACKWARD_LEFT,
    Direction.FORWARD: Direction.BACKWARD,
    Direction.FORWARD_RIGHT: Direction.BACKWARD_RIGHT,
}


@lru_cache(maxsize=1024)
def check(row: Variant) -> None:
    """Raise ``BadVariant`` unless the row can be played: it says what was expected, and what came."""
    reason = next(_reasons(row), None)
    if reason is not None:
        raise BadVariant(f"variant {row.key}: {reason}")
    kernel_variant(row)


def _reasons(row: Variant) -> Iterator[str]:
    """Yield what is wrong, the most basic first; what follows may rely on what went before."""
    yield from misfits_in(row)
    if not _KEY.fullmatch(row.key) or len(row.key) > _LONGEST_KEY:
        yield (
            f"expected a key of at most {_LONGEST_KEY} small letters, digits and hyphens such as "
            f'"my-draughts", got {shown(row.key)}'
        )
    if not row.name.strip():
        yield "expected a name, got an empty one"
    yield from _about_board(row.board)
    yield from _about_rules(row.board, row.rules)
    yield from _about_start(row)
    yield from _about_draws(row)
    if not 0 <= row.opening_plies <= MAX_OPENING_PLIES:
        yield f"expected 0 to {MAX_OPENING_PLIES} as opening_plies, got {row.opening_plies}"


def _about_board(board: Board) -> Iterator[str]:
    for side, length in (("width", board.width), ("height", board.height)):
        if not SHORTEST_SIDE <= length <= LONGEST_SIDE:
            yield f"expected {SHORTEST_SIDE} to {LONGEST_SIDE} squares as board.{side}, got {length}"
    if _bits(board) > MAX_BITS:
        yield (
            f"expected a smaller board, got {board.width} × {board.height} "
            f"with {board.squares} squares in play"
        )
    if board.grid is Grid.LINES and not (board.width % 2 and board.height % 2):
        yield (
            'expected an odd width and height for board.grid "lines", whose diagonals meet in every corner, '
            f"got {board.width} × {board.height}"
        )


def _bits(board: Board) -> int:
    """Return the size of a set of squares; those of one colour on even widths have gaps between the rows."""
    has_gaps = board.grid is Grid.CHECKERED and board.width % 2 == 0
    return board.squares + (board.height // 2 if has_gaps else 0)


def _about_rules(board: Board, rules: Rules) -> Iterator[str]:
    for column in ("man_steps", "man_captures", "man_goes_on", "king_steps", "king_captures"):
        given: frozenset[Direction] = getattr(rules, column) or frozenset()
        if _half(given, _MIRRORED):
            yield (
                f"expected the same directions to the left and to the right as rules.{column}, "
                f"got {_in_words(given)}"
            )
        if column.startswith("king") and _half(given, _REVERSED):
            yield (
                f"expected the same directions forward and backward as rules.{column}, got {_in_words(given)}"
            )
    if len(set(rules.priority)) < len(rules.priority):
        yield f"expected each word once in rules.priority, got {_in_words(rules.priority)}"
    if rules.marked not in (None, PieceKind.MULE, PieceKind.PARACHUTIST):
        yield f'expected "mule" or "parachutist" as rules.marked, got {shown(rules.marked)}'
    if not 0 <= rules.king_run <= _MAX_KING_RUN:
        yield f"expected 0 to {_MAX_KING_RUN} as rules.king_run, got {rules.king_run}"
    if rules.crowning is Crowning.FAR_CORNER and all(
        board.is_played(file, far_rank(board, rules, Colour.WHITE)) for file in (0, board.width - 1)
    ):
        yield (
            'expected a corner out of play on the far row for rules.crowning "far-corner", got both in play'
        )


def _half(given: Iterable[Direction], pairs: dict[Direction, Direction]) -> bool:
    """Whether one of a pair is given without the other."""
    return any((one in given) != (other in given) for one, other in pairs.items())


def _in_words(words: Iterable[str]) -> str:
    return ", ".join(f'"{word}"' for word in sorted(words)) or "none"


def _about_start(row: Variant) -> Iterator[str]:
    start, places = row.start, squares(row.board, row.notation)
    for side in ("black", "white", "marked"):
        given: frozenset[int] = getattr(start, side)
        if beyond := given - places.keys():
            yield f"expected squares from 1 to {len(places)} as start.{side}, got {_listed(beyond)}"
    if both := start.black & start.white:
        yield f"expected each square once in start.black and start.white, got {_listed(both)} in both"
    for colour, stood in ((Colour.BLACK, start.black), (Colour.WHITE, start.white)):
        if not stood:
            yield f"expected at least one man as start.{colour}, got none"
        crowned = {
            number
            for number in stood - start.marked
            if is_crown_square(row.board, row.rules, colour, places[number])
        }
        if crowned:
            yield f"expected no man of start.{colour} where it would be crowned, got {_listed(crowned)}"
    if start.marked and row.rules.marked is None:
        yield f"expected no start.marked without rules.marked, got {_listed(start.marked)}"
    if alone := start.marked - start.black - start.white:
        yield f"expected squares of start.black or start.white as start.marked, got {_listed(alone)}"
    if row.rules.marked is PieceKind.PARACHUTIST:
        yield from _about_parachutists(row)


def _about_parachutists(row: Variant) -> Iterator[str]:
    places = squares(row.board, row.notation)
    for colour, stood in ((Colour.BLACK, row.start.black), (Colour.WHITE, row.start.white)):
        far = far_rank(row.board, row.rules, colour)
        astray = {number for number in stood & row.start.marked if places[number].rank != far}
        if astray:
            yield f"expected parachutists of start.{colour} on their far row, got {_listed(astray)}"


def _listed(numbers: Iterable[int]) -> str:
    ordered = sorted(numbers)
    return ", ".join(map(str, ordered[:_LISTED])) + (" …" if len(ordered) > _LISTED else "")


def _about_draws(row: Variant) -> Iterator[str]:
    for rule in row.draws.rules:
        if isinstance(rule, RepetitionDraw):
            if rule.times < 2:
                yield f"expected at least 2 times for a draw by repetition, got {rule.times}"
        elif rule.moves_each < 1:
            yield f"expected at least 1 as moves_each of a draw rule, got {rule.moves_each}"
        if isinstance(rule, NoProgressDraw) and not rule.resets:
            yield "expected what resets the counter of a draw without progress, got nothing"
