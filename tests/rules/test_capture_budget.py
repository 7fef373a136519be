"""Crafted boards with enormous numbers of captures are rejected quickly."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crownhead import VARIANTS, Colour, Game, PieceKind, Position, TooManyCaptures, pdn
from crownhead.notation.moves import find
from crownhead.notation.pdn import PdnError
from crownhead.rules.budget import capture_budget, captures_left
from crownhead.rules.schema import DIAGONALLY, Crowning
from tests.reference.board import cells, is_crowning_cell

WITHIN = 1.0  # seconds of this process
TOO_MANY_ROUTES = "W:W50:B7,9,11,12,13,14,16,18,20,21,22,23,24,27,29,31,32,33,34,36,38,40,41,42,43,44,K47,K49"
# A side without mules has won already; where nothing is crowned there are no kings.
WITH_KINGS = [
    key
    for key, row in VARIANTS.items()
    if row.rules.marked is not PieceKind.MULE and row.rules.crowning is not Crowning.NEVER
]
BOARDS_OF_TEN = [key for key, row in VARIANTS.items() if row.board.squares == 50]


def lattice(variant: str, *, king: tuple[int, int], extra: int = 0) -> str:
    """One king among all the men that stand apart where it can take them, and ``extra`` more."""
    row = VARIANTS[variant]
    played = cells(row.board, row.notation)
    offset = 1 if row.board.left_corner else 0
    apart = [n for n, (file, rank) in enumerate(played, 1) if rank % 2 == 1 and file % 2 == offset]
    if not row.rules.king_captures & DIAGONALLY:
        apart = [n for n, (file, rank) in enumerate(played, 1) if (file + rank) % 2 == 1]
    others = [n for n, cell in enumerate(played, 1) if n not in apart and cell != king]
    men = sorted(apart + others[:extra])
    crown = {n for n, cell in enumerate(played, 1) if is_crowning_cell(row, Colour.BLACK, cell)}
    black = ",".join(f"K{n}" if n in crown else str(n) for n in men)
    return f"W:WK{played.index(king) + 1}:B{black}"


def _answers(fen: str, variant: str) -> None:
    """Every question about the position is answered, or refused as too many captures, in time."""
    position = Position.from_fen(fen, variant)
    begun = time.process_time()
    for question in (position.legal_moves, position.outcome, lambda: position.perft(1)):
        with contextlib.suppress(TooManyCaptures):
            question()
    assert time.process_time() - begun < 3 * WITHIN


@pytest.mark.parametrize("variant", WITH_KINGS)
@pytest.mark.parametrize("extra", [0, 3, 6, 12])
def test_one_king_against_a_lattice_of_men_is_answered_within_a_second(variant: str, extra: int) -> None:
    king = (2, 2) if VARIANTS[variant].board.left_corner else (3, 2)
    _answers(lattice(variant, king=king, extra=extra), variant)


@pytest.mark.parametrize("variant", BOARDS_OF_TEN)
@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(squares=st.permutations(range(6, 46)))
def test_one_king_against_thirty_one_is_answered_within_a_second(variant: str, squares: list[int]) -> None:
    black = ",".join(map(str, sorted(squares[1:32])))
    _answers(f"W:WK{squares[0]}:B{black}", variant)


@pytest.mark.parametrize(
    "fen",
    [
        "W:WK26,K35:B7,12,20,21,23,24,32,33,38,40,41,42,43,44",
        "W:WK3,K5:B9,10,12,13,18,20,21,22,24,29,30,31,32,34,38,40,41,42",
        "W:WK2,K35,K36,K4,K8,K46,K47,K21,K26:B7,9,12,13,14,22,23,27,28,29,30,31,32,33,34,38,39,41,43,44",
    ],
)
def test_the_worst_boards_that_were_searched_for_are_answered_within_a_second(fen: str) -> None:
    _answers(fen, "international")


def test_a_board_with_too_many_routes_is_refused_with_our_error() -> None:
    # Twenty-eight pieces about one man: the best public programs take some twenty seconds for its two moves.
    position = Position.from_fen(TOO_MANY_ROUTES, "frisian")
    begun = time.process_time()
    for question in (position.legal_moves, lambda: position.perft(1)):
        with pytest.raises(TooManyCaptures, match="too many routes"):
            question()
    assert time.process_time() - begun < 3 * WITHIN


def test_a_refused_search_leaves_the_position_as_it_was() -> None:
    position = Position.from_fen(TOO_MANY_ROUTES, "frisian")
    answers = {_outcome_of(position) for _ in range(3)}
    assert len(answers) == 1
    assert position == Position.from_fen(TOO_MANY_ROUTES, "frisian")


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_start_position_comes_near_the_budget(variant: str) -> None:
    assert Position.start(variant).perft(5) > 0


# Nodes of a search of its own: an ordinary capture, and a board on which there are very many.
ORDINARY = Position.from_fen("B:W18:B15")
CRAFTED = Position.from_fen(
    "W:WKa8,Kd6:BKa4,Kc1,Kc4,Kd2,Ke4,Ke6,Kf1,Kg4,Kg7,Kh6,Kh8,a2,a6,b3,b5,c2,d5,d7,d8,e3,e5,f2,f4,f8,g2",
    "turkish",
)


def _nodes(question: Callable[[], object]) -> int:
    with capture_budget(1 << 40):
        question()
        return (1 << 40) - (captures_left() or 0)


def test_a_crafted_position_costs_a_hundred_thousand_times_as_much_as_an_ordinary_one() -> None:
    assert _nodes(CRAFTED.legal_moves) > 100_000 * _nodes(ORDINARY.legal_moves) > 0


@pytest.mark.parametrize("name", ["legal_moves", "notations", "play", "parse", "notation"])
def test_within_a_budget_every_question_is_refused_that_costs_more(name: str) -> None:
    move = CRAFTED.legal_moves()[0]
    text = CRAFTED.notation(move)
    question: dict[str, Callable[[], object]] = {
        "legal_moves": CRAFTED.legal_moves,
        "notations": CRAFTED.notations,
        "play": lambda: CRAFTED.play(move),
        "parse": lambda: CRAFTED.parse(text),
        "notation": lambda: CRAFTED.notation(move),
    }
    with capture_budget(100_000):
        with pytest.raises(TooManyCaptures, match="too many routes"):
            question[name]()
        assert captures_left() == 0
        with pytest.raises(TooManyCaptures):
            ORDINARY.legal_moves()
        assert len(Position.start().legal_moves()) == 7  # without captures nothing is searched
    assert len(ORDINARY.legal_moves()) == 1


def test_naming_the_squares_of_a_route_costs_no_more_than_the_budget() -> None:
    longest = max(CRAFTED.legal_moves(), key=lambda move: len(move.path)).path
    with capture_budget(100_000):
        with pytest.raises(TooManyCaptures):
            find(CRAFTED, (longest[0], *longest[2:-2], longest[-1]))
        assert captures_left() == 0


def test_reading_a_record_costs_no_more_than_the_budget() -> None:
    game = Game("turkish", start=CRAFTED)
    game.push(CRAFTED.legal_moves()[0])
    errors: list[PdnError] = []
    record = game.pdn()
    with capture_budget(100_000):
        assert list(pdn.read(record, on_error=errors.append)) == []
        assert captures_left() == 0
    assert [type(error.cause) for error in errors] == [TooManyCaptures]


def test_questions_share_the_budget_and_what_is_left_is_told() -> None:
    each = _nodes(ORDINARY.legal_moves)
    with capture_budget(3 * each):
        for left in (2 * each, each, 0):
            ORDINARY.legal_moves()
            assert captures_left() == left
        with pytest.raises(TooManyCaptures):
            ORDINARY.legal_moves()
    assert captures_left() is None


def test_an_outer_budget_goes_on_as_it_was() -> None:
    with capture_budget(1000):
        ORDINARY.legal_moves()
        before = captures_left()
        with pytest.raises(TooManyCaptures), capture_budget(0):
            ORDINARY.legal_moves()
        assert captures_left() == before


def test_the_budget_is_that_of_one_thread() -> None:
    with capture_budget(0), ThreadPoolExecutor(1) as pool:
        assert len(pool.submit(ORDINARY.legal_moves).result()) == 1


def _outcome_of(position: Position) -> str:
    try:
        return str(position.legal_moves())
    except TooManyCaptures as error:
        return str(error)
