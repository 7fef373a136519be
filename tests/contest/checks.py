"""What must hold of a contest and its tables, whatever the format."""

from __future__ import annotations

from collections import Counter

from crownhead.contest import Contest, Round, Table
from tests.contest.play import Club, totals


def meetings(contest: Contest) -> Counter[frozenset[str]]:
    """How often each two were paired."""
    return Counter(frozenset(pairing.players) for _, pairing in contest.pairings() if pairing.second)


def really_met(contest: Contest) -> Counter[frozenset[str]]:
    """How often each two have played at least a game."""
    return Counter(
        frozenset(pairing.players)
        for _, pairing in contest.pairings()
        if pairing.second and any(game.counted for game in pairing.games)
    )


def points_are_conserved(club: Club, made: Table) -> None:
    """The table has all points that were given: two for each game, none for those that both have missed."""
    given = totals(club.contest)
    for row in made.rows:
        assert row.points == given[row.player]
    for _, pairing in club.contest.pairings():
        for game in pairing.games:
            assert game.points is not None
            assert sum(game.points) == 2 or (game.points == (0, 0) and not game.counted)


def places_are_sound(made: Table) -> None:
    """Places go down, who shares one says so, and the places after it are left out."""
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
    """For each player, whether he had the first side, game by game, where there was one."""
    found: dict[str, list[bool]] = {player.key: [] for player in contest.players}
    for _, pairing in contest.pairings():
        for game in pairing.games:
            if game.counted:
                found[game.first].append(True)
                found[game.second].append(False)
    return found


def balance(had: list[bool]) -> int:
    return abs(2 * sum(had) - len(had))
