"""Apply the rules of time to a game's row: whose clock runs, until when, and when to remind the player."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from crownhead.server.core.queries.prepared import PreparedForKeys
from crownhead.server.play.clocks import time_control
from crownhead.server.play.clocks.time_control import HOUR, Pace, Span, TimeControl, Turn, pace_text
from crownhead.server.play.games.selectors.replay import opening_plies, own_plies
from crownhead.server.play.models import Game, Seat, Status, Vacation

LEFT = {Seat.FIRST: "first_left", Seat.SECOND: "second_left"}
FIRST_MOVE = timedelta(seconds=20)  # for which the clock of a live game waits, on each side
GIVEN = timedelta(seconds=15)  # that a player gives the other in one go
NO_CLOCK: dict[str, Any] = {
    "turn": None,
    "turn_since": None,
    "added_hours": 0,
    "deadline_at": None,
    "remind_at": None,
    "remind_of": "",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeInfo:
    """The clocks: their terms, what each seat has left now, and until when who is on vacation.

    ``left`` is the rest of the present turn for the seat to move, and of the next turn for the other.
    """

    control: TimeControl
    left: Mapping[str, timedelta]
    away: Mapping[str, datetime | None]
    stands_still: bool = False
    waits: timedelta = timedelta(0)  # of a first move: how long the clock does not run yet
    added_hours: int = 0
    adjourned_until: datetime | None = None

    @property
    def words(self) -> str:
        """The terms, as people say them."""
        return pace_text(self.control)


def control_of(game: Game) -> TimeControl:
    """The terms of the game's time."""
    initial = timedelta(days=game.days_per_move) if game.days_per_move else game.clock_initial
    assert initial is not None
    return TimeControl(
        pace=Pace(game.pace),
        initial=initial,
        bonus=game.clock_bonus or time_control.ZERO,
        limit=game.clock_limit,
        weekends_off=game.weekends_off,
        vacation=game.vacation,
    )


def player_on(game: Game, seat: Seat) -> int | None:
    """The key of who sits there."""
    return game.first_player_id if seat is Seat.FIRST else game.second_player_id


def vacations_of(game: Game, seat: Seat, *, after: datetime) -> tuple[Span, ...]:
    """The vacations that the player on a seat set in advance and that end after a moment."""
    user_id = player_on(game, seat)
    if game.spans is not None and user_id is not None:
        return tuple(span for span in game.spans.get(user_id, ()) if span[1] > after)
    rows = Vacation.objects.filter(user=user_id, automatic=False, ends_at__gt=after)
    return tuple(rows.order_by("begins_at").values_list("begins_at", "ends_at"))


def prefetch_vacations(games: Iterable[Game]) -> list[Game]:
    """Look up the vacations of all players of some games at once, for lists, which show every clock."""
    unique_games = list(games)
    concerned = [game for game in unique_games if game.vacation and game.turn_since is not None]
    people = {key for game in concerned for key in (game.first_player_id, game.second_player_id) if key}
    spans: dict[int, list[Span]] = defaultdict(list)
    if concerned:
        earliest = min(game.turn_since for game in concerned if game.turn_since is not None)
        for user_id, begins, ends in _VACATIONS.rows(people, after=earliest):
            spans[user_id].append((begins, ends))
    by_user = {user_id: tuple(own) for user_id, own in spans.items()}
    for game in concerned:
        game.spans = by_user
    return unique_games


_VACATIONS: PreparedForKeys[tuple[int, datetime, datetime]] = PreparedForKeys(
    lambda people, after: (
        Vacation.objects.filter(user__in=people, automatic=False, ends_at__gt=after)
        .order_by("begins_at")
        .values_list("user_id", "begins_at", "ends_at")
    ),
    after=datetime,
)


def adjournments(game: Game) -> tuple[Span, ...]:
    """When a director lets the game's clock stand still: in order, apart."""
    return tuple(
        (datetime.fromisoformat(begins), datetime.fromisoformat(ends)) for begins, ends in game.adjourned
    )


def adjourned_until(game: Game, now: datetime) -> datetime | None:
    """The end of the adjournment that holds ``now``."""
    return next((ends for begins, ends in adjournments(game) if begins <= now < ends), None)


def adjourn(game: Game, *, until: datetime | None, now: datetime) -> dict[str, Any]:
    """The changes when the clock of a game in progress is to stand still until a moment, or to go on now.

    What stood still in earlier turns is counted already and not kept.
    """
    so_far = tuple((begins, min(ends, now)) for begins, ends in turn_of(game).adjourned if begins < now)
    return pause(game, so_far if until is None else with_pause(so_far, (now, until)), now=now)


def with_pause(spans: Iterable[Span], pause: Span) -> tuple[Span, ...]:
    """The spans and one more, in order; those that touch are one."""
    joined: list[Span] = []
    for begins, ends in sorted([*spans, pause]):
        if joined and begins <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(joined[-1][1], ends)
        else:
            joined.append((begins, ends))
    return tuple(joined)


def pause(game: Game, spans: Iterable[Span], *, now: datetime) -> dict[str, Any]:
    """The changes when the clock of a game in progress stands still in these spans."""
    game.adjourned = [[begins.isoformat(), ends.isoformat()] for begins, ends in spans]
    return {"adjourned": game.adjourned, **moment_changes(game, now)}


def turn_of(game: Game) -> Turn:
    """The turn of a game in progress."""
    assert game.turn is not None
    assert game.turn_since is not None
    return _turn(game, Seat(game.turn), game.turn_since, added=game.added_hours * HOUR)


def time_info(game: Game, now: datetime) -> TimeInfo:
    """The clocks of a game as they stand."""
    control = control_of(game)
    banks = control.pace is not Pace.DAYS
    left = {seat.value: getattr(game, LEFT[seat]) if banks else control.initial for seat in Seat}
    still, waits = False, time_control.ZERO
    if game.turn is not None:
        turn = turn_of(game)
        waits = time_control.waits(turn, now)
        left[game.turn] = time_control.left_at(turn, now)
        still = time_control.stands_still(turn, now)
    away = {seat.value: _away_until(game, seat, now) for seat in Seat}
    return TimeInfo(
        control=control,
        left=left,
        away=away,
        stands_still=still,
        waits=waits,
        added_hours=game.added_hours,
        adjourned_until=adjourned_until(game, now) if game.status == Status.PLAYING else None,
    )


def start_turn_changes(game: Game, *, seat: Seat, now: datetime, plies: int | None = None) -> dict[str, Any]:
    """The changes that make it the turn of ``seat``; ``plies``: the moves made by then, if the row lags."""
    turn = _turn(game, seat, now, plies=plies)
    return {"turn": seat, "turn_since": now, "added_hours": 0, **_moments(turn, now)}


def end_turn_changes(game: Game, now: datetime) -> dict[str, Any]:
    """The changes when the player on turn has moved."""
    return _over(game, time_control.left_after(turn_of(game), now)) | start_turn_changes(
        game, seat=_next(game), now=now, plies=_plies(game) + 1
    )


def give_changes(game: Game, *, seat: Seat, now: datetime) -> dict[str, Any]:
    """The changes when the player on a seat is given a little time."""
    left = getattr(game, LEFT[seat]) + GIVEN
    setattr(game, LEFT[seat], left)
    return {LEFT[seat]: left, **(moment_changes(game, now) if game.turn == seat else {})}


def lacks_first_moves(game: Game) -> bool:
    """Whether not each side of a game has moved, the opening left aside."""
    return own_plies(game) < 2


def take_back_changes(game: Game, *, seat: Seat, now: datetime, plies: int) -> dict[str, Any]:
    """The changes when moves are taken back up to so many, and it is the turn of ``seat``."""
    changes = _over(game, time_control.left_without_move(turn_of(game), now))
    for name, value in changes.items():
        setattr(game, name, value)
    return changes | start_turn_changes(game, seat=seat, now=now, plies=plies)


def stop_clock_changes(game: Game, now: datetime) -> dict[str, Any]:
    """The changes when a game in progress is over and no clock runs any more."""
    left = time_control.left_at(turn_of(game), now)
    return _over(game, left) | NO_CLOCK


def moment_changes(game: Game, now: datetime) -> dict[str, Any]:
    """The changes of the turn's moments after a vacation was set, ended or used."""
    return _moments(turn_of(game), now)


def last_reminder(game: Game, now: datetime) -> str:
    """The latest reminder that is due: of several that nobody saw to, the one that counts."""
    past = [kind.value for at, kind in time_control.reminders(turn_of(game)) if at <= now]
    return past[-1] if past else game.remind_of


def is_reminded_early(game: Game, now: datetime) -> bool:
    """Whether the reminder that is due was put off by a vacation that nobody has set the clock for yet."""
    moments = {kind.value: at for at, kind in time_control.reminders(turn_of(game))}
    return moments.get(game.remind_of, now) > now


def is_half_gone(game: Game, now: datetime) -> bool:
    """Whether half of the time of the turn has passed; in live games, which nobody is reminded of, never."""
    half = (at for at, kind in time_control.reminders(turn_of(game)) if kind is time_control.Reminder.HALF)
    return any(at <= now for at in half)


def reminder_changes(game: Game, now: datetime) -> dict[str, Any]:
    """The changes once the player was reminded: the next time is the first one after ``now``."""
    return _reminder(turn_of(game), now)


def _away_until(game: Game, seat: Seat, now: datetime) -> datetime | None:
    """The end of the vacation on which a player is now, in a game for which that matters."""
    if not game.vacation or game.status != Status.PLAYING:
        return None
    ends = None
    for begins, end in vacations_of(game, seat, after=now):
        if begins <= (ends or now):
            ends = end
    return ends


def _plies(game: Game) -> int:
    return len(game.moves.split())


def _turn(
    game: Game,
    seat: Seat,
    since: datetime,
    *,
    added: timedelta = time_control.ZERO,
    plies: int | None = None,
) -> Turn:
    control = control_of(game)
    is_first = control.pace is Pace.LIVE and (
        lacks_first_moves(game) if plies is None else plies - opening_plies(game) < 2
    )
    left = None if control.pace is Pace.DAYS else getattr(game, LEFT[seat])
    return Turn(
        control=control,
        left=control.initial if left is None else left,
        since=since,
        added=added,
        away=vacations_of(game, seat, after=since) if game.vacation else (),
        adjourned=tuple(span for span in adjournments(game) if span[1] > since),
        grace=FIRST_MOVE if is_first else time_control.ZERO,
    )


def _over(game: Game, left: timedelta) -> dict[str, Any]:
    """What the player on turn keeps."""
    assert game.turn is not None
    return {} if game.pace == Pace.DAYS else {LEFT[Seat(game.turn)]: left}


def _next(game: Game) -> Seat:
    assert game.turn is not None
    return Seat(game.turn).opponent


def _moments(turn: Turn, now: datetime) -> dict[str, Any]:
    return {"deadline_at": time_control.deadline(turn), **_reminder(turn, now)}


def _reminder(turn: Turn, now: datetime) -> dict[str, Any]:
    reminder = time_control.next_reminder(turn, now)
    return {"remind_at": reminder and reminder[0], "remind_of": reminder[1].value if reminder else ""}
