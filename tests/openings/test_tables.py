"""The other tables of openings: as many as the sources count, each leading where the sources say."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable

import pytest

from crownhead import Position
from crownhead.openings import (
    Deck,
    Status,
    basic_deck,
    brazilian_deck,
    eleven_man_deck,
    five_move_deck,
    four_move_deck,
    russian_deck,
    three_move_deck,
    two_move_deck,
)
from tests.notation.files import data

TABLES = [
    (two_move_deck, "2move_english", 49, 43, 6),
    (four_move_deck, "4move_english", 794, 542, 252),
    (five_move_deck, "5move_english", 2700, 1336, 1363),
    (eleven_man_deck, "11_english", 2500, 2253, 247),
    (russian_deck, "russian", 745, 745, 0),
    (brazilian_deck, "brazilian", 736, 736, 0),
    (basic_deck, "150russian_and_brazilian", 150, 150, 0),
]
WRONG_IN_THE_SOURCES = {"2-IV", "XX-18", "XXVII-9"}


def reached(*moves: str) -> Position:
    position = Position.start("american")
    for move in moves:
        position = position.play(move)
    return position


@pytest.mark.parametrize(("deck", "name", "ballots", "playable", "barred"), TABLES)
def test_a_table_is_as_long_as_its_source(
    deck: Callable[[], Deck], name: str, ballots: int, playable: int, barred: int
) -> None:
    made = deck()
    assert [len(part) for part in (made.ballots, made.playable, made.barred)] == [ballots, playable, barred]


@pytest.mark.parametrize(("deck", "name"), [row[:2] for row in TABLES])
def test_openings_lead_where_the_sources_say(deck: Callable[[], Deck], name: str) -> None:
    with gzip.open(data("ballots", f"{name}.json.gz"), "rt") as file:
        recorded = list(json.load(file)["all"].values())
    made = deck()
    wrong = {
        ballot.label
        for ballot, fen in zip(made.ballots, recorded, strict=True)
        if ballot.position(made.variant_key) != Position.from_fen(fen, made.variant_key)
    }
    assert wrong <= WRONG_IN_THE_SOURCES


@pytest.mark.parametrize("deck", [row[0] for row in TABLES])
def test_openings_are_found_by_their_positions(deck: Callable[[], Deck]) -> None:
    made = deck()
    for ballot in made.ballots[::7]:
        position = ballot.position(made.variant_key)
        found = made.find(position)
        assert found is not None
        assert found.position(made.variant_key) == position


def _settled(position: Position, *, quiet: int) -> int:
    """The men by which the side to move leads after best play: all jumps and ``quiet`` other plies."""
    moves = position.legal_moves()
    jumps = bool(moves and moves[0].captures)
    if not moves or not (jumps or quiet):
        lead = len(position.black_men) - len(position.white_men)
        return lead if position.black_to_move else -lead
    left = quiet if jumps else quiet - 1
    return max(-_settled(position.play(move), quiet=left) for move in moves)


def test_the_174_are_the_positions_after_three_plies_that_lose_no_man() -> None:
    sequences = [Position.start("american")]
    for _ in range(3):
        sequences = [position.play(move) for position in sequences for move in position.legal_moves()]
    positions = set(sequences)
    losing = {position for position in positions if _settled(position, quiet=2)}
    deck = three_move_deck()
    assert (len(sequences), len(positions), len(losing)) == (302, 216, 42)
    assert positions - losing == {ballot.position("american") for ballot in deck.ballots}


def test_flights_put_men_elsewhere_and_count_as_plies() -> None:
    labels = {ballot.label: ballot for ballot in russian_deck().ballots}
    alone, both, black = (labels[label].position("russian") for label in ("II-1", "II-2", "XXXIII-8"))
    assert alone.black_to_move
    assert not both.black_to_move
    assert (
        black.pieces.keys()
        == Position.from_fen(
            "W:Wa1,c3,e3,g3,c1,e1,g1,b2,d2,f2,h2,a3:Bh4,b6,d6,f6,a7,c7,e7,g7,b8,d8,f8,h8", "russian"
        ).pieces.keys()
    )


def test_the_basic_positions_serve_russian_and_brazilian() -> None:
    assert len(basic_deck("brazilian").ballots) == len(basic_deck("russian").ballots) == 150


def test_a_ballot_that_the_source_leaves_open_is_neither_played_nor_barred() -> None:
    (open_one,) = (item for item in five_move_deck().ballots if item.status is Status.UNCLASSIFIED)
    assert open_one.moves == ("10-15", "21-17", "6-10", "23-19", "11-16")
