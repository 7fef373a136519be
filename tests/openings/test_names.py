"""Openings with names: defined by moves that can be played, found by position, and known for real games."""

from __future__ import annotations

import csv
import gzip
from importlib.resources import files

import pytest

from crownhead import Game, Position
from crownhead.openings import (
    named_openings,
    opening_name,
    opening_names,
    opening_of,
    opening_plies,
    three_move_deck,
    two_move_deck,
)
from tests.notation.files import PROJECT

GAMES = PROJECT / "suites" / "openings"
VARIANTS = ("american", "russian", "international")


def reached(moves: str, variant: str = "american") -> Position:
    position = Position.start(variant)
    for move in moves.split():
        position = position.play(move)
    return position


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_opening_has_a_position_of_its_own_and_a_source(variant: str) -> None:
    openings = named_openings(variant).ballots
    assert len({opening.position(variant) for opening in openings}) == len(openings)
    assert [opening.number for opening in openings] == list(range(1, len(openings) + 1))
    text = files("crownhead.openings").joinpath(f"{variant}_names.csv").read_text(encoding="utf-8")
    comments = [line for line in text.splitlines() if line.startswith("#")]
    rows = csv.DictReader(line for line in text.splitlines() if not line.startswith("#"))
    sources = {row["source"] for row in rows}
    assert sources
    assert all(any(f"{source} = " in comment for comment in comments) for source in sources)


def test_a_variant_whose_openings_have_no_names_here_is_refused() -> None:
    with pytest.raises(KeyError, match="american, international, russian"):
        named_openings("turkish")


@pytest.mark.parametrize(
    ("moves", "name"),
    [
        ("11-15 23-19 8-11 22-17 9-13", "Laird and Lady"),
        ("11-15 22-17 8-11 23-19 9-13", "Laird and Lady"),
        ("11-15 23-19 8-11 22-17 15-18", "Centre"),
        ("11-15 23-18", "Cross"),
        ("11-15 23-19 7-11 22-17 9-14", "Whilter"),
        ("11-15 24-20", "Ayrshire Lassie"),
        ("10-15 23-18", "Kelso Cross"),
        ("9-13 22-18 11-15", "Edinburgh Single"),
        ("9-13 21-17 5-9", "Edinburgh"),
        ("9-13 24-20 11-15", "Ayrshire Lassie"),  # 11-15 24-20 9-13
        ("9-13 21-17 11-15", "Switcher"),
        ("", None),
        ("11-15 23-19 8-11 22-17 4-8 17-13", None),
    ],
)
def test_an_opening_is_named_whatever_the_order_of_its_moves(moves: str, name: str | None) -> None:
    assert opening_name(reached(moves)) == name


@pytest.mark.parametrize("deck", [two_move_deck, three_move_deck])
def test_every_ballot_has_a_name(deck: object) -> None:
    assert callable(deck)
    assert [opening_name(ballot.position("american")) for ballot in deck().ballots if not ballot.name] != []
    assert all(opening_name(ballot.position("american")) for ballot in deck().ballots)


@pytest.mark.parametrize(
    ("variant", "moves", "name"),
    [
        ("russian", "cd4 dc5 bc3 fg5", "Городская партия"),
        ("poddavki", "cd4 dc5 bc3 fg5", None),
        ("brazilian", "c3-d4 d6-c5 b2-c3 f6-g5", None),
        ("russian", "gh4 fe5 cb4 ef4 eg5 hf4", "Обратный кол"),
        ("russian", "cd4 fg5 dc5 bd4 ec5 db4 ac5 gf6", "Тычок"),
        ("russian", "cd4 fg5 dc5 bd4 ec5 db4 ac5 gf4", "Жертва Кукуева"),
        ("russian", "cd4 fg5 bc3 gh4 cb4 de5 df6 ge5", "Игра Когана"),
        ("russian", "cd4 fg5 bc3 gh4 cb4 de5 df6 eg5", "Защита Святого — Коршунова"),
        ("russian", "cd4 de5 bc3 ed6 ef4", None),
        ("russian", "cd4 de5 bc3 ed6", "Перекрёсток"),
        ("russian", "cb4 fe5 bc5 bd4 ec5 db4 ac5", "Тычок"),
        ("russian", "cb4 fg5 bc5 bd4 ec5 db4 ac5", "Тычок"),
        ("russian", "cb4 fg5 gf4 gf6 bc3 gh4 ba5 bc5", "Классический косяк"),
        ("russian", "cd4 dc5 gh4 cd6", "Отыгрыш Сокова"),
        ("russian", "cd4", None),
        ("international", "32-28", "Raphaël"),
        ("international", "32-28 18-23", "Chefneux"),
        ("international", "32-28 17-21 37-32 11-17 31-26 18-22 41-37 7-11", "The Black Panther"),
        ("international", "33-29", None),
        ("frisian", "32-28 18-23", None),
        ("pro", "11-15 23-18", "Cross"),
        ("anti", "11-15 23-18", None),
    ],
)
def test_a_name_belongs_to_a_variant(variant: str, moves: str, name: str | None) -> None:
    assert opening_name(reached(moves, variant)) == name


@pytest.mark.parametrize("variant", [*VARIANTS, "pro", "anti", "italian"])
def test_names_are_listed_by_position_for_the_rules_that_have_them(variant: str) -> None:
    names = opening_names(variant)
    assert bool(names) is (variant in {*VARIANTS, "pro"})
    assert all(opening_name(Position.from_fen(fen, variant)) == name for fen, name in names.items())


def test_a_game_has_the_last_name_on_its_way() -> None:
    game = Game("american")
    assert opening_of(game) is None
    seen = []
    for move in ("11-15", "22-17", "8-11", "23-19", "4-8", "17-13", "15-18"):
        game.push(move)
        opening = opening_of(game)
        assert opening is not None
        seen.append(opening.name)
    assert seen == [*["Old Faithful"] * 4, *["Old Fourteenth"] * 3]


def test_a_longer_line_has_the_name_and_what_has_none_keeps_the_name_before() -> None:
    game = Game("international")
    seen = []
    for move in "32-28 18-23 33-29 23x32 37x28 20-25 39-33 14-20 44-39 19-24 38-32".split():
        game.push(move)
        opening = opening_of(game)
        assert opening is not None
        seen.append(opening.name)
    assert seen == ["Raphaël", *["Chefneux"] * 4, *["The Fox"] * 4, *["The Fox: Marchand de Bois"] * 2]


@pytest.mark.parametrize(
    ("variant", "plies"), [("american", 9), ("pro", 9), ("international", 22), ("frisian", 0)]
)
def test_the_longest_opening_of_a_variant_is_known(variant: str, plies: int) -> None:
    assert opening_plies(variant) == plies


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_name_of_a_variation_continues_its_opening(variant: str) -> None:
    names = {opening.name for opening in named_openings(variant).ballots}
    families = {name.partition(":")[0] for name in names if ":" in name}
    assert all({family, f"{family} Opening"} & names for family in families)


@pytest.mark.parametrize(
    ("variant", "games", "named", "beyond_the_first_move"),
    [("american", 7541, 7541, 4365), ("russian", 419, 194, 194), ("international", 821, 714, 338)],
)
def test_real_games_have_names(variant: str, games: int, named: int, beyond_the_first_move: int) -> None:
    with gzip.open(GAMES / f"{variant}.tsv.gz", "rt", encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith("#")]
    all_games = with_name = beyond = 0
    for row in csv.DictReader(lines, delimiter="\t"):
        count = int(row["games"])
        opening = opening_of(Game(variant, opening=row["moves"].split()))
        all_games += count
        with_name += count if opening is not None else 0
        beyond += count if opening is not None and len(opening.moves) > 1 else 0
    assert all_games == games
    assert with_name >= named
    assert beyond >= beyond_the_first_move
