"""What follows when a player leaves the club, and when they are back: the event stream says both.

Somebody is here as long as a page of theirs, or a program, follows the event stream of the club, tries to, or
asks for anything else: a stream that is refused, for whatever reason, is no absence.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from functools import partial

from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _

from crownhead.server.accounts.guests.access import viewer
from crownhead.server.accounts.selectors import User
from crownhead.server.core.background.one_by_one import one_by_one
from crownhead.server.core.events import emit
from crownhead.server.core.problems import Conflict
from crownhead.server.core.queries.prepared import Prepared
from crownhead.server.live.services import finds_users
from crownhead.server.play.access import perform_action
from crownhead.server.play.choices import ABANDONED
from crownhead.server.play.clocks.time_control import Pace
from crownhead.server.play.events import GameWithdrawn, PlayerLeft, PlayerReturned, game_event
from crownhead.server.play.games import endings
from crownhead.server.play.models import Absence, Game, Games, Seat, Status
from crownhead.server.play.presence import selectors

_AT_ONCE = 25  # games, which may be many in contests; others write in between


def note_left(*, user_id: int, since: datetime, now: datetime) -> None:
    """Withdraw the open live offers of somebody who has left, and tell the opponents in their live games.

    An offer to one player, or by a link, stays: a link is sent to a friend from another program.
    """
    offers = [public_id for (public_id,) in _OPEN_OFFERS.rows(user_id=user_id)]
    one_by_one(offers, partial(_withdraw, now), failing="offer %s of who has left can't be withdrawn")
    if not any(live.rows(user_id=user_id) for live in (_LIVE_AS_FIRST, _LIVE_AS_SECOND)):
        return  # as nearly always: nothing is locked for it
    with transaction.atomic():
        games = list(_live_games(user_id).order_by("pk"))
        if not games:
            return
        Absence.objects.update_or_create(user_id=user_id, defaults={"since": since})
        _tell(games[:_AT_ONCE], user_id, since)
    for start in range(_AT_ONCE, len(games), _AT_ONCE):
        keys = [game.pk for game in games[start : start + _AT_ONCE]]
        with transaction.atomic():
            if Absence.objects.select_for_update().filter(user_id=user_id, since=since).first() is None:
                return  # they are back
            _tell(_live_games(user_id).filter(pk__in=keys), user_id, since)


def note_back(*, user_id: int) -> None:
    """Tell the opponents that somebody is back."""
    if not _ABSENCE.rows(user_id=user_id):
        return
    with transaction.atomic():
        gone, _by_model = Absence.objects.filter(user=user_id).delete()
        for game in _live_games(user_id) if gone else ():
            emit(game_event(PlayerReturned, game, seat=_seat(game, user_id)))


@finds_users
def user_of(request: HttpRequest) -> int | None:
    """The key of who has made a request: a member by a session or a token, or a guest who plays."""
    known = getattr(request, "auth", None)
    if not isinstance(known, User):
        known = viewer(request)
    return known.pk


def claim_abandoned(*, user: User, game_id: str, now: datetime) -> Game:
    """Win a live game whose other player has left the club and has not come back for a minute."""

    def claim(game: Game, seat: Seat) -> None:
        since = selectors.absences(game, now).get(seat.opponent)
        if since is None or selectors.until_claim(since, now).total_seconds() > 0:
            raise Conflict(_("Your opponent is here, or hasn't been away for long enough."))
        endings.end(game, winner=seat, termination=ABANDONED, at=now)

    return perform_action(user=user, game_id=game_id, now=now, do=claim)


def _tell(games: Iterable[Game], user_id: int, since: datetime) -> None:
    for game, claim_at in selectors.claims(games, since):
        emit(game_event(PlayerLeft, game, seat=_seat(game, user_id), claim_at=claim_at))


@transaction.atomic
def _withdraw(now: datetime, public_id: str) -> None:
    game = endings.lock_game(public_id)
    endings.settle(game, now)
    if game.status == Status.WAITING:
        endings.update(game, status=Status.WITHDRAWN, ended_at=now)
        emit(game_event(GameWithdrawn, game))


def _open_offers(user_id: int) -> QuerySet[Game, tuple[str]]:
    offers = Game.objects.filter(creator=user_id, status=Status.WAITING, open=True, pace=Pace.LIVE)
    return offers.order_by("pk").values_list("public_id")


def _live_games(user_id: int) -> Games:
    mine = Q(first_player=user_id) | Q(second_player=user_id)
    return Game.objects.with_players().filter(mine, status=Status.PLAYING, pace=Pace.LIVE)


def _seat(game: Game, user_id: int) -> Seat:
    return Seat.FIRST if game.first_player_id == user_id else Seat.SECOND


def _live_as(seat: Seat, user_id: int) -> QuerySet[Game, tuple[int]]:
    live = Game.objects.filter(status=Status.PLAYING, pace=Pace.LIVE)
    return live.filter(**{f"{seat}_player": user_id}).values_list("pk")[:1]


# Of those who come and leave, hundreds at once after a cable has failed, few have any of these.
_OPEN_OFFERS = Prepared(_open_offers, user_id=int)
_LIVE_AS_FIRST = Prepared(partial(_live_as, Seat.FIRST), user_id=int)
_LIVE_AS_SECOND = Prepared(partial(_live_as, Seat.SECOND), user_id=int)
_ABSENCE = Prepared(lambda user_id: Absence.objects.filter(user=user_id).values_list("pk"), user_id=int)
