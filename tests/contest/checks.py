"""What must hold of a contest and its tables, whatever the format."""

from __future__ import annotations

from collections import Counter

from crownhead.contest import Contest, Round, Table
from tests.contest.play import Club, totals


def meetings(contest: Contest) -> Counter[frozenset[str]]:
    """Count how often each two players were paired."""
    return Counter(frozenset(pairing.players) for _, pairing in contest.pairings() if pairing.second)


def really_met(contest: Contest) -> Counter[frozenset[str]]:
    """Count how often each two players have played at least one game."""
    return Counter(
        frozenset(pairing.players)
        for _, pairing in contest.pairings()
        if pairing.second and any(game.counted for game in pairing.games)
    )


def points_are_conserved(club: Club, made: Table) -> None:
    """Check that the table has all points: two for each game, none if both players were absent."""
    given = totals(club.contest)
    for row in made.rows:
        assert row.points == given[row.player]
    for _, pairing in club.contest.pairings():
        for game in pairing.games:
            assert game.points is not None
            assert sum(game.points) == 2 or (game.points == (0, 0) and not game.counted)


def places_are_sound(made: Table) -> None:
    """Check that places are in order, shared places are marked, and the following ones are skipped."""
    counted = Counter(row.place for row in made.rows)
    expected = 1
    for place, many in sorted(counted.items()):
        assert place == expected
        expected += many
    assert all(row.sharing == counted[row.place] for row in made.rows)


def once_in_each_round(made: Round) -> None:
    there = Counter(key for pairing in made.pairings for key in pairing.players)
    assert set(there.values()) == {1}


def sides(contest: Contest) -> dict[str, list[bool]]:
    """Return, for each player and played game, whether they had the first side."""
    found: dict[str, list[bool]] = {player.key: [] for player in contest.players}
    for _, pairing in contest.pairings():
        for game in pairing.games:
            if game.counted:
                found[game.first].append(True)
                found[game.second].append(False)
    return found


def balance(had: list[bool]) -> int:
    return abs(2 * sum(had) - len(had))
