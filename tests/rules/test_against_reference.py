"""Random games in every variant, the kernel and the oracle side by side at each ply."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crownhead import VARIANTS, Colour, PieceKind
from crownhead.rules.schema import Crowning, Variant
from tests.lengths import short_and_full
from tests.reference import board
from tests.rules.side_by_side import play_side_by_side, sane, walk

Boards = Callable[[Variant], st.SearchStrategy[board.Arrangement]]
CHOICES = st.lists(st.integers(0, 10**6), max_size=100)
FEW_CHOICES = st.lists(st.integers(0, 10**6), max_size=14)
QUICK = settings(
    max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), database=None
)
BY_CHANCE = settings(QUICK, derandomize=False)


def arrangements(variant: Variant, *, most: int = 14) -> st.SearchStrategy[board.Arrangement]:
    """Sparse, king-rich and one-sided boards: few pieces find more traps than whole arrays do."""
    piece = st.tuples(st.sampled_from(list(Colour)), st.sampled_from(_kinds(variant)))
    pieces = st.dictionaries(st.integers(1, variant.board.squares), piece, min_size=1, max_size=most)
    return st.builds(sane, st.just(variant), st.sampled_from(list(Colour)), pieces)


def _kinds(variant: Variant) -> list[PieceKind]:
    """What can stand on a board of the variant."""
    rules = variant.rules
    crowned = [] if rules.crowning is Crowning.NEVER else [PieceKind.KING]
    return [PieceKind.MAN, *crowned, *([rules.marked] if rules.marked else [])]


def lattices(variant: Variant) -> st.SearchStrategy[board.Arrangement]:
    """Black pieces that stand apart among white ones, so that captures run long and compete."""
    cells = board.cells(variant.board, variant.notation)
    apart = [number for number, (_, rank) in enumerate(cells, start=1) if rank % 2]
    between = [number for number in range(1, variant.board.squares + 1) if number not in apart]
    return _two_sided(variant, taken=apart, taking=between, most=4)


def with_runs(start: board.Arrangement, steps: int) -> board.Arrangement:
    """The first king of each side that has men has just made some steps."""
    runs: dict[Colour, board.Run] = {}
    for colour in Colour:
        kings = [cell for cell, piece in start.of(colour) if piece.kind is PieceKind.KING]
        if kings and len(kings) < len(list(start.of(colour))):
            runs[colour] = board.Run(kings[0], steps)
    return replace(start, runs=runs)


def crowds(variant: Variant) -> st.SearchStrategy[board.Arrangement]:
    """Boards with few gaps, or none."""
    squares = variant.board.squares
    piece = st.tuples(st.sampled_from(list(Colour)), st.sampled_from(_kinds(variant)))
    everywhere = st.lists(piece, min_size=squares, max_size=squares)
    gaps = st.sets(st.integers(1, squares), max_size=squares // 4)
    pieces = st.builds(
        lambda standing, empty: {n: p for n, p in enumerate(standing, start=1) if n not in empty},
        everywhere,
        gaps,
    )
    return st.builds(sane, st.just(variant), st.sampled_from(list(Colour)), pieces)


def crownings(variant: Variant) -> st.SearchStrategy[board.Arrangement]:
    """White men two steps from their far row with black pieces all about."""
    height = variant.board.height
    cells = list(enumerate(board.cells(variant.board, variant.notation), start=1))
    taken = [number for number, (_, rank) in cells if rank in (height - 4, height - 2)]
    taking = [number for number, (_, rank) in cells if rank == height - 3]
    return _two_sided(variant, taken=taken, taking=taking, most=3)


def _two_sided(
    variant: Variant, *, taken: list[int], taking: list[int], most: int
) -> st.SearchStrategy[board.Arrangement]:
    """White to move on ``taking``, with men more often than other pieces; Black on ``taken``."""
    kinds = st.sampled_from([PieceKind.MAN, *_kinds(variant)])
    black = st.dictionaries(st.sampled_from(taken), st.tuples(st.just(Colour.BLACK), kinds), max_size=10)
    white = st.dictionaries(
        st.sampled_from(taking), st.tuples(st.just(Colour.WHITE), kinds), min_size=1, max_size=most
    )
    pieces = st.builds(lambda one, other: {**one, **other}, black, white)
    return st.builds(sane, st.just(variant), st.just(Colour.WHITE), pieces)


@pytest.mark.parametrize("key", VARIANTS)
def test_games_from_the_start_agree_with_the_oracle(key: str) -> None:
    @settings(QUICK, max_examples=15)
    @given(CHOICES)
    def games_agree(choices: list[int]) -> None:
        play_side_by_side(board.start(VARIANTS[key]), choices)

    games_agree()


@pytest.mark.parametrize("examples", short_and_full(12, 200))
@pytest.mark.parametrize("key", VARIANTS)
def test_games_from_any_position_agree_with_the_oracle(key: str, examples: int) -> None:
    @settings(QUICK, max_examples=examples)
    @given(arrangements(VARIANTS[key]), FEW_CHOICES)
    def games_agree(start: board.Arrangement, choices: list[int]) -> None:
        play_side_by_side(start, choices)

    games_agree()


@pytest.mark.parametrize("examples", short_and_full(18, 600))
@pytest.mark.parametrize("made", [lattices, crownings])
@pytest.mark.parametrize("key", VARIANTS)
def test_boards_made_for_captures_agree_with_the_oracle(key: str, made: Boards, examples: int) -> None:
    @settings(QUICK, max_examples=examples)
    @given(made(VARIANTS[key]))
    def captures_agree(start: board.Arrangement) -> None:
        play_side_by_side(start, [])

    captures_agree()


@pytest.mark.parametrize("examples", short_and_full(8, 100))
@pytest.mark.parametrize("key", VARIANTS)
def test_crowded_boards_agree_with_the_oracle(key: str, examples: int) -> None:
    @settings(QUICK, max_examples=examples)
    @given(crowds(VARIANTS[key]), st.lists(st.integers(0, 10**6), max_size=4))
    def games_agree(start: board.Arrangement, choices: list[int]) -> None:
        play_side_by_side(start, choices)

    games_agree()


@pytest.mark.slow
@pytest.mark.parametrize("examples", short_and_full(10, 500))
@pytest.mark.parametrize("key", VARIANTS)
def test_many_games_agree_with_the_oracle(key: str, examples: int) -> None:
    variant = VARIANTS[key]

    @settings(BY_CHANCE, max_examples=examples)
    @given(
        arrangements(variant, most=18) | lattices(variant) | crownings(variant) | crowds(variant), FEW_CHOICES
    )
    def positions_agree(start: board.Arrangement, choices: list[int]) -> None:
        play_side_by_side(start, choices)

    @settings(BY_CHANCE, max_examples=examples // 5)
    @given(CHOICES)
    def games_agree(choices: list[int]) -> None:
        play_side_by_side(board.start(variant), choices)

    positions_agree()
    games_agree()


@pytest.mark.parametrize("key", [key for key, row in VARIANTS.items() if row.rules.king_run])
def test_runs_of_kings_agree_with_the_oracle(key: str) -> None:
    variant = VARIANTS[key]

    @settings(QUICK, max_examples=20)
    @given(st.integers(1, variant.rules.king_run), arrangements(variant, most=4), CHOICES)
    def games_agree(steps: int, start: board.Arrangement, choices: list[int]) -> None:
        play_side_by_side(with_runs(start, steps), choices)

    games_agree()


@pytest.mark.parametrize("key", VARIANTS)
def test_positions_are_equal_and_hash_alike_exactly_when_they_repeat(key: str) -> None:
    @QUICK
    @given(arrangements(VARIANTS[key], most=4), CHOICES)
    def equal_iff_repeated(start: board.Arrangement, choices: list[int]) -> None:
        walked = [(arrangement, position) for arrangement, position, _ in walk(start, choices)]
        for ply, (arrangement, position) in enumerate(walked):
            for earlier, before in walked[:ply]:
                repeats = arrangement.identity() == earlier.identity()
                assert (position == before) is repeats
                assert not repeats or hash(position) == hash(before)

    equal_iff_repeated()
