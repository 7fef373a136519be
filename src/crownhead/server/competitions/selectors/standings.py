"""The contest of a tournament and its current tables, kept by each process until something changes.

A large contest takes a while to be read, so its tables may be some seconds behind its games.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from crownhead.contest import Contest, Table, formats
from crownhead.contest import Pairing as PairingValue
from crownhead.server.competitions.models import Entrant, Pairing, Tournament
from crownhead.server.competitions.selectors.contest_rows import (
    Games,
    contest_of,
    entrants_of,
    games_by_pairing,
    key_of,
    pairing_of,
    rounds_of,
)
from crownhead.server.core import clock

MAX_KEPT = 100  # tournaments
MAX_PAIRINGS = 60_000  # of all that are kept together: about 60 MB
SMALL = 1000  # pairings: read again as soon as anything changes
REST = timedelta(milliseconds=2)  # for each pairing of a larger one, until it is read again


@dataclass(frozen=True)
class Sheet:
    """Who plays in some pairings: ``names`` and ``users`` by the keys of players.

    ``games``: the ids of the games, by round, table and number.
    """

    names: dict[str, str]
    users: dict[str, int]
    games: dict[tuple[int, int, int], str]


@dataclass(frozen=True)
class Standing(Sheet):
    """A contest with its tables, and all its players and games; ``ratings`` by the keys of its players."""

    contest: Contest
    tables: tuple[Table, ...]
    ratings: dict[str, int]

    def key_of(self, user_id: int | None) -> str | None:
        """The key of a user as a player."""
        return next((key for key, user in self.users.items() if user == user_id), None)

    @cached_property
    def meetings(self) -> dict[str, list[tuple[int, PairingValue]]]:
        """The pairings of each player, with the numbers of their rounds."""
        found: dict[str, list[tuple[int, PairingValue]]] = defaultdict(list)
        for number, pairing in self.contest.pairings():
            for key in pairing.players:
                found[key].append((number, pairing))
        return dict(found)

    @cached_property
    def running(self) -> list[str]:
        """The ids of the games that are played, by the better place of their players."""
        places = {row.player: row.place for table in self.tables for row in table.rows}
        last = len(places) + 1
        running = []
        for number, pairing in self.contest.pairings():
            for at, game in enumerate(pairing.games, start=1):
                key = self.games.get((number, pairing.table, game.number or at))
                if game.points is None and key:
                    best = min(places.get(player, last) for player in pairing.players)
                    running.append((best, number, pairing.table, key))
        return [key for *_, key in sorted(running)]


@dataclass(frozen=True, slots=True)
class _Kept:
    """A standing, of which version of its tournament it is, and until when it is shown for later ones."""

    standing: Standing
    status: str
    version: int
    pairings: int
    until: datetime


kept: OrderedDict[str, _Kept] = OrderedDict()  # by tournament, the one that was asked for last at the end


def standing_of(tournament: Tournament) -> Standing:
    """The standing of a tournament: the current one, or one of a few seconds ago where it is large."""
    found = kept.get(tournament.public_id)
    if found is None or not _is_good(found, tournament):
        found = kept[tournament.public_id] = _read(tournament)
        _forget_oldest()
    kept.move_to_end(tournament.public_id)
    return found.standing


def sheet_of(number: int, rows: Iterable[Pairing]) -> tuple[Sheet, list[PairingValue]]:
    """Some pairings of a round as values, and who plays in them; see ``selectors.pairings_to_show``."""
    sheet, pairings = Sheet({}, {}, {}), []
    for row in rows:
        games = list(row.games.all())
        pairings.append(pairing_of(row, games))
        for entrant in (row.first, row.second):
            if entrant is not None:
                sheet.names[key_of(entrant.pk)] = entrant.user.username
                sheet.users[key_of(entrant.pk)] = entrant.user_id
        for game in games:
            if game.game_id:
                sheet.games[number, row.table, game.number] = game.game_id
    return sheet, pairings


def _is_good(found: _Kept, tournament: Tournament) -> bool:
    """Whether a standing that is kept is of this version or a later one, or large and not yet old."""
    if found.status != tournament.status:
        return False
    return found.version >= tournament.version or (found.pairings > SMALL and clock.now() < found.until)


def _forget_oldest() -> None:
    while len(kept) > 1 and (
        len(kept) > MAX_KEPT or sum(one.pairings for one in kept.values()) > MAX_PAIRINGS
    ):
        kept.popitem(last=False)


def _read(tournament: Tournament) -> _Kept:
    standing = _compute(tournament)
    pairings = sum(len(made.pairings) for made in standing.contest.rounds)
    until = clock.now() + pairings * REST
    return _Kept(standing, tournament.status, tournament.version, pairings, until)


def _compute(tournament: Tournament) -> Standing:
    if not tournament.rounds_made:
        return Standing({}, {}, {}, contest_of(tournament, (), ()), (), {})
    entrants = entrants_of(tournament)
    names = Entrant.objects.filter(tournament=tournament).values_list("pk", "user__username")
    games = games_by_pairing(tournament)
    made = contest_of(tournament, entrants, rounds_of(tournament, games))
    return Standing(
        names={key_of(pk): name for pk, name in names},
        users={key_of(row.id): row.user_id for row in entrants},
        games=_game_ids(tournament, games),
        contest=made,
        tables=formats.standings(made) if made.rounds else (),
        ratings={key_of(row.id): row.rating for row in entrants},
    )


def _game_ids(tournament: Tournament, games: Games) -> dict[tuple[int, int, int], str]:
    rows = Pairing.objects.filter(round__tournament=tournament)
    places = rows.values_list("pk", "round__number", "table")
    return {
        (number, table, game.number): game.game_id
        for key, number, table in places
        for game in games.get(key, ())
        if game.game_id
    }
