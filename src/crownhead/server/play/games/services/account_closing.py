"""The games and offers of a closed account: a request holds their clocks, and the worker ends each by itself.

A game that ends locks more than itself, such as ratings and its tournament: who held some of that, and waited
for the next game, would deadlock with others who leave, and hold up everybody who writes.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q

from crownhead import Termination
from crownhead.server.accounts.selectors import User
from crownhead.server.accounts.services.leftovers import closed_with, sweep_closed
from crownhead.server.core.background.one_by_one import one_by_one
from crownhead.server.core.background.throttling import throttled
from crownhead.server.core.events import emit
from crownhead.server.core.jobs import AT_ONCE
from crownhead.server.play.events import GameDeclined, GameWithdrawn, game_event
from crownhead.server.play.games import endings
from crownhead.server.play.models import Game, Games, Invitation, Note, Seat, Status, Vacation

_FOR_THE_WORKER = timedelta(days=1)  # in which no game that is left to it is lost on time
_AT_LAST = timedelta(hours=2)  # of it in which what the worker has left of guests is looked for
_WORDLESS = {"message": "", "email": "", "token": ""}


def hold_everything_of(*, user_id: int, now: datetime) -> bool:
    """Hold the clocks of a closed account, and delete its vacations and the words of its offers.

    Returns whether anything is open, which ``end_everything_of`` ends. What was theirs alone of all their
    games may be much, and is left to ``forget_closed_accounts``; nobody sees it any more.
    """
    hold_clocks(Game.objects.played_by(User(pk=user_id)), now)
    Vacation.objects.filter(user=user_id).delete()  # of whole hours, of which a year has few
    still_offered = Game.objects.filter(creator=user_id, status=Status.WAITING)
    Invitation.objects.filter(game__in=still_offered).update(**_WORDLESS)
    running = Game.objects.played_by(User(pk=user_id)).filter(status=Status.PLAYING)
    return running.exists() or Game.objects.filter(_offers_to_or_of(user_id), status=Status.WAITING).exists()


def forget_closed_accounts(*, now: datetime) -> None:
    """Delete the notes of closed accounts, and what they wrote with their invitations, a few at a time."""
    sweep_closed(Note.objects.all(), now=now)
    one_by_one(
        closed_with(Invitation.objects.exclude(**_WORDLESS), now=now, user="game__creator"),
        _forget_words_of,
        failing="what the closed account %s wrote with invitations cannot be deleted",
    )


def _forget_words_of(user_id: int) -> None:
    for keys in throttled(_with_words(user_id)):
        Invitation.objects.filter(pk__in=keys).update(**_WORDLESS)


def _with_words(user_id: int) -> Iterator[list[int]]:
    rows = Invitation.objects.filter(game__creator=user_id).exclude(**_WORDLESS)
    while keys := list(rows.values_list("pk", flat=True)[:AT_ONCE]):
        yield keys


def has_offers(user_id: int) -> bool:
    """Whether somebody has offered a game, to anybody, whose account is not closed."""
    return Game.objects.filter(creator=user_id, creator__closed_at=None, status=Status.WAITING).exists()


def end_everything_of(*, user_id: int, now: datetime) -> None:
    """End what an account that is closed or locked has open, each game as if at the moment of closing.

    Games in progress are resigned, offers withdrawn or declined, matches end; of a locked account only offers
    end. Each in its own transaction: one that cannot be ended is logged and holds up no other. Doing it again
    changes nothing.
    """
    user = User.objects.get(pk=user_id)
    if user.closed_at is not None:
        games = _running(user_id) + _waiting(_offers_to_or_of(user_id))
    else:
        games = _waiting(Q(creator=user_id)) if is_gone(user) else []
    one_by_one(
        games,
        transaction.atomic(lambda game_id: _end(game_id, user_id, user.closed_at or now)),
        failing="game %s of a closed account cannot be ended",
    )


def with_something_left(now: datetime) -> Iterator[int]:
    """The keys of accounts closed lately of which the worker has left something; some may come twice.

    Of closed guests, whom no index finds, only games in progress in which little time is left: that reads
    through all games of the club that are so near their end.
    """
    running, waiting = (Game.objects.filter(status=status) for status in (Status.PLAYING, Status.WAITING))
    seats = ("first_player", "second_player")
    soon = running.filter(deadline_at__lt=now + _AT_LAST)
    for rows, names in ((running, seats), (waiting, ("creator", "invited"))):
        for name in names:
            yield from closed_with(rows, now=now, user=name)
    for name in seats:
        yield from set(soon.filter(**{f"{name}__closed_at__isnull": False}).values_list(name, flat=True))


def is_left_by_its_creator(game: Game) -> bool:
    """Whether a waiting game is that of an account that has been closed or locked; load it with players."""
    return is_gone(game.creator)


def is_gone(user: User) -> bool:
    """Whether an account has been closed or locked; those of computers are as well."""
    return user.closed_at is not None or not (user.is_active or user.is_guest)


def hold_clocks(games: Games, now: datetime, *, unrated: bool = False) -> None:
    """Let nobody lose on time before the worker comes to these games, which are left to it.

    ``unrated``: it ends them without a result, so they are not rated even if they end before that. Their rows
    are locked in the order of their keys, and nothing else.
    """
    later = now + _FOR_THE_WORKER
    soon = Q(deadline_at__gt=now, deadline_at__lt=later)
    running = games.filter(soon | Q(rated=True) if unrated else soon, status=Status.PLAYING)
    held = running.order_by("pk").select_for_update(no_key=True)
    keys = list(held.values_list("pk", flat=True))  # in the order in which vacations lock them
    rows = Game.objects.filter(pk__in=keys)
    if unrated:
        rows.update(rated=False)
    rows.filter(soon).update(deadline_at=later, remind_at=None, remind_of="")


def is_held(game: Game, deadline: datetime) -> bool:
    """Whether its clock stands still for the worker, though this deadline follows from it."""
    if game.deadline_at is None or not deadline < game.deadline_at <= deadline + _FOR_THE_WORKER:
        return False
    players = (player for player in (game.first_player, game.second_player) if player is not None)
    has_left = game.contest_kind or any(player.closed_at for player in players)
    return bool(has_left) and game.remind_at is None and not game.remind_of


def _offers_to_or_of(user_id: int) -> Q:
    return Q(creator=user_id) | Q(invited=user_id)


def _running(user_id: int) -> list[str]:
    """The games in progress, least time left first."""
    user = User(pk=user_id)
    rows = Game.objects.played_by(user).filter(status=Status.PLAYING).order_by("deadline_at", "pk")
    return list(rows.values_list("public_id", flat=True))


def _waiting(which: Q) -> list[str]:
    rows = Game.objects.filter(which, status=Status.WAITING).order_by("pk")
    return list(rows.values_list("public_id", flat=True))


def _end(game_id: str, user_id: int, at: datetime) -> None:
    game = endings.lock_game(game_id)
    if game.turn_since is not None:
        at = max(at, game.turn_since)  # the opponent may have moved since the account was closed
    endings.settle(game, at)
    if game.status == Status.PLAYING:
        seat = Seat.FIRST if game.first_player_id == user_id else Seat.SECOND
        endings.end(game, winner=seat.opponent, termination=Termination.RESIGNATION, at=at)
    elif game.status == Status.WAITING:
        mine = game.creator_id == user_id
        endings.update(game, status=Status.WITHDRAWN if mine else Status.DECLINED, ended_at=at)
        emit(game_event(GameWithdrawn if mine else GameDeclined, game))
