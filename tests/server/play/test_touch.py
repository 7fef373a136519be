"""Touching squares picks a move: pieces that go nowhere, that may stop on the way, that come back."""

from __future__ import annotations

from dataclasses import replace

import pytest

import crownhead
from crownhead import VARIANTS, Colour, Move, Position, Variant
from crownhead.server.play.presenters.board.boards import GameBoard
from crownhead.server.play.presenters.board.moves import touched
from crownhead.server.play.presenters.board.touch import Touch, touch

# Konane as its rule says it: nothing is played but captures, and two removals to begin with.
JUMPING = next(row for row in VARIANTS.values() if row.rules.jumps_only)


def test_a_piece_that_is_taken_off_is_chosen_by_one_touch() -> None:
    moves = Position.start(JUMPING).notations()
    first = next(iter(moves))
    square = first.origin

    after = Touch(moves).after(square)

    assert after == (square, square)
    assert touch(moves, after).chosen == first
    assert touch(moves, (square,)).chosen == first
    assert touch(moves, after).after(square) == after


def test_a_square_on_the_way_may_be_the_end_of_the_move() -> None:
    short, long = Move((1, 3), (2,)), Move((1, 3, 5), (2, 4))
    moves = {short: "1x3", long: "1x5"}

    under_way = touch(moves, (1, 3))

    assert under_way.chosen == short
    assert under_way.chosen_text == "1x3"
    assert under_way.targets == {5: (1, 3, 5)}
    assert touch(moves, (1,)).targets == {3: (1, 3), 5: (1, 3, 5)}
    assert under_way.after(3) == (1, 3)


def test_a_piece_that_ends_where_it_began_is_led_round_and_never_by_its_own_square() -> None:
    # A king takes four and comes back to its square; its first touch must not make the move.
    round_trip = Move((1, 10, 19, 12, 1), (6, 14, 16, 7))
    other = Move((1, 10, 19, 26), (6, 14, 23))
    moves = {round_trip: "1x10x19x12x1", other: "1x26"}

    chosen = touch(moves, (1,))

    assert chosen.after(1) == ()
    assert chosen.targets[10] == (1, 10, 19)
    assert touch(moves, (1, 10, 19)).targets == {
        12: (1, 10, 19, 12, 1),
        26: (1, 10, 19, 26),
        1: (1, 10, 19, 12, 1),
    }


def test_a_square_that_the_piece_has_passed_by_itself_changes_nothing() -> None:
    moves = Position.from_fen("W:W26:B22,14,6,7,28").notations()

    under_way = touch(moves, (26, 17, 10))

    assert under_way.after(17) == (26, 17, 10)
    assert under_way.after(10) == (26, 17, 10)


def test_a_touch_on_the_last_square_of_a_move_that_completed_itself_keeps_it() -> None:
    moves = Position.from_fen("W:W26:B22,14,6,28").notations()
    under_way = touch(moves, Touch(moves).after(26))

    whole = under_way.after(17)

    assert whole == (26, 17, 10, 1)
    assert [touch(moves, whole).after(square) for square in (17, 10, 1)] == [whole] * 3
    assert touch(moves, whole).after(30) == ()
    assert touch(moves, whole).after(26) == (26,)


def test_a_capture_stops_before_a_square_that_can_be_touched_again_where_the_choice_comes() -> None:
    # From 4 the piece goes back to 3 or on to 5: touching 1, 2, 3, 4, 5 in order must not lead back to 3.
    back, on = Move((1, 2, 3, 4, 3), (6, 7, 8, 9)), Move((1, 2, 3, 4, 5), (6, 7, 8, 10))
    moves = {back: "1x2x3x4x3", on: "1x5"}

    for move in (back, on):
        path: tuple[int, ...] = ()
        for square in move.path:
            path = touch(moves, path).after(square)
        assert path == move.path


def test_a_circle_is_gone_round_in_both_directions() -> None:
    table = touched(Position.from_fen("B:W6,7,14,15:BK2,4"), (2,))

    assert table.targets == {9: (2, 9, 18, 11, 2), 11: (2, 11, 18, 9, 2)}
    for path in table.targets.values():
        whole = touch(table.moves, path, table.routes)
        assert whole.chosen_text == "2x2"
        assert whole.under_way is not None
        assert whole.under_way.path == path
        assert [whole.after(square) for square in path] == [path] * 5


def test_a_square_of_another_route_keeps_a_move_that_is_whole() -> None:
    table = touched(Position.from_fen("W:WK46:B37,19,10", "international"), (46,))
    whole = touch(table.moves, table.targets[32], table.routes)

    assert whole.chosen_text == "46x5"
    assert whole.path == (46, 32, 14, 5)
    assert whole.after(28) == whole.path
    assert whole.after(46) == (46,)
    assert whole.after(41) == ()


def test_a_path_that_no_move_follows_counts_as_none() -> None:
    moves = Position.start().notations()

    assert touch(moves, (11, 16, 20)).path == ()
    assert touch(moves, (1,)).path == ()


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=lambda row: row.key)
def test_every_first_move_can_be_touched_together(variant: Variant) -> None:
    moves = Position.start(variant).notations()

    for move in moves:
        path = Touch(moves).after(move.origin)
        while len(path) < len(move.path):
            path = touch(moves, path).after(move.path[len(path)])
            assert path
        assert touch(moves, path).chosen == move


def test_a_board_finds_out_once_what_may_be_touched_however_many_targets_it_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = crownhead.Game("international", start="W:WK46:B37,19,10")
    table = GameBoard(replay=game, bottom=Colour.WHITE, ply=0, touch=touched(game.position, (46,)))
    looked: list[Touch] = []
    monkeypatch.setattr(Touch, "__post_init__", looked.append)

    fields = [drawn for row in table.presenter().rows for drawn in row]

    targets = [drawn.number for drawn in fields if drawn.state == "target"]
    assert sorted(targets) == sorted(table.touch.targets)
    assert (len(targets) > 1, looked) == (True, [])
    monkeypatch.undo()
    for square, path in table.touch.targets.items():
        under_way = replace(table.touch, path=path).under_way
        assert under_way is not None
        first = table.touch.first_along(path)
        assert first is not None
        assert (first.path, first.captures) == (under_way.path, under_way.captures), square
