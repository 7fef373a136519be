"""Beginning the games that are due, and forfeiting those of who has left: a few in each transaction.

Which they are is found out before the tournament is locked; then only those few pairings are read again.
Unique constraints keep any game from being begun twice.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Collection, Set
from datetime import datetime

from django.urls import reverse

from crownhead.contest import PlannedGame
from crownhead.rules import variant_of
from crownhead.server.accounts.selectors import User
from crownhead.server.competitions.access import publish_change
from crownhead.server.competitions.models import Pairing, PairingGame, Tournament
from crownhead.server.competitions.selectors import begins_at
from crownhead.server.competitions.selectors.contest_rows import key_of, pairing_of
from crownhead.server.competitions.selectors.waiting import COUNTING_GAMES, losing, playing
from crownhead.server.competitions.services import appointments, unplayed
from crownhead.server.play.games.contests import Contest
from crownhead.server.play.games.selectors.replay import draw_ballot
from crownhead.server.play.games.services.seating import start_game
from crownhead.server.teams.selectors.terms import is_live, options_of

KIND = "tournament"  # of ``play``'s contests
MAX_BEGUN = 2  # games in one transaction: each takes up to ten milliseconds


def begin(tournament: Tournament, keys: Collection[int], now: datetime, *, are_last: bool) -> int:
    """Begin or forfeit the due games of some pairings of a locked tournament; returns how many.

    At most ``MAX_BEGUN`` begin, and none for somebody who has left. ``are_last``: of all that are due; of
    many games by days open pages hear of these alone.
    """
    live = is_live(tournament.terms)
    rows = _rows(tournament, keys)
    entrants = {key for row in rows for key in (row.first_id, row.second_id) if key is not None}
    losers = entrants.intersection(losing(tournament))
    busy = playing(tournament, entrants, now) if live else set()
    games: list[tuple[Pairing, PlannedGame]] = []
    decided = 0
    for row in rows:
        wanted = pairing_of(row, row.games.all()).due()
        if not wanted or not _may_begin(row, losers, busy, now):
            continue
        forfeited = _forfeited(tournament, row, now)
        if forfeited:
            decided += forfeited
            continue
        games += [(row, planned) for planned in (wanted[:1] if live else wanted)]
        busy |= {key for key in (row.first_id, row.second_id) if live and key is not None}
    games = games[:MAX_BEGUN]
    users = _users([row for row, _ in games])
    for row, planned in games:
        _start(tournament, row, planned, users, now)
    if decided or (games and (live or are_last)):
        publish_change(tournament)
    return len(games) + decided


def _rows(tournament: Tournament, keys: Collection[int]) -> list[Pairing]:
    """The pairings with their games, in the order in which they begin."""
    found = Pairing.objects.filter(pk__in=keys, round__tournament=tournament)
    rows = found.select_related("round", "first__user", "second__user").prefetch_related(COUNTING_GAMES)
    made = list(rows.order_by("round__number", "table"))
    for row in made:
        row.round.tournament = tournament
    return made


def _may_begin(pairing: Pairing, losers: Set[int], busy: Set[int], now: datetime) -> bool:
    """Whether the time of a pairing has come, and its players are free; who has left loses before that."""
    both = {pairing.first_id, pairing.second_id}
    at = begins_at(pairing.round, pairing)
    return not losers.isdisjoint(both) or (at is not None and at <= now and busy.isdisjoint(both))


def _forfeited(tournament: Tournament, pairing: Pairing, now: datetime) -> int:
    """Forfeit the due games of a pairing if somebody is gone, or never proposed a time; returns how many."""
    without = unplayed.decide_without(tournament, pairing)
    if without is not None:
        return without
    loser = None if pairing.games.all() else appointments.at_fault(pairing, now)
    return 0 if loser is None else unplayed.decide(pairing, loser)


def _start(
    tournament: Tournament, pairing: Pairing, planned: PlannedGame, users: dict[str, User], now: datetime
) -> None:
    attempts = PairingGame.objects.filter(pairing=pairing, number=planned.number).count()
    game = start_game(
        first=users[planned.first],
        second=users[planned.second],
        options=options_of(tournament.variant, tournament.terms),
        now=now,
        dice=secrets.SystemRandom(),
        opening=_opening(tournament, pairing.round.number, planned.ballot),
        contest=Contest(
            kind=KIND,
            key=f"{tournament.public_id}:r{pairing.round.number}:t{pairing.table}",
            name=tournament.name,
            link=reverse("competitions:tournament", args=[tournament.public_id]),
        ),
    )
    PairingGame.objects.create(
        pairing=pairing,
        number=planned.number,
        attempt=attempts + 1,
        swapped=planned.first != key_of(pairing.first_id),
        game_id=game.public_id,
    )


def _opening(tournament: Tournament, number: int, slot: int) -> int | None:
    """The ballot shared by some games; None if each draws its own."""
    if not slot:
        return None
    dice = random.Random(f"{tournament.dice}:{number}:{slot}")
    ballot = draw_ballot(variant_of(tournament.variant), dice)
    return None if ballot is None else ballot.number


def _users(pairings: list[Pairing]) -> dict[str, User]:
    """The users of these pairings by the keys of their entrants."""
    entrants = (entrant for pairing in pairings for entrant in (pairing.first, pairing.second) if entrant)
    return {key_of(entrant.pk): entrant.user for entrant in entrants}
