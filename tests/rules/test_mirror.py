"""The mirror of a position: colours swapped, the board turned, the same game for the other side."""

from __future__ import annotations

import random

import pytest

from crownhead import VARIANTS, Colour, CrownheadError, Position

SYMMETRIC = [key for key, variant in VARIANTS.items() if not variant.rules.one_way]


def some_positions(key: str, count: int = 12) -> list[Position]:
    dice = random.Random(f"mirror {key}")
    found = [Position.start(key)]
    while len(found) < count:
        moves = found[-1].legal_moves()
        found.append(found[-1].play(dice.choice(moves)) if moves else Position.start(key))
    return found


def test_the_pieces_change_colour_and_go_to_the_square_opposite() -> None:
    position = Position.from_fen("W:W32,K5:B1,K9")
    assert position.mirror() == Position.from_fen("B:B1,K28:W32,K24")


@pytest.mark.parametrize("key", SYMMETRIC)
def test_the_mirror_of_the_mirror_is_the_position(key: str) -> None:
    for position in some_positions(key):
        mirrored = position.mirror()
        assert mirrored.turn is position.turn.opponent
        assert mirrored.mirror() == position


@pytest.mark.parametrize("key", SYMMETRIC)
def test_as_many_lines_of_play_lead_from_the_mirror(key: str) -> None:
    for position in some_positions(key, 6):
        assert position.mirror().perft(2) == position.perft(2)
        theirs, ours = position.mirror().outcome(), position.outcome()
        assert (theirs is None) == (ours is None)


def test_the_runs_of_kings_change_sides() -> None:
    position = Position.from_fen("W:WK46,36:BK5,15", "frisian").play("46-41")
    assert position.mirror().king_runs == {Colour.BLACK: (10, 1)}


def test_there_is_none_where_the_sides_have_other_laws() -> None:
    with pytest.raises(CrownheadError, match="the same for both sides"):
        Position.start("one-way").mirror()
