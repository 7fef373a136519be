"""Vacation by the hour: a yearly budget, used by itself as a time runs out.

When a game that allows vacation would be lost on time, an hour of the budget of that year (UTC) is used and
added to all the player's games of that kind in which they are to move; and so on until no hour is left.
The hours are used at the deadlines, in their order, whenever somebody comes to look: who looks late finds
the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db.models import Q

from crownhead.server.accounts.access import hold_user
from crownhead.server.core.events import emit
from crownhead.server.core.queries import rows
from crownhead.server.live.services import published_together
from crownhead.server.play.clocks import time_control, timing
from crownhead.server.play.clocks.time_control import HOUR
from crownhead.server.play.events import TimeChanged, game_event
from crownhead.server.play.models import Game, Games, Seat, Status, Vacation
from crownhead.server.play.vacation.selectors import budget

MOMENTS = ("added_hours", "deadline_at", "remind_at", "remind_of")
MAX_WAITED_FOR = 25  # games that are lengthened while somebody waits for a page
_TOLD_AT_ONCE = 100  # games, in one statement


def use_hours(*, user_id: int, now: datetime) -> None:
    """Lengthen the player's games whose time was out by ``now``, an hour at a time while the budget lasts."""
    hold_user(user_id)
    games = {game.pk: game for game in with_vacation(user_id)}
    turns = {pk: timing.turn_of(game) for pk, game in games.items()}
    deadlines = {pk: time_control.deadline(turn) for pk, turn in turns.items()}
    left: dict[int, int] = {}
    while deadlines:
        moment, first = min((moment, pk) for pk, moment in deadlines.items())
        if moment > now:
            break
        if moment.year not in left:
            left[moment.year] = budget(user_id=user_id, year=moment.year).left
        if not left[moment.year]:
            del deadlines[first]  # lost at that moment: no later hour reaches it
            continue
        left[moment.year] -= 1
        _hour_at(user_id, moment).save()
        for pk in [pk for pk in deadlines if turns[pk].since <= moment]:
            turns[pk] = time_control.lengthened(turns[pk])
            deadlines[pk] = time_control.deadline(turns[pk])
    changed = []
    for pk, turn in turns.items():
        if (added := turn.added // HOUR) != games[pk].added_hours:
            games[pk].added_hours = added
            changed.append(games[pk])
    save_moments(changed, now)


def on_turn(user_id: int) -> Games:
    """The games in progress in which it is the player's turn."""
    on_move = Q(first_player=user_id, turn=Seat.FIRST) | Q(second_player=user_id, turn=Seat.SECOND)
    return Game.objects.filter(on_move, status=Status.PLAYING).order_by("pk")


def with_vacation(user_id: int) -> list[Game]:
    """The games that allow vacation, the vacations of their players looked up."""
    return timing.prefetch_vacations(on_turn(user_id).filter(vacation=True))


def lengthens_many(user_id: int) -> bool:
    """Whether an hour of the player's changes more games than somebody who looks at one waits for."""
    return on_turn(user_id).filter(vacation=True)[MAX_WAITED_FOR : MAX_WAITED_FOR + 1].exists()


def save_moments(games: Iterable[Game], now: datetime) -> None:
    """Keep the turns' moments as they follow from their hours and from the player's vacations."""
    read = {game.pk: game for game in games}
    held = Game.objects.filter(pk__in=read).order_by("pk").select_for_update(no_key=True)
    as_read = [
        read[pk]
        for pk, *state in held.values_list("pk", "version", "status")
        if state == [read[pk].version, read[pk].status]  # a turn that has ended meanwhile needs no more time
    ]
    for game in as_read:
        for name, value in timing.moment_changes(game, now).items():
            setattr(game, name, value)
    rows.update_all(as_read, changed=MOMENTS)
    for begin in range(0, len(as_read), _TOLD_AT_ONCE):
        with published_together():
            for game in as_read[begin : begin + _TOLD_AT_ONCE]:
                emit(game_event(TimeChanged, game))


def _hour_at(user_id: int, moment: datetime) -> Vacation:
    """An hour used as a time ran out."""
    return Vacation(
        user_id=user_id,
        begins_at=moment,
        ends_at=moment + HOUR,
        year=moment.year,
        hours=1,
        automatic=True,
    )
