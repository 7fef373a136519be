"""Vacation by the hour: a yearly budget, used by itself as a time runs out.

When a game that allows vacation would be lost on time, an hour of the budget of that year (UTC) is used and
added to all the player's games of that kind in which they are to move; and so on until no hour is left.
The hours are used at the deadlines, in their order, whenever somebody comes to look: who looks late finds
the same.

The deadlines and reminders that follow are stored for a few games at once, the most urgent; a worker comes
to the others some at a time. Until then they may be due too early, so that ``has_more_time`` is asked of any
game before it is lost.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime

from django.db import transaction
from django.db.models import F, Q, QuerySet

from crownhead.server.accounts.access import hold_user
from crownhead.server.core.background.one_by_one import one_by_one
from crownhead.server.core.batches import batched
from crownhead.server.core.events import emit
from crownhead.server.core.queries import rows
from crownhead.server.live.services import published_together
from crownhead.server.play.clocks import timing
from crownhead.server.play.clocks.time_control import HOUR
from crownhead.server.play.events import ClocksWait, TimeChanged, game_event
from crownhead.server.play.models import Game, Games, Seat, Status, Vacation
from crownhead.server.play.vacation import hours
from crownhead.server.play.vacation.selectors import budget

MOMENTS = ("added_hours", "deadline_at", "remind_at", "remind_of")
MAX_WAITED_FOR = 25  # games that are lengthened while somebody waits for a page
MAX_SET = 50  # games whose deadlines and reminders are set in one transaction
_TIMES = (
    *("status", "turn", "turn_since", "added_hours", "deadline_at", "adjourned", "pace", "days_per_move"),
    *("clock_initial", "clock_bonus", "clock_limit", "weekends_off", "vacation", "first_left", "second_left"),
    *("first_player_id", "second_player_id"),
)


def use_hours(*, user_id: int, now: datetime) -> None:
    """Lengthen the player's games whose time was out by ``now``, an hour at a time while the budget lasts."""
    hold_user(user_id)
    due = timing.prefetch_vacations(with_vacation(user_id).filter(deadline_at__lte=now).only(*_TIMES))
    turns = {game.pk: timing.turn_of(game) for game in due}
    used = hours.needed(turns, now, lambda year: budget(user_id=user_id, year=year).left)
    if used.moments:
        Vacation.objects.bulk_create(_hour_at(user_id, moment) for moment in used.moments)
        _lengthen(user_id, used)
        set_clocks(user_id=user_id, now=now)


def _lengthen(user_id: int, used: hours.Hours) -> None:
    """Add the hours to the games. Their deadlines are at least so much later, which is stored meanwhile."""
    alike: dict[int, list[int]] = defaultdict(list)
    held = with_vacation(user_id).select_for_update(no_key=True)
    for pk, since in held.values_list("pk", "turn_since"):
        assert since is not None
        alike[used.of(pk, since)].append(pk)
    alike.pop(0, None)
    for more, keys in alike.items():
        Game.objects.filter(pk__in=keys).update(
            added_hours=F("added_hours") + more, deadline_at=F("deadline_at") + more * HOUR
        )


def on_turn(user_id: int) -> Games:
    """The games in progress in which it is the player's turn."""
    on_move = Q(first_player=user_id, turn=Seat.FIRST) | Q(second_player=user_id, turn=Seat.SECOND)
    return Game.objects.filter(on_move, status=Status.PLAYING).order_by("pk")


def with_vacation(user_id: int) -> Games:
    """Those of them that allow vacation."""
    return on_turn(user_id).filter(vacation=True)


def lengthens_many(user_id: int) -> bool:
    """Whether an hour of the player's changes more games than somebody who looks at one waits for."""
    return with_vacation(user_id)[MAX_WAITED_FOR : MAX_WAITED_FOR + 1].exists()


def has_more_time(game: Game, now: datetime) -> bool:
    """Whether a locked game that is due has time left, as it follows from vacations; then it is stored."""
    changes = timing.moment_changes(game, now)
    if game.deadline_at is not None and changes["deadline_at"] > game.deadline_at:
        for name, value in changes.items():
            setattr(game, name, value)
        rows.update_all([game], changed=MOMENTS)
        emit(game_event(TimeChanged, game))
    return not game.is_due(now)


def set_clocks(*, user_id: int, now: datetime) -> None:
    """Set the clocks of the player's turns after vacations have changed: a few, and a worker the others'."""
    keys = list(_most_urgent_first(user_id)[: MAX_SET + 1])
    _set_some(user_id, keys[:MAX_SET], now)
    if len(keys) > MAX_SET:
        emit(ClocksWait(user_id=user_id))


def set_all_clocks(*, user_id: int, now: datetime) -> None:
    """Set them all, some in a transaction; doing it again changes nothing."""
    keys = list(_most_urgent_first(user_id))
    one_by_one(
        batched(keys, MAX_SET),
        transaction.atomic(lambda some: _set_some(user_id, some, now)),
        failing="the clocks of the games %s cannot be set",
    )


def _most_urgent_first(user_id: int) -> QuerySet[Game, int]:
    return with_vacation(user_id).order_by("deadline_at", "pk").values_list("pk", flat=True)


def _set_some(user_id: int, keys: list[int], now: datetime) -> None:
    """Keep the moments of these games as they follow from their hours and from the player's vacations."""
    hold_user(user_id)
    held = with_vacation(user_id).filter(pk__in=keys).select_for_update(no_key=True)
    games = timing.prefetch_vacations(held)  # a turn that has ended meanwhile needs no more time
    for game in games:
        for name, value in timing.moment_changes(game, now).items():
            setattr(game, name, value)
    rows.update_all(games, changed=MOMENTS)
    with published_together():
        for game in games:
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
