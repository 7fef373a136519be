"""The games in progress of players who leave a tournament: the worker ends each in its own transaction.

A player of a large round robin has hundreds at once. A rated game locks the ratings of both, and then the
tournament: who held that, and took the ratings for the next, would deadlock with others whose games end.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext

from crownhead.server.accounts.selectors import User
from crownhead.server.competitions.events import GamesLeft
from crownhead.server.competitions.models import (
    DirectorAction,
    Entrant,
    PairingGame,
    Status,
    Tournament,
    Verb,
    Withdrawal,
)
from crownhead.server.competitions.selectors.waiting import LEFT_TO_SUBSTITUTE
from crownhead.server.core.background.one_by_one import one_by_one
from crownhead.server.core.background.throttling import throttled
from crownhead.server.core.batches import batched
from crownhead.server.core.events import emit
from crownhead.server.core.problems import Conflict
from crownhead.server.play.choices import Seat
from crownhead.server.play.choices import Status as GameStatus
from crownhead.server.play.draws.services import resign
from crownhead.server.play.games.services import account_closing
from crownhead.server.play.selectors import Game
from crownhead.server.play.staff import services as staff_services

log = logging.getLogger(__name__)

T = TypeVar("T")

AT_ONCE = 500  # games, or players, that one query asks about
LATELY = timedelta(days=7)  # how long after its end a tournament is still searched for open games


@dataclass(frozen=True, slots=True)
class Ending:
    """How games of a player end: resigned; or by a director, forfeited, or without a result: ``nothing``."""

    user: User
    director: User | None = None
    reason: str = ""
    nothing: bool = False

    def end(self, game_id: str, now: datetime) -> None:
        """End a game; nothing if it is over already."""
        with suppress(Conflict):
            self._how()(game_id, now)

    def _how(self) -> Callable[[str, datetime], object]:
        if self.director is None:
            return lambda game_id, now: resign(user=self.user, game_id=game_id, now=now)
        return self._annul if self.nothing else self._forfeit

    def _annul(self, game_id: str, now: datetime) -> None:
        assert self.director is not None
        staff_services.adjudicate(
            by=self.director,
            game_id=game_id,
            result="nothing",
            reason=self.reason,
            now=now,
            as_director=True,
        )

    def _forfeit(self, game_id: str, now: datetime) -> None:
        assert self.director is not None
        is_first = Game.objects.filter(public_id=game_id, first_player=self.user).exists()
        staff_services.forfeit(
            by=self.director,
            game_id=game_id,
            loser=Seat.FIRST if is_first else Seat.SECOND,
            reason=self.reason,
            now=now,
            as_director=True,
        )


def end_games(game_ids: Sequence[str], ending: Ending, now: datetime) -> None:
    """Let the worker end games of a player who leaves, least time left first, and nobody lose on time before.

    Runs in the caller's transaction, before the tournament is locked: see ``rounds`` on the order of locks.
    """
    games = Game.objects.filter(public_id__in=game_ids)
    by_time = tuple(games.order_by("deadline_at", "pk").values_list("public_id", flat=True))
    if by_time:
        account_closing.hold_clocks(games, now, unrated=ending.nothing)
        emit(
            GamesLeft(
                game_ids=by_time,
                user_id=ending.user.pk,
                director_id=None if ending.director is None else ending.director.pk,
                reason=ending.reason,
                nothing=ending.nothing,
            )
        )


def end_forgotten(now: datetime) -> None:
    """End what is open still of players who have left: a worker may have been killed, or have failed.

    One query asks about many of them: those who left long ago have nothing open, however many they are.
    """
    loses = Q(expelled=True) | Q(tournament__withdrawal=Withdrawal.FORFEIT)
    gone = Entrant.objects.filter(loses, tournament__status=Status.RUNNING, left__isnull=False)
    for keys in throttled(batched(list(gone.values_list("pk", flat=True)), AT_ONCE)):
        games = _open_games(keys)
        rows = Entrant.objects.filter(pk__in=games).order_by("pk")
        for entrant in rows.select_related("user", "tournament__host"):
            ending = _expulsion(entrant) if entrant.expelled else Ending(entrant.user)
            end_the_rest(games[entrant.pk], ending, now)
    for game_ids in throttled(batched(_left_to_substitutes(now), AT_ONCE)):
        playing = Game.objects.filter(public_id__in=game_ids, status=GameStatus.PLAYING)
        open_keys = list(playing.values_list("public_id", flat=True))
        their = PairingGame.objects.filter(game_id__in=open_keys).order_by("pk")
        for row in their.select_related("pairing__round__tournament__host", "pairing__first__user"):
            pairing = row.pairing
            reason = gettext("Another player has taken this place.")
            ending = Ending(pairing.first.user, pairing.round.tournament.host, reason, nothing=True)
            end_the_rest([row.game_id or ""], ending, now)


def _left_to_substitutes(now: datetime) -> list[str]:
    """The games that were left to a substitute, most of them over; a tournament doesn't wait for its last."""
    running, over = Q(status=Status.RUNNING), Q(status=Status.FINISHED, ended_at__gt=now - LATELY)
    found: list[str] = []
    for state in (running, over):
        tournaments = Tournament.objects.filter(state).values("pk")
        left = PairingGame.objects.filter(
            LEFT_TO_SUBSTITUTE, pairing__round__tournament__in=tournaments, game_id__isnull=False
        )
        found += [game_id or "" for game_id in left.values_list("game_id", flat=True)]
    return found


def _open_games(keys: Collection[int]) -> dict[int, list[str]]:
    """The open games of some entrants by entrant, of those who have any."""
    theirs = Q(pairing__first__in=keys) | Q(pairing__second__in=keys)
    rows = PairingGame.objects.filter(theirs, game_id__isnull=False, first_points=None, replaced=False)
    there, found = frozenset(keys), dict[int, list[str]]()
    for game_id, first, second in rows.values_list("game_id", "pairing__first_id", "pairing__second_id"):
        for key in there.intersection((first, second)):
            found.setdefault(key, []).append(game_id or "")
    return found


def _expulsion(entrant: Entrant) -> Ending:
    """How games of an expelled player end: forfeited by the host, for the reason in the log."""
    acts = DirectorAction.objects.filter(tournament=entrant.tournament_id, verb=Verb.EXPELLED)
    reasons = [act.reason for act in acts.order_by("-pk") if _names(act, entrant.user)]
    reason = next(filter(None, reasons), gettext("A director has expelled this player."))
    return Ending(entrant.user, entrant.tournament.host, reason)


def _names(act: DirectorAction, user: User) -> bool:
    """Whether an entry is about a user, who may have another name since; an older one has only the name."""
    return act.text == user.username if act.people is None else user.pk in act.people.values()


def end_the_rest(game_ids: Sequence[str], ending: Ending, now: datetime) -> None:
    """End games of a player who has left, each in its own transaction; doing it again changes nothing.

    A game that cannot be ended is logged and holds up no other; ``end_forgotten`` comes back to it.
    """
    one_by_one(
        list(game_ids),
        transaction.atomic(lambda game_id: ending.end(game_id, now)),
        failing="game %s of a player who has left a tournament cannot be ended",
    )
