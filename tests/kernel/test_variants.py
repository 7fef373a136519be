"""The kernel's variants: any rules, checked; the fast path and the one for any rules play alike."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from crownhead import Position, _kernel
from crownhead.engine.weights import shipped
from crownhead.rules.errors import CrownheadError
from crownhead.rules.kernel import kernel_variant, row_of
from crownhead.rules.kernel_row import KernelRow, kernel_row
from crownhead.rules.schema import Board, Corner, Grid, Notation, Priority, Variant
from crownhead.rules.variants import VARIANTS
from tests.rules.suites import perft_rows

RUSSIAN = VARIANTS["russian"]
FORWARD_RUSSIAN = replace(RUSSIAN, rules=replace(RUSSIAN.rules, man_captures=RUSSIAN.rules.man_steps))
MAX_NODES = 400_000


def made(fields: KernelRow | None = None, /, **changed: Any) -> _kernel.Variant:
    """The kernel's variant of Russian draughts, or of other fields, with some changed."""
    values = {**(fields or kernel_row(RUSSIAN))._asdict(), "tables_key": "russian", **changed}
    return _kernel.Variant(**values)


def with_rules(**changed: Any) -> _kernel.Variant:
    return made(rules={**kernel_row(RUSSIAN).rules, **changed})


def with_board(**changed: Any) -> _kernel.Variant:
    board: Any = kernel_row(RUSSIAN).rules["board"]
    return with_rules(board={**board, **changed})


def start(variant: _kernel.Variant, row: Variant) -> _kernel.Position:
    array = row.start
    black_first = array.first == "black"
    men, white_men = array.black - array.marked, array.white - array.marked
    marked, white_marked = array.black & array.marked, array.white & array.marked
    return _kernel.Position(variant, black_first, men, (), white_men, (), marked, white_marked)


def on_both_paths(row: Variant) -> tuple[_kernel.Variant, _kernel.Variant]:
    return kernel_variant(row), kernel_variant(row, specialised=False)


def again(position: _kernel.Position, variant: _kernel.Variant) -> _kernel.Position:
    """The same position as another variant has it."""
    reduced: Any = position.__reduce__()
    _, *pieces = reduced[1]
    return _kernel.Position(variant, *pieces)


def seen(position: _kernel.Position) -> tuple[object, ...]:
    """All that the laws say of a position."""
    moves = position.legal_moves()
    return (
        [(move.path, move.captures, move.crowns) for move in moves],
        [position.find((move.origin, move.target)) for move in moves],
        [position.play(move) for move in moves],
        position.ending(),
        position.perft(2),
        hash(position),
    )


def chance_positions(row: Variant, number: int) -> Iterable[_kernel.Position]:
    """Positions with few pieces, often kings, and those that some moves lead to."""
    dice, variant = Random(row.key), kernel_variant(row)
    crowned = row.rules.crowning != "never"
    while number > 0:
        squares = dice.sample(range(1, row.board.squares + 1), dice.randint(2, 12))
        men: list[int] = []
        kings: list[int] = []
        white_men: list[int] = []
        white_kings: list[int] = []
        kinds = (men, white_men, kings, white_kings) if crowned else (men, white_men)
        for square in squares:
            dice.choice(kinds).append(square)
        try:
            position = _kernel.Position(variant, dice.random() < 0.5, men, kings, white_men, white_kings)
        except ValueError:  # a man where it would have been crowned
            continue
        for _ in range(dice.randint(1, 6)):
            number -= 1
            yield position
            moves = position.legal_moves()
            if not moves:
                break
            position = position.play(dice.choice(moves))


@pytest.mark.parametrize("key", VARIANTS)
def test_both_paths_see_the_same_in_every_position(key: str) -> None:
    row = VARIANTS[key]
    generic = kernel_variant(row, specialised=False)
    assert not generic.compiled
    first = start(kernel_variant(row), row)
    assert seen(first) == seen(again(first, generic))
    for position in chance_positions(row, 60):
        other = again(position, generic)
        assert other == position
        assert seen(other) == seen(position)


@pytest.mark.parametrize("row", [row for key in VARIANTS for row in perft_rows(key)], ids=str)
def test_the_path_for_any_rules_counts_lines_of_play_as_published(row: Any) -> None:
    given = Position.from_fen(row.fen, row.variant)
    position = again(given, kernel_variant(VARIANTS[row.variant], specialised=False))
    counted = {depth: nodes for depth, nodes in row.nodes.items() if depth < 10 and nodes <= MAX_NODES}
    assert counted
    assert {depth: position.perft(depth) for depth in counted} == counted


@pytest.mark.parametrize("key", VARIANTS)
def test_a_key_stands_for_the_row_of_the_table(key: str) -> None:
    position = _kernel.Position(key, True, (), (), (), ())
    assert row_of(position) is VARIANTS[key]
    assert position.kernel_variant is kernel_variant(VARIANTS[key])
    assert position.variant_key == position.kernel_variant.key == key


def test_the_rules_that_are_played_most_are_compiled() -> None:
    assert kernel_variant(VARIANTS["american"]).compiled
    assert kernel_variant(VARIANTS["anti"]).compiled  # it differs in who has won
    assert not kernel_variant(FORWARD_RUSSIAN).compiled


def test_other_rules_under_a_known_key_are_played() -> None:
    own = start(kernel_variant(FORWARD_RUSSIAN), FORWARD_RUSSIAN)
    stock = start(kernel_variant(RUSSIAN), RUSSIAN)
    assert own.variant_key == stock.variant_key
    assert own != stock
    assert own.perft(6) != stock.perft(6)
    assert own.kernel_variant.fingerprint != stock.kernel_variant.fingerprint


def test_the_same_rules_are_one_variant() -> None:
    one, other = kernel_variant(FORWARD_RUSSIAN), made(kernel_row(FORWARD_RUSSIAN), row=FORWARD_RUSSIAN)
    assert other.key == one.key
    assert kernel_variant(replace(FORWARD_RUSSIAN)) == one
    assert hash(other) == hash(one)
    assert start(one, FORWARD_RUSSIAN) == start(kernel_variant(replace(FORWARD_RUSSIAN)), FORWARD_RUSSIAN)
    assert one != kernel_variant(RUSSIAN)
    assert one != kernel_variant(replace(FORWARD_RUSSIAN, dark_name="Red"))
    assert one != "russian"


def test_positions_of_any_rules_are_copied_and_pickled() -> None:
    position = start(kernel_variant(FORWARD_RUSSIAN), FORWARD_RUSSIAN)
    position = position.play(position.legal_moves()[0])
    for other in (copy.copy(position), copy.deepcopy(position), pickle.loads(pickle.dumps(position))):
        assert other == position
        assert row_of(other) == FORWARD_RUSSIAN
        assert other.legal_moves() == position.legal_moves()
    generic = kernel_variant(RUSSIAN, specialised=False)
    variant = pickle.loads(pickle.dumps(generic))
    assert variant == generic
    assert not variant.compiled
    assert copy.deepcopy(generic) is generic


def test_a_position_outlives_every_other_mention_of_its_variant() -> None:
    positions = [start(made(row=RUSSIAN, key=f"house-{n}"), RUSSIAN) for n in range(50)]
    assert [position.kernel_variant.key for position in positions] == [f"house-{n}" for n in range(50)]
    stock = start(kernel_variant(RUSSIAN), RUSSIAN)
    assert {position.perft(4) for position in positions} == {stock.perft(4)}


def test_searches_of_both_paths_visit_the_same_nodes() -> None:
    for key in ("american", "international", "frisian", "canadian", "mule", "dameo", "hawaiian"):
        row = VARIANTS[key]
        reports = [
            _kernel.Searcher(variant, 1).search([start(variant, row)], depth=6)
            for variant in on_both_paths(row)
        ]
        depth, selective_depth, nodes, _, lines = reports[0]
        assert (depth, selective_depth, nodes) == reports[1][:3]
        assert lines == reports[1][4]


def test_weights_are_worth_the_same_on_both_paths() -> None:
    for key in ("american", "russian", "international"):
        row = VARIANTS[key]
        nodes = {
            _kernel.Searcher(variant, 1, shipped(key)).search([start(variant, row)], depth=6)[2]
            for variant in on_both_paths(row)
        }
        assert len(nodes) == 1


def test_a_searcher_takes_positions_of_its_rules_alone() -> None:
    searcher = _kernel.Searcher(kernel_variant(FORWARD_RUSSIAN), 1)
    with pytest.raises(ValueError, match="own variant"):
        searcher.search([start(kernel_variant(RUSSIAN), RUSSIAN)], depth=2)


def test_any_rules_can_be_trained_and_have_tables(tmp_path: Any) -> None:
    variant = kernel_variant(FORWARD_RUSSIAN)
    trainer = _kernel.Trainer(variant)
    samples = trainer.play([start(variant, FORWARD_RUSSIAN)], b"", games=2, nodes=40)
    weights, positions, *_ = trainer.fit([samples], epochs=1)
    assert positions > 0
    assert _kernel.Searcher(variant, 1, weights).search([start(variant, FORWARD_RUSSIAN)], depth=3)[0] == 3
    key, possible, with_men = _kernel.table_support(variant)
    assert key.startswith("russian-")
    assert possible
    assert with_men
    _kernel.build_tables(variant, str(tmp_path), 2, distances=2, memory=1 << 30)
    _kernel.verify_tables(variant, str(tmp_path), 2, memory=1 << 30)
    tables = _kernel.Tables(variant, str(tmp_path))
    assert tables.most == 2
    with pytest.raises(ValueError, match="own variant"):
        tables.probe(_kernel.Position("russian", True, (), [1], (), [32]))
    with pytest.raises(_kernel.BadTable):
        _kernel.Tables("russian", str(tmp_path))


def test_tables_serve_both_paths(tmp_path: Any) -> None:
    fast, generic = on_both_paths(RUSSIAN)
    _kernel.build_tables(fast, str(tmp_path), 2, distances=2, memory=1 << 30)
    tables = _kernel.Tables(generic, str(tmp_path))
    position = _kernel.Position(fast, True, (), [1], (), [32])
    assert tables.probe(position) == tables.probe(again(position, generic))
    reports = [_kernel.Searcher(one, 1).search([position], depth=4, tables=tables) for one in (fast, generic)]
    assert reports[0][2] == reports[1][2]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (
            lambda: with_rules(man_steps=0b001),
            "the same directions to the left and to the right in man_steps",
        ),
        (lambda: with_rules(king_steps=0b101), "forward and backward alike"),
        (lambda: with_rules(king_captures=0b101), "forward and backward alike"),
        (lambda: with_rules(man_steps=256), "man_steps to be a number from 0 to 255, got 256"),
        (lambda: with_rules(man_steps=10**30), "man_steps to be a number"),
        (lambda: with_rules(man_steps="forward"), "got 'forward'"),
        (lambda: with_rules(flying_king=1), "flying_king to be True or False, got 1"),
        (lambda: with_rules(promotion="later"), "promotion to be one of stop, pass, carry_on, got 'later'"),
        (lambda: with_rules(promotion=None), "got None"),
        (lambda: with_rules(priority=("most_pieces", "most_pieces")), "each component of the priority once"),
        (lambda: with_rules(priority=("none", "most_pieces")), "no gap in the priority"),
        (lambda: with_rules(priority=["most_pieces"]), "priority to be a tuple"),
        (lambda: with_rules(priority=("most_kings",) * 9), "a tuple of at most 5"),
        (lambda: with_rules(king_run=101), "0 to 100 steps"),
        (lambda: with_rules(king_run=-1), "king_run to be a number"),
        (lambda: with_rules(marked="ferz"), "marked to be one of none, mule, parachutist"),
        (lambda: with_rules(jumps_only=True), "for rules of jumps only"),
        (lambda: with_rules(first_king_wins=True, crowning="never"), "men who are crowned"),
        (lambda: with_rules(first_king_wins=True, marked="mule"), "no mules"),
        (lambda: with_rules(unheard_of=1), "values that are known"),
        (lambda: made(rules={}), "a value for board, got none"),
        (lambda: with_rules(board=8), "board to be a dictionary, got 8"),
        (lambda: with_board(width=3), "a board of 4 to 16 files and rows, got 3 by 8"),
        (lambda: with_board(height=17), "got 8 by 17"),
        (lambda: with_board(width=0), "got 0 by 8"),
        (lambda: with_board(width=16, height=16), "at most 128 bits, got 16 by 16 squares, which take 13"),
        (lambda: with_board(grid="full"), "square 1 in the corner"),
        (lambda: with_board(grid="hexagonal"), "grid to be one of checkered, full, lines"),
        (lambda: with_board(width=9, crowning="far_corner"), "values that are known"),
        (lambda: made(black=[1, 33]), "pieces on squares 1 to 32, got one on 33"),
        (lambda: made(black=[0]), "from 1 to 128, got 0"),
        (lambda: made(black=[12, 12]), "one piece on square 12, got two"),
        (lambda: made(black=[29]), "no man on square 29"),
        (lambda: made(black=()), "pieces of both sides"),
        (lambda: made(marked=[1]), "no marked men"),
        (lambda: made(objective="draw"), "objective to be one of opponent_wins, mover_wins, got 'draw'"),
        (lambda: made(first="red"), "first to be one of black, white, got 'red'"),
        (lambda: made(key=""), "a key, got an empty text"),
    ],
)
def test_what_cannot_be_played_is_refused_in_words(make: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        make()


def test_far_corners_are_for_boards_that_have_one() -> None:
    odd = Board(9, 9)
    row = replace(
        VARIANTS["corner"],
        board=odd,
        notation=Notation(None, Corner.TOP_LEFT),
        start=replace(RUSSIAN.start, black=frozenset({14}), white=frozenset({20})),
    )
    with pytest.raises(CrownheadError, match="far corner"):
        kernel_variant(row)


def test_all_five_priorities_can_compete() -> None:
    rules = replace(RUSSIAN.rules, priority=tuple(Priority))
    variant = kernel_variant(replace(RUSSIAN, rules=rules))
    position = _kernel.Position(variant, False, [10, 18], [7, 19], (), [32, 29])
    assert position.legal_moves()


@pytest.mark.parametrize("given", [None, 5, object(), b"american"])
def test_what_is_no_variant_is_refused(given: Any) -> None:
    with pytest.raises(TypeError):
        _kernel.Position(given, True, (), (), (), ())
    with pytest.raises(TypeError):
        _kernel.Searcher(given)


def test_a_variant_that_was_never_made_is_refused() -> None:
    with pytest.raises(TypeError, match="expected a Variant or its key"):
        _kernel.Position(_kernel.Variant.__new__(_kernel.Variant), True, (), (), (), ())


def test_a_key_stands_for_one_variant_for_good() -> None:
    with pytest.raises(ValueError, match="one variant for the key russian, got another"):
        _kernel.register_variants([kernel_variant(FORWARD_RUSSIAN)])
    _kernel.register_variants([kernel_variant(RUSSIAN, specialised=False)])
    with pytest.raises(TypeError):
        _kernel.register_variants(["russian"])  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("board", "squares"),
    [
        (Board(8, 8), 32),
        (Board(9, 9), 41),
        (Board(9, 9, left_corner=False), 40),
        (Board(5, 7), 18),
        (Board(5, 5, grid=Grid.LINES), 25),
    ],
)
def test_boards_count_their_squares(board: Board, squares: int) -> None:
    played = sum(board.is_played(file, rank) for file in range(board.width) for rank in range(board.height))
    assert board.squares == played == squares
