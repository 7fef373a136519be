"""Conversion between the models and the values of ``crownhead.contest``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar, cast

from django.db.models import Exists, Model, OuterRef, Q, QuerySet

from crownhead import contest
from crownhead.contest import Bye, Contest, Game, ResultKind
from crownhead.server.competitions.models import Entrant, Pairing, PairingGame, Round, Tournament
from crownhead.server.core.batches import batched

M = TypeVar("M", bound=Model)

Games = dict[int, list[PairingGame]]  # by pairing
GameIds = dict[tuple[int, int, int], str]  # by round, table and number
Rounds = tuple[contest.Round, ...]

_AT_ONCE = 500  # pairings whose games one query asks for


def load(tournament: Tournament) -> Contest:
    """A tournament as a ``contest`` value; players have the keys of their entrants."""
    return contest_of(
        tournament, entrants_of(tournament), rounds_of(tournament, games_by_pairing(tournament))
    )


def load_schedule(tournament: Tournament) -> Contest:
    """The contest with as much of its rounds as the next one of a schedule follows from.

    That is what players had played who left: see ``Format.scheduled``.
    """
    entrants = entrants_of(tournament)
    gone = [row.id for row in entrants if row.left is not None]
    played = PairingGame.objects.filter(pairing=OuterRef("pk"), replaced=False, first_points__isnull=False)
    theirs = Pairing.objects.filter(
        Q(first__in=gone) | Q(second__in=gone), Exists(played), round__number__lte=tournament.rounds_made
    )
    rows = theirs.select_related("round").prefetch_related("games") if gone else ()
    made: dict[int, list[contest.Pairing]] = {number: [] for number in range(1, tournament.rounds_made + 1)}
    for row in rows:
        counting = sorted(
            (game for game in row.games.all() if not game.replaced), key=lambda game: game.number
        )
        made[row.round.number].append(pairing_of(row, counting))
    rounds = (contest.Round(number, tuple(pairings)) for number, pairings in made.items())
    return contest_of(tournament, entrants, rounds)


def entrants_of(tournament: Tournament) -> list[Entrant]:
    """Everybody who has entered, also those who left, in the order of their keys."""
    return _plain(Entrant.objects.filter(tournament=tournament).order_by("pk"))


def contest_of(
    tournament: Tournament, entrants: Iterable[Entrant], rounds: Iterable[contest.Round]
) -> Contest:
    """The contest, from entrants and rounds that are already loaded."""
    return Contest(
        format=tournament.format,
        players=tuple(map(player_of, entrants)),
        rounds=tuple(rounds),
        options=tournament.options,
        dice=tournament.dice,
        closed=tournament.closed,
    )


def player_of(entrant: Entrant) -> contest.Player:
    """An entrant as a player."""
    return contest.Player(
        key=key_of(entrant.id),
        seed=entrant.seed,
        rating=entrant.rating,
        entered=entrant.entered,
        left=entrant.left,
        off=frozenset(entrant.off),
        here=entrant.here,
    )


def rounds_of(tournament: Tournament, games: Games) -> list[contest.Round]:
    """The rounds with their pairings and games."""
    pairings = Pairing.objects.filter(round__tournament=tournament).order_by("table")
    by_round: dict[int, list[Pairing]] = defaultdict(list)
    for pairing in _plain(pairings):
        by_round[pairing.round_id].append(pairing)
    rows = Round.objects.filter(tournament=tournament).order_by("number")
    return [round_of(row, by_round[row.pk], games) for row in rows]


def games_by_pairing(tournament: Tournament) -> Games:
    """The games that count or are in progress, by pairing."""
    return _by_pairing(PairingGame.objects.filter(pairing__round__tournament=tournament))


def games_of(pairings: Sequence[int]) -> Games:
    """The games of these pairings that count or are in progress."""
    games: Games = {}
    for some in batched(pairings, _AT_ONCE):
        games |= _by_pairing(PairingGame.objects.filter(pairing__in=some))
    return games


def some_rounds(numbers: Iterable[int], pairings: Iterable[QuerySet[Pairing]]) -> tuple[Rounds, GameIds]:
    """Rounds with some of their pairings, and the ids of the games of those."""
    columns = [field.attname for field in Pairing._meta.concrete_fields]
    found: dict[int, Any] = {}
    for rows in pairings:
        for row in rows.values_list(*columns, "round__number", named=True):
            found[row.id] = row
    games = games_of(list(found))
    by_round: dict[int, list[contest.Pairing]] = {number: [] for number in numbers}
    ids: GameIds = {}
    for row in sorted(found.values(), key=lambda row: row.table):
        theirs = games.get(row.id, [])
        by_round[row.round__number].append(pairing_of(row, theirs))
        ids |= {(row.round__number, row.table, game.number): game.game_id for game in theirs if game.game_id}
    return tuple(contest.Round(number, tuple(made)) for number, made in by_round.items()), ids


def _by_pairing(rows: QuerySet[PairingGame]) -> Games:
    games: Games = defaultdict(list)
    for game in _plain(rows.filter(replaced=False).order_by("number")):
        games[game.pairing_id].append(game)
    return games


def _plain(rows: QuerySet[M]) -> list[M]:
    """Rows with the columns of their model and nothing else of it, for the many of a large contest."""
    columns = [field.attname for field in rows.model._meta.concrete_fields]
    return cast("list[M]", list(rows.values_list(*columns, named=True)))


def round_of(row: Round, pairings: Iterable[Pairing], games: Games) -> contest.Round:
    """A round with its pairings."""
    made = tuple(pairing_of(pairing, games.get(pairing.id, [])) for pairing in pairings)
    return contest.Round(row.number, made)


def pairing_of(row: Pairing, games: Iterable[PairingGame]) -> contest.Pairing:
    """A pairing with its games."""
    first = key_of(row.first_id)
    second = None if row.second_id is None else key_of(row.second_id)
    return contest.Pairing(
        table=row.table,
        first=first,
        second=second,
        section=row.section,
        planned=row.planned,
        wins=row.wins,
        most=row.most,
        replays=row.replays,
        ballot=row.ballot,
        games=() if second is None else tuple(_game(game, first, second) for game in games),
        bye=Bye(row.bye) if row.bye else None,
        adjourned=row.adjourned,
        stage=row.stage,
    )


def _game(row: PairingGame, first: str, second: str) -> Game:
    sides = (second, first) if row.swapped else (first, second)
    if row.first_points is None or row.second_points is None:
        return Game(*sides, number=row.number)
    points = row.first_points, row.second_points
    return Game(*sides, points=points, how=ResultKind(row.how), number=row.number)


def key_of(entrant: int) -> str:
    """The key of an entrant as a player of the contest."""
    return str(entrant)
