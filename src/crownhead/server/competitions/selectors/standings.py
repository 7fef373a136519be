"""The tables of a tournament, kept by each process until something changes, and some of its pairings.

A large contest takes a while to be read, so its tables may be some seconds behind its games. Once it is over
its tables are stored. Of a large one, or one that is over, only the tables are kept: its pairings are read as
far as a page shows them.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cached_property
from threading import Lock
from weakref import WeakValueDictionary

from django.db.models import Count, Q, QuerySet

from crownhead.contest import Contest, Round, Table, formats
from crownhead.contest import Pairing as PairingValue
from crownhead.server.competitions.models import Entrant, Pairing, Status, Tournament
from crownhead.server.competitions.selectors.contest_rows import (
    Games,
    contest_of,
    entrants_of,
    games_by_pairing,
    games_of,
    key_of,
    pairing_of,
    rounds_of,
    some_rounds,
)
from crownhead.server.competitions.selectors.final_tables import stored
from crownhead.server.core import clock

MAX_KEPT = 100  # tournaments
MAX_PAIRINGS = 60_000  # and rows of tables, of all that are kept together: about 60 MB
SMALL = 1000  # pairings, or games: read again as soon as anything changes
REST = timedelta(milliseconds=2)  # for each pairing of a larger one, until it is read again
NAMES_LAST = timedelta(minutes=1)  # until the names in tables that no longer change are looked up again
RUNNING_NAMES_LAST = timedelta(
    minutes=10
)  # the same in those of a tournament that goes on, if nothing changes


@dataclass(frozen=True)
class Sheet:
    """Who plays in some pairings: ``names`` and ``users`` by the keys of players.

    ``games``: the ids of the games, by round, table and number.
    """

    names: dict[str, str]
    users: dict[str, int]
    games: dict[tuple[int, int, int], str]


@dataclass(frozen=True, slots=True)
class Some:
    """The pairings that somebody wants: of some players, and in sections, each by its round and number."""

    players: frozenset[str] = frozenset()
    sections: frozenset[tuple[int, int]] = frozenset()


@dataclass(frozen=True)
class Standing(Sheet):
    """A contest with its tables, and all its players and games; ``ratings`` by the keys of its players.

    ``running``: the ids of the games that are played, by the better place of their players. ``source``: the
    tournament of which pairings have to be read: see ``showing``; None if they are all there.
    """

    contest: Contest
    tables: tuple[Table, ...]
    ratings: dict[str, int]
    running: tuple[str, ...] = ()
    source: int | None = None
    parts: dict[Some, Standing] = field(default_factory=dict, compare=False)

    def key_of(self, user_id: int | None) -> str | None:
        """The key of a user as a player."""
        return next((key for key, user in self.users.items() if user == user_id), None)

    def showing(self, some: Some) -> Standing:
        """The standing with these pairings, at least, and their games."""
        if self.source is None:
            return self
        if some not in self.parts:
            numbers = [made.number for made in self.contest.rounds]
            rows = (found.filter(round__number__in=numbers) for found in _rows_of(self.source, some))
            rounds, games = some_rounds(numbers, rows)
            contest = replace(self.contest, rounds=rounds)
            self.parts[some] = replace(self, contest=contest, games=games, source=None, parts={})
        return self.parts[some]

    def without_pairings(self, tournament: Tournament) -> Standing:
        """The same, whose pairings are read when they are shown."""
        rounds = tuple(Round(made.number, ()) for made in self.contest.rounds)
        return replace(
            self, contest=replace(self.contest, rounds=rounds), games={}, source=tournament.pk, parts={}
        )

    @cached_property
    def sizes(self) -> dict[tuple[int, int], int]:
        """How many pairings there are, by round and section."""
        if self.source is None:
            return Counter((number, pairing.section) for number, pairing in self.contest.pairings())
        numbers = [made.number for made in self.contest.rounds]  # others may have been made since
        rows = Pairing.objects.filter(round__tournament=self.source, round__number__in=numbers).order_by()
        counted = rows.values("round__number", "section").annotate(count=Count("pk"))
        sizes = counted.values_list("round__number", "section", "count")
        return {(number, section): size for number, section, size in sizes}

    @cached_property
    def pairings(self) -> int:
        """How many pairings of it, or games, are in memory, without its parts."""
        return size_of(self.contest)

    @property
    def weight(self) -> int:
        """How many rows of tables, and pairings or games, are in memory."""
        rows = sum(len(table.rows) for table in self.tables)
        return rows + self.pairings + sum(part.pairings for part in [*self.parts.values()])

    @cached_property
    def meetings(self) -> dict[str, list[tuple[int, PairingValue]]]:
        """The pairings of each player, with the numbers of their rounds."""
        found: dict[str, list[tuple[int, PairingValue]]] = defaultdict(list)
        for number, pairing in self.contest.pairings():
            for key in pairing.players:
                found[key].append((number, pairing))
        return dict(found)


@dataclass(frozen=True, slots=True)
class _Kept:
    """A standing, of which version of its tournament it is, and until when it is shown for later ones.

    ``size``: of how many pairings, or games; ``ends``: when it is no longer shown, whatever has happened.
    """

    standing: Standing
    status: str
    version: int
    size: int
    until: datetime
    ends: datetime


kept: OrderedDict[str, _Kept] = OrderedDict()  # by tournament, the one that was asked for last at the end
_keeping = Lock()  # changes what is kept, and who reads
_readers: WeakValueDictionary[str, Lock] = WeakValueDictionary()  # held by who reads, by tournament


def standing_of(tournament: Tournament) -> Standing:
    """The standing of a tournament: the current one, or one of a few seconds ago where it is large.

    While a thread reads it, others are given the one before if there is one, and wait otherwise.
    """
    key = tournament.public_id
    found = kept.get(key)
    if found is not None and _is_good(found, tournament):
        _keep(key, found)
        return found.standing
    may_be_old = found is not None and found.status == tournament.status and found.size > SMALL
    with _keeping:
        lock = _readers.setdefault(key, Lock())
    if lock.acquire(blocking=not may_be_old):
        try:
            found = kept.get(key)  # another thread may have read it while we waited
            if found is None or not _is_good(found, tournament):
                found = _read(tournament)
                _keep(key, found, is_new=True)
        finally:
            lock.release()
    assert found is not None
    return found.standing


def size_of(contest: Contest) -> int:
    """How many pairings there are, of which each counts for as many as it has games."""
    return sum(max(len(pairing.games), 1) for _number, pairing in contest.pairings())


def sheet_of(number: int, rows: Iterable[Pairing]) -> tuple[Sheet, list[PairingValue]]:
    """Some pairings of a round as values, and who plays in them; see ``selectors.pairings_to_show``."""
    shown = list(rows)
    played = games_of([row.pk for row in shown])
    sheet, pairings = Sheet({}, {}, {}), []
    for row in shown:
        games = played.get(row.pk, [])
        pairings.append(pairing_of(row, games))
        for entrant in (row.first, row.second):
            if entrant is not None:
                sheet.names[key_of(entrant.pk)] = entrant.user.username
                sheet.users[key_of(entrant.pk)] = entrant.user_id
        for game in games:
            if game.game_id:
                sheet.games[number, row.table, game.number] = game.game_id
    return sheet, pairings


def _rows_of(tournament_id: int, some: Some) -> Iterator[QuerySet[Pairing]]:
    """The pairings of players, which indexes find, and those of sections."""
    players = [int(key) for key in some.players]
    if players:
        yield Pairing.objects.filter(Q(first__in=players) | Q(second__in=players))
    sections: dict[int, list[int]] = defaultdict(list)
    for number, section in sorted(some.sections):
        sections[number].append(section)
    if sections:
        wanted = Q()
        for number, these in sections.items():
            wanted |= Q(round__number=number, section__in=these)
        rows = Pairing.objects.filter(round__tournament=tournament_id, round__number__in=[*sections])
        yield rows.filter(wanted)


def _is_good(found: _Kept, tournament: Tournament) -> bool:
    """Whether a standing that is kept is of this version or a later one, or large and not yet old."""
    now = clock.now()
    if found.status != tournament.status or found.ends <= now:
        return False
    return found.version >= tournament.version or (found.size > SMALL and now < found.until)


def _keep(key: str, found: _Kept, *, is_new: bool = False) -> None:
    """Keep a standing that was asked for: a new one in the place of the one before."""
    with _keeping:
        if is_new:
            kept[key] = found
        if key in kept:
            kept.move_to_end(key)
        if is_new:
            _forget_oldest()


def _forget_oldest() -> None:
    """Keep no more than there is room for, and large ones that have yet to be shown for later versions."""
    weights = {key: one.standing.weight for key, one in kept.items()} if len(kept) > 1 else {}
    weight, now = sum(weights.values()), clock.now()
    for key in list(kept)[:-1]:
        if len(kept) <= MAX_KEPT and weight <= MAX_PAIRINGS:
            return
        one = kept[key]
        is_costly = one.size > SMALL and one.status != Status.FINISHED
        if not is_costly or one.until <= now:
            del kept[key]
            weight -= weights[key]


def _read(tournament: Tournament) -> _Kept:
    is_over = tournament.status == Status.FINISHED and tournament.rounds_made > 0
    found = stored(tournament) if is_over else None
    if found is not None:
        tables, size = found
        standing = _with_tables(tournament, tables)
    else:
        standing = computed(tournament)
        size = size_of(standing.contest)
        if is_over or size > SMALL:
            standing = standing.without_pairings(tournament)
    now = clock.now()
    ends = now + (NAMES_LAST if found is not None else RUNNING_NAMES_LAST)
    return _Kept(standing, tournament.status, tournament.version, size, now + size * REST, ends)


def _with_tables(tournament: Tournament, tables: tuple[Table, ...]) -> Standing:
    """A standing with tables that are stored."""
    rounds = [Round(number, ()) for number in range(1, tournament.rounds_made + 1)]
    return replace(_described(tournament, rounds, {}), tables=tables, source=tournament.pk)


def _described(tournament: Tournament, rounds: Iterable[Round], games: Games) -> Standing:
    """The players and rounds, without tables."""
    entrants = entrants_of(tournament)
    names = Entrant.objects.filter(tournament=tournament).values_list("pk", "user__username")
    return Standing(
        names={key_of(pk): name for pk, name in names},
        users={key_of(row.id): row.user_id for row in entrants},
        games=_game_ids(tournament, games) if games else {},
        contest=contest_of(tournament, entrants, rounds),
        tables=(),
        ratings={key_of(row.id): row.rating for row in entrants},
    )


def computed(tournament: Tournament) -> Standing:
    """The standing from all pairings and games, whatever is kept or stored."""
    if not tournament.rounds_made:
        return Standing({}, {}, {}, contest_of(tournament, (), ()), (), {})
    games = games_by_pairing(tournament)
    standing = _described(tournament, rounds_of(tournament, games), games)
    made = standing.contest
    standing = replace(standing, tables=formats.standings(made) if made.rounds else ())
    return replace(standing, running=tuple(_running(standing)))


def _running(standing: Standing) -> Iterator[str]:
    places = {row.player: row.place for table in standing.tables for row in table.rows}
    last = len(places) + 1
    running = []
    for number, pairing in standing.contest.pairings():
        for at, game in enumerate(pairing.games, start=1):
            key = standing.games.get((number, pairing.table, game.number or at))
            if game.points is None and key:
                best = min(places.get(player, last) for player in pairing.players)
                running.append((best, number, pairing.table, key))
    return (key for *_, key in sorted(running))


def _game_ids(tournament: Tournament, games: Games) -> dict[tuple[int, int, int], str]:
    rows = Pairing.objects.filter(round__tournament=tournament)
    places = rows.values_list("pk", "round__number", "table")
    return {
        (number, table, game.number): game.game_id
        for key, number, table in places
        for game in games.get(key, ())
        if game.game_id
    }
