"""The three-move deck: as many ballots as the federation counts, each standing for its position."""

from __future__ import annotations

import csv

import pytest

from crownhead import Position
from crownhead.openings import Deck, Status, three_move_deck
from tests.notation.files import data

DECK = three_move_deck()


def reached(*moves: str, variant: str = "american") -> Position:
    position = Position.start(variant)
    for move in moves:
        position = position.play(move)
    return position


def three_plies() -> list[Position]:
    """The positions after every sequence of three plies, as often as they are reached."""
    positions = [Position.start("american")]
    for _ in range(3):
        positions = [position.play(move) for position in positions for move in position.legal_moves()]
    return positions


def test_the_deck_has_174_ballots_of_which_156_are_played_and_18_barred() -> None:
    assert [len(part) for part in (DECK.ballots, DECK.tournament, DECK.playable, DECK.barred)] == [
        174,
        144,
        156,
        18,
    ]
    assert [ballot.number for ballot in DECK.ballots] == list(range(1, 175))


def test_the_barred_and_the_mail_ballots_are_those_of_the_federation() -> None:
    barred = {ballot.number for ballot in DECK.barred}
    mail = {ballot.number for ballot in DECK.ballots if ballot.status is Status.MAIL}
    assert barred == {3, 13, 26, 35, 44, 45, 48, 52, 77, 88, 94, 109, 114, 137, 145, 156, 168, 171}
    assert mail == {6, 9, 16, 21, 34, 60, 61, 62, 105, 141, 153, 174}


def test_302_sequences_reach_216_positions_of_which_156_are_played() -> None:
    sequences = three_plies()
    positions = set(sequences)
    found = {position: DECK.find(position) for position in positions}
    ballots = [ballot for ballot in found.values() if ballot is not None]
    assert (len(sequences), len(positions), len(ballots)) == (302, 216, 174)
    assert sum(ballot.status is not Status.BARRED for ballot in ballots) == 156


def test_a_ballot_is_found_whatever_the_order_of_its_moves() -> None:
    assert DECK.find(reached("11-15", "23-19", "7-11")) == DECK.by_number(104)
    assert DECK.find(reached("10-15", "23-19", "7-10")) == DECK.by_number(104)


def test_every_ballot_is_found_by_its_own_moves() -> None:
    for ballot in DECK.ballots:
        assert DECK.find(reached(*ballot.moves)) is ballot


def test_a_ballot_is_found_in_the_variant_that_is_played_from_it() -> None:
    assert DECK.find(reached("9-13", "21-17", "5-9", variant="pro")) == DECK.by_number(1)


@pytest.mark.parametrize("variant", ["anti", "mule", "russian", "crowded"])
def test_other_laws_have_no_ballots_here(variant: str) -> None:
    position = Position.start(variant)
    for _ in range(3):
        position = position.play(position.legal_moves()[0])
        assert DECK.find(position) is None


def test_a_position_that_no_ballot_stands_for_is_not_found() -> None:
    assert DECK.find(Position.start("american")) is None
    assert DECK.find(reached("9-14", "21-17", "14x21")) is None


def test_names_are_kept() -> None:
    assert DECK.by_number(60).name == "Black Hole"
    assert DECK.by_number(137).name == "Shark"
    assert sum(bool(ballot.name) for ballot in DECK.ballots) == 26


@pytest.mark.parametrize("number", [0, 175, -1])
def test_a_number_that_is_not_in_the_deck_is_refused(number: int) -> None:
    with pytest.raises(KeyError, match="expected a ballot from 1 to 174"):
        DECK.by_number(number)


def test_the_deck_is_made_once() -> None:
    assert three_move_deck() is DECK
    assert isinstance(DECK, Deck)


def test_the_deck_is_that_of_the_sources() -> None:
    with data("ballots_3move.csv").open(newline="") as file:
        rows = [(row["number"], row["moves"], row["name"], row["status"]) for row in csv.DictReader(file)]
    ours = [(str(item.number), " ".join(item.moves), item.name, item.status.value) for item in DECK.ballots]
    assert ours == rows
