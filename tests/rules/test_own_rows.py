"""A row of one's own plays its own rules everywhere, whatever its key."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from crownhead import (
    VARIANTS,
    BadVariant,
    Colour,
    CrownheadError,
    Game,
    Position,
    Setup,
    UnknownVariant,
    Variant,
)
from crownhead.rules.boards import numbered
from crownhead.rules.checking import check
from crownhead.rules.fingerprint import fingerprint
from crownhead.rules.house import register
from crownhead.rules.lookup import variant_of
from crownhead.rules.schema import (
    DIAGONALLY,
    Board,
    Crowning,
    Direction,
    DrawRules,
    Grid,
    NoProgressDraw,
    PieceKind,
    Priority,
    Removal,
    RepetitionDraw,
    Start,
)
from crownhead.rules.variants import STOCK
from tests.house_rows import FORWARD_RUSSIAN, FULL, OF_HOSTS, ROWS, SMALL, called
from tests.reference import board, moves
from tests.rules.side_by_side import play_side_by_side

RUSSIAN = VARIANTS["russian"]
BACKWARD = "W:Wc5:Bb4,d4,h8"  # a man that could only take backward


@pytest.mark.parametrize("row", [*ROWS, *OF_HOSTS], ids=called)
def test_kernel_and_oracle_play_the_same_game(row: Variant) -> None:
    dice = Random(row.key)
    for _ in range(5):
        assert play_side_by_side(board.start(row), (dice.randrange(10**6) for _ in range(60))) > 3


@pytest.mark.parametrize("row", [*ROWS, *OF_HOSTS], ids=called)
def test_lines_of_play_are_counted_as_the_oracle_counts(row: Variant) -> None:
    counted = [moves.perft(board.start(row), depth) for depth in (1, 2, 3, 4)]
    assert [Position.start(row).perft(depth) for depth in (1, 2, 3, 4)] == counted


@pytest.mark.parametrize(("may_reverse", "targets"), [(False, {1}), (True, {24, 28})])
def test_a_man_crowned_while_taking_turns_round_only_where_a_king_may(
    may_reverse: bool, targets: set[int]
) -> None:
    """As a piece goes on that is a king from the far row on; taken pieces leave at once."""
    rules = replace(RUSSIAN.rules, removal=Removal.AT_ONCE, may_reverse=may_reverse)
    row = replace(RUSSIAN, rules=rules)
    position = Position.from_fen("W:Wb4:Bc5,c7,f4", row)
    assert {move.path[-1] for move in position.legal_moves()} == targets


@pytest.mark.parametrize(("white", "target"), [("10,M32", 3), ("M10,32", 12)])
def test_a_capture_ends_on_the_far_row_only_for_a_man_who_is_crowned_there(white: str, target: int) -> None:
    mule = VARIANTS["mule"]
    row = replace(mule, rules=replace(mule.rules, man_captures=DIAGONALLY))
    (move,) = Position.from_fen(f"W:W{white}:BM5,7,8", row).legal_moves()
    assert move.path[-1] == target


def test_other_rules_under_a_known_key_are_played() -> None:
    own, stock = (Position.from_fen(BACKWARD, row) for row in (FORWARD_RUSSIAN, RUSSIAN))
    assert [move.captures for move in own.legal_moves()] == [(), ()]
    assert all(move.captures for move in stock.legal_moves())
    assert own.variant == FORWARD_RUSSIAN
    assert own.play(own.legal_moves()[0]).variant == FORWARD_RUSSIAN
    game = Game(FORWARD_RUSSIAN, start=BACKWARD)
    assert not game.push("c5-b6").captures
    with pytest.raises(CrownheadError):
        Game(RUSSIAN, start=BACKWARD).push("c5-b6")


def test_positions_of_different_rules_are_never_equal() -> None:
    own, stock = Position.start(FORWARD_RUSSIAN), Position.start("russian")
    assert own != stock
    assert own.setup() != stock.setup()
    assert len({own, stock}) == len({own.setup(), stock.setup()}) == 2
    same = Position.start(replace(FORWARD_RUSSIAN))
    assert same == own
    assert hash(same) == hash(own)


@pytest.mark.parametrize("row", ROWS, ids=called)
def test_values_are_copied_and_pickled_with_their_rules(row: Variant) -> None:
    position = Position.start(row).play(Position.start(row).legal_moves()[0])
    for value in (row, position, position.setup()):
        made: Any
        for made in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
            assert made == value
            assert hash(made) == hash(value)
    again = pickle.loads(pickle.dumps(position))
    assert again.variant == row
    assert again.legal_moves() == position.legal_moves()


def test_a_row_of_the_package_is_pickled_by_its_key() -> None:
    assert pickle.loads(pickle.dumps(RUSSIAN)) is RUSSIAN
    assert len(pickle.dumps(Position.start("russian"))) < 400


def test_a_setup_takes_a_row_or_a_key() -> None:
    assert Setup("russian", Colour.WHITE) == Setup(RUSSIAN, Colour.WHITE)
    setup = Setup(FORWARD_RUSSIAN, Colour.WHITE)
    assert (setup.variant, setup.variant_key) == (FORWARD_RUSSIAN, "russian")
    assert replace(setup, turn=Colour.BLACK).variant == FORWARD_RUSSIAN
    with pytest.raises(UnknownVariant):
        Setup("ludo", Colour.WHITE)


def test_a_game_refuses_a_start_of_other_rules() -> None:
    with pytest.raises(
        CrownheadError, match="expected a start position of russian, got one of russian with other rules"
    ):
        Game(FORWARD_RUSSIAN, start=Position.start("russian"))


def test_what_a_row_of_ones_own_looks_like_in_messages() -> None:
    assert repr(Position.start("russian")).endswith(", 'russian')")
    assert repr(Position.start(FORWARD_RUSSIAN)).endswith(", <russian, own rules>)")
    assert repr(Setup(FORWARD_RUSSIAN, Colour.WHITE)).startswith("Setup('russian', ")


# ----------------------------------------------------------------------- rows that cannot be played
def _with(**columns: Any) -> Variant:
    """Small Russian with other columns; those of its parts after a double underscore."""
    row = SMALL
    for name, value in columns.items():
        part, _, column = name.partition("__")
        row = replace(row, **{part: replace(getattr(row, part), **{column: value}) if column else value})
    return row


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"key": "Small Russian"}, "expected a key of at most 30 small letters"),
        ({"key": "x" * 31}, "expected a key of at most 30 small letters"),
        ({"name": " "}, "expected a name, got an empty one"),
        ({"board": Board(40, 40)}, "expected 4 to 16 squares as board.width, got 40"),
        ({"board": Board(8, 3)}, "expected 4 to 16 squares as board.height, got 3"),
        ({"rules__jumps_only": True}, "expected for rules of jumps only a board of even sides"),
        ({"board": Board(16, 16)}, "expected a smaller board, got 16 × 16 with 128 squares in play"),
        ({"board__width": "8"}, "expected a whole number as board.width, got '8'"),
        (
            {"rules__promotion": "pass"},
            'expected one of "stop", "pass", "continue" as rules.promotion, got',
        ),
        ({"rules__flying_king": "yes"}, "expected true or false as rules.flying_king, got 'yes'"),
        ({"rules__man_steps": frozenset({"forward"})}, "as rules.man_steps, got 'forward'"),
        (
            {"rules__man_captures": frozenset({Direction.LEFT})},
            "to the left and to the right as rules.man_captures",
        ),
        ({"rules__king_steps": frozenset({Direction.FORWARD})}, "forward and backward as rules.king_steps"),
        ({"rules__priority": (Priority.MAX_PIECES,) * 2}, "expected each word once in rules.priority"),
        ({"rules__marked": PieceKind.KING}, 'expected "mule" or "parachutist" as rules.marked'),
        ({"rules__king_run": -1}, "expected 0 to 100 as rules.king_run, got -1"),
        ({"opening_plies": 99}, "expected 0 to 20 as opening_plies, got 99"),
        ({"start__black": frozenset({0, 19})}, "expected squares from 1 to 18 as start.black, got 0, 19"),
        (
            {"start__black": numbered(7, 13)},
            "expected each square once in start.black and start.white, got 13 in both",
        ),
        ({"start__white": frozenset()}, "expected at least one man as start.white, got none"),
        ({"start__white": frozenset({1})}, "expected each square once"),
        (
            {"start": Start(frozenset({7}), frozenset({2}), Colour.WHITE)},
            "start.white where it would be crowned, got 2",
        ),
        ({"start__marked": frozenset({1})}, "expected no start.marked without rules.marked, got 1"),
        (
            {"rules__marked": PieceKind.MULE, "start__marked": frozenset({9})},
            "expected squares of start.black or start.white as start.marked, got 9",
        ),
        (
            {"rules__marked": PieceKind.PARACHUTIST, "start__marked": frozenset({1})},
            "expected parachutists of start.black on their far row, got 1",
        ),
        (
            {
                "board__grid": Grid.FULL,
                "start": Start(numbered(1, 6), numbered(31, 36), Colour.WHITE),
                "rules__crowning": Crowning.FAR_CORNER,
            },
            'expected a corner out of play on the far row for rules.crowning "far-corner"',
        ),
        (
            {"board__grid": Grid.LINES, "start": Start(numbered(1, 6), numbered(31, 36), Colour.WHITE)},
            'expected an odd width and height for board.grid "lines", whose diagonals meet in every corner, '
            "got 6 × 6",
        ),
        (
            {"draws": DrawRules("x", "X", (RepetitionDraw(1, automatic=True, article=""),))},
            "expected at least 2 times for a draw by repetition, got 1",
        ),
        (
            {"draws": DrawRules("x", "X", (NoProgressDraw(0, frozenset(), automatic=True, article=""),))},
            "expected at least 1 as moves_each of a draw rule, got 0",
        ),
    ],
)
def test_a_row_that_cannot_be_played_is_refused_in_words(columns: dict[str, Any], message: str) -> None:
    row = _with(**columns)
    with pytest.raises(BadVariant) as refused:
        Position.start(row)
    assert message in str(refused.value)
    with pytest.raises(BadVariant):
        Game(row)


@pytest.mark.parametrize("row", STOCK.values(), ids=lambda row: row.key)
def test_every_row_of_the_package_passes(row: Variant) -> None:
    check(row)


# ----------------------------------------------------------------------- keys
def test_a_registered_row_is_known_by_its_key(house: None) -> None:
    with pytest.raises(UnknownVariant):
        Position.start("small-russian")
    register([SMALL])
    register([replace(SMALL)])
    assert Position.start("small-russian").variant == VARIANTS["small-russian"] == SMALL
    assert variant_of("small-russian") == SMALL
    assert "small-russian" not in STOCK


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (FORWARD_RUSSIAN, "expected a key of its own, got 'russian', which Russian draughts has"),
        (
            replace(SMALL, rules=FULL.rules),
            "expected a key of its own, got 'small-russian', which Small Russian has",
        ),
        (
            replace(FULL, name="small russian"),
            "expected a name of its own, got 'small russian', which small-russian has",
        ),
        (replace(FULL, board=Board(99, 5)), "expected 4 to 16 squares"),
    ],
)
def test_a_key_or_name_keeps_its_rules(row: Variant, message: str, house: None) -> None:
    register([SMALL])
    with pytest.raises(BadVariant, match=message):
        register([row])
    assert Position.start("small-russian").variant == SMALL


# ----------------------------------------------------------------------- fingerprints
def test_a_fingerprint_tells_rules_apart_and_nothing_else() -> None:
    assert fingerprint(replace(SMALL, name="Another", summary="Words", dark_name="Red")) == fingerprint(SMALL)
    rows = [*STOCK.values(), *ROWS]
    kinds = {
        (row.board, row.notation, row.start, row.rules, row.draws.rules, row.opening_plies) for row in rows
    }
    assert len({fingerprint(row) for row in rows}) == len(kinds)


def test_a_fingerprint_stays_as_it_is_stored() -> None:
    """A club compares it with what it has stored: where it changes, so must the stored ones."""
    assert fingerprint(RUSSIAN) == "586b0964d00a06c5"
    assert fingerprint(SMALL) == "4a3ed9366acd88df"
