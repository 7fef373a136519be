"""Tie-breaks come out as published tables and examples have them."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from crownhead.contest import Bye, Contest, Game, Pairing, Player, ResultKind, Round, Row
from crownhead.contest.tables import table
from crownhead.contest.tally import Meeting, Tally, tallies
from crownhead.contest.tie_breaks import TIE_BREAKS, TieBreakContext

# Hamilton Chess Club, championship of 2018, hamiltonchess.net/2018/04/11/richard-on-tie-break: per player and
# round the result, the colour and the opponent, as published. Two players were absent once (0). The page has
# half a point less for player 20 than the results add up to.
HAMILTON = """
 1 5.5 +W10 +B17 +W12 =W2 +B4 +B3
 2 5.5 +B27 +W16 +W9 =B1 +W8 +B10
 3 4.0 =BYE +W11 +B6 =W4 +B5 -W1
 4 4.0 +W22 +B15 =W8 =B3 -W1 +B13
 5 4.0 -W16 +B14 +W22 +B15 -W3 +B8
 6 4.0 -W21 +B27 -W3 +B23 +W16 +B14
 7 4.0 -W9 -B23 +W27 +B19 +W15 +B12
 8 3.5 +B25 +W21 =B4 +W13 -B2 -W5
 9 3.5 +B7 +W13 -B2 =BYE +W18 0
10 3.5 -B1 +W25 +W26 =B12 +B17 -W2
11 3.5 =BYE -B3 -W14 +B25 +W20 +W17
12 3.0 +B20 +W18 -B1 =W10 =B14 -W7
13 3.0 +W23 -B9 +W19 -B8 +W21 -W4
14 3.0 =BYE -W5 +B11 +B22 =W12 -W6
15 3.0 +B26 -W4 +B21 -W5 -B7 +W24
16 3.0 +B5 -B2 -W17 +W24 -B6 +B22
17 2.5 +B24 -W1 +B16 =BYE -W10 -B11
18 2.5 +W19 -B12 +W23 =BYE -B9 0
19 2.5 -B18 +W20 -B13 -W7 =B25 +W21
20 2.5 -W12 -B19 =W25 +B27 -B11 +W26
21 2.0 +B6 -B8 -W15 +W26 -B13 -B19
22 2.0 -B4 +W24 -B5 -W14 +B26 -W16
23 2.0 -B13 +W7 -B18 -W6 -B24 +W27
24 2.0 -W17 -B22 +BYE -B16 +W23 -B15
25 2.0 -W8 -B10 =B20 -W11 =W19 +BYE
26 1.0 -W15 +BYE -B10 -B21 -W22 -B20
27 1.0 -W2 -W6 -B7 -W20 +BYE -B23
"""
_POINTS = {"+": 2, "=": 1, "-": 0}


def hamilton() -> dict[str, Tally]:
    """The tallies of the published table, checked against its points."""
    found = {}
    for line in HAMILTON.strip().splitlines():
        number, points, *cells = line.split()
        meetings = tuple(_meeting(place, cell) for place, cell in enumerate(cells, 1))
        found[number] = Tally(number, meetings)
        assert found[number].points == 2 * float(points)
    return found


def _meeting(number: int, cell: str) -> Meeting:
    if cell == "0":
        return Meeting(number, None, 0, 0, 1, bye=Bye.ABSENT)
    points = _POINTS[cell[0]]
    if cell.endswith("BYE"):
        return Meeting(number, None, points, 0, 1, bye=Bye.ODD if points == 2 else Bye.ASKED)
    return Meeting(
        number,
        cell[2:],
        points,
        2 - points,
        1,
        wins=points == 2,
        draws=points == 1,
        losses=points == 0,
        firsts=cell[1] == "W",
        second_wins=cell[1] == "B" and points == 2,
    )


@pytest.mark.parametrize(
    ("key", "first", "second"),
    [
        ("direct", "½", "½"),
        ("progressive", "19½", "19½"),
        ("buchholz", "22½", "20"),
        ("sonneborn-berger", "19¾", "17¼"),
        ("cut-1", "20", "19½"),
    ],
)
def test_the_two_winners_of_hamilton_have_their_published_values(key: str, first: str, second: str) -> None:
    context = TieBreakContext.of(hamilton()).among("12")
    tie_break = TIE_BREAKS[key]
    assert [tie_break.format(tie_break.value(player, context)) for player in "12"] == [first, second]


def test_buchholz_parts_the_two_winners_of_hamilton() -> None:
    rows = table(hamilton(), ("direct", "progressive", "buchholz")).rows
    assert [(row.place, row.player, row.sharing) for row in rows[:2]] == [(1, "1", 1), (2, "2", 1)]


# FIDE's handbook until 2022, and the committee's examples of 2012 (chesschat.org, thread 14381).
def _absent(number: int, points: int) -> Meeting:
    return Meeting(number, "x", points, 2 - points, 1)  # a forfeit: nobody has won or lost on the board


def _drawn(number: int) -> Meeting:
    return Meeting(number, "y", 1, 1, 1, draws=1)


def _won(number: int) -> Meeting:
    return Meeting(number, "y", 2, 0, 1, wins=1)


def test_a_win_without_a_game_counts_as_in_the_committees_first_example() -> None:
    # Nine rounds, two points after the second, a forfeit won in the third: it gives five points of Buchholz.
    before, after = [_won(1), _won(2)], [_drawn(n) for n in range(4, 10)]
    tally = Tally("a", (*before, _absent(3, 2), *after))
    assert tally.points == 12
    context = TieBreakContext.of({"a": tally, "b": Tally("b", (Meeting(1, "a", 0, 2, 1, losses=1),))})
    assert TIE_BREAKS["buchholz"].value("a", context) == 10
    assert TIE_BREAKS["buchholz"].value("b", context) == 11, "five and a half points for the opponents"


def test_an_absence_counts_as_in_the_committees_second_example() -> None:
    # Six points of nine, four of them before the absence in the seventh round: six points of Buchholz.
    before = [_won(1), _won(2), _won(3), _drawn(4), _drawn(5), Meeting(6, "y", 0, 2, 1, losses=1)]
    tally = Tally("b", (*before, _absent(7, 0), _won(8), _won(9)))
    assert tally.points == 12
    context = TieBreakContext.of({"b": tally, "a": Tally("a", (Meeting(1, "b", 0, 2, 1, losses=1),))})
    assert TIE_BREAKS["buchholz"].value("b", context) == 12
    assert TIE_BREAKS["buchholz"].value("a", context) == 13, "six and a half points for the opponents"


@pytest.mark.parametrize(("rounds", "expected"), [(3, 5), (9, 11)])
def test_a_no_show_meets_a_virtual_opponent_as_in_the_handbook(rounds: int, expected: int) -> None:
    # Its example: a point and a half after two rounds, absent in the third: 2.5 then, 5.5 after nine.
    tally = Tally("p", (_won(1), _drawn(2), _absent(3, 0)))
    context = replace(TieBreakContext.of({"p": tally}), rounds=rounds)
    assert TIE_BREAKS["buchholz"].value("p", context) == expected


def test_sonneborn_berger_adds_up_as_in_a_published_double_round() -> None:
    # fiveinline.com/sbps.html, example 1: 11, 9, 6 and 4.
    both = {"AB": "10", "AC": "11", "AD": "10", "BC": "10", "BD": "11", "CD": "11"}
    first = {"AB": 1, "AC": 1, "AD": 1, "BC": 1, "BD": 1, "CD": 1}
    second = {"AB": 0, "AC": 1, "AD": 0, "BC": 0, "BD": 1, "CD": 1}
    assert all(len(results) == 2 for results in both.values())
    rounds = [
        Round(
            number,
            tuple(
                Pairing(place, pair[0], pair[1], games=(Game(pair[0], pair[1], (2, 0) if won else (0, 2)),))
                for place, (pair, won) in enumerate(results.items(), 1)
            ),
        )
        for number, results in enumerate((first, second), 1)
    ]
    made = table(tallies(Contest("x", tuple(map(Player, "ABCD")), tuple(rounds))), ("sonneborn-berger",))
    values = {row.player: TIE_BREAKS["sonneborn-berger"].format(row.values[0]) for row in made.rows}
    assert values == {"A": "11", "B": "9", "C": "6", "D": "4"}
    assert [row.place for row in made.rows] == [1, 2, 3, 4]


# ------------------------------------------------------------------------------- by hand
def games(*rounds: str, players: str = "abcd") -> Contest:
    """A contest from texts such as ``a+b c=d``: first side, result for the first side, second side."""
    made = []
    for number, text in enumerate(rounds, 1):
        pairings = []
        for place, cell in enumerate(text.split(), 1):
            match = re.fullmatch(r"(\w)([+=\-!])(\w)", cell)
            assert match is not None
            one, result, other = match.groups()
            points = {"+": (2, 0), "=": (1, 1), "-": (0, 2), "!": (2, 0)}[result]
            how = ResultKind.FORFEIT if result == "!" else ResultKind.PLAYED
            pairings.append(Pairing(place, one, other, games=(Game(one, other, points, how),)))
        made.append(Round(number, tuple(pairings)))
    return Contest("x", tuple(map(Player, players)), tuple(made))


def ranked(contest: Contest, *columns: str) -> list[Row]:
    return list(table(tallies(contest), columns).rows)


def test_of_two_equal_players_the_one_who_beat_the_other_comes_first() -> None:
    contest = games("a+b c+d", "b+c d+a", "a=c b=d")
    rows = ranked(contest, "direct")
    assert [(row.player, row.points) for row in rows] == [("a", 3), ("b", 3), ("c", 3), ("d", 3)]
    assert {row.place for row in rows} == {1}, "three each in the games of all four"
    rows = ranked(games("a+b c+d", "b+c a-d", "a+c d-b"), "direct")
    assert [(row.player, row.place) for row in rows[:2]] == [("a", 1), ("b", 2)]


def test_a_direct_encounter_counts_only_if_all_equals_have_met() -> None:
    rows = ranked(games("a+c b+d"), "direct")
    assert [(row.player, row.place, row.sharing) for row in rows[:2]] == [("a", 1, 2), ("b", 1, 2)]


def test_wins_count_on_the_board_alone() -> None:
    rows = ranked(games("a!b c+d"), "wins")
    assert [(row.player, row.place) for row in rows] == [("c", 1), ("a", 2), ("b", 3), ("d", 3)]


def test_wins_with_the_second_side_part_equal_wins() -> None:
    rows = ranked(games("a+b d-c"), "wins", "second-wins")
    assert [(row.player, row.values) for row in rows[:2]] == [("c", (1, 1)), ("a", (1, 0))]


def test_koya_counts_points_against_the_strong_half() -> None:
    contest = games("a+b c=d", "a=c b+d", "a=d b+c")
    context = TieBreakContext.of(tallies(contest)).among("ab")
    assert [TIE_BREAKS["koya"].value(player, context) for player in "ab"] == [2, 0]
    even = games("a+b c+d", "a-c b+d", "a+d b=c")
    context = TieBreakContext.of(tallies(even)).among("ac")
    assert [TIE_BREAKS["koya"].value(player, context) for player in "abc"] == [2, 1, 3]


def test_the_median_leaves_out_the_best_and_the_worst_opponent() -> None:
    contest = games("a+b c=d", "a=c b+d", "a=d b+c")
    context = TieBreakContext.of(tallies(contest)).among("a")
    met = [4, 2, 2]
    assert TIE_BREAKS["buchholz"].value("a", context) == sum(met)
    assert TIE_BREAKS["median"].value("a", context) == 2
    assert TIE_BREAKS["cut-1"].value("a", context) == 6


def test_a_player_who_is_equal_to_the_end_shares_the_place_and_the_next_is_left_out() -> None:
    rows = ranked(games("a+b c+d"), "wins", "buchholz")
    assert [(row.place, row.sharing) for row in rows] == [(1, 2), (1, 2), (3, 2), (3, 2)]


def test_every_tie_break_has_a_name_and_a_sentence() -> None:
    for tie_break in TIE_BREAKS.values():
        assert tie_break.name
        assert tie_break.text.endswith(".")
        assert tie_break.unit in (1, 2, 4)


@pytest.mark.parametrize(
    ("key", "value", "text"),
    [("buchholz", 45, "22½"), ("buchholz", 0, "0"), ("sonneborn-berger", 3, "¾"), ("wins", 7, "7")],
)
def test_a_value_is_written_in_points(key: str, value: int, text: str) -> None:
    assert TIE_BREAKS[key].format(value) == text
