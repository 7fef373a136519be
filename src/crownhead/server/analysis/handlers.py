"""What calls the computer to its games: the worker is given the task in the same transaction."""

from __future__ import annotations

from crownhead.server.analysis import tasks
from crownhead.server.core.events import on
from crownhead.server.play import events


@on(events.GameCreated)
def accept_game(event: events.GameCreated) -> None:
    """One to which a computer is invited, by somebody who played it before."""
    if event.invited_id is not None and event.invited_id in event.computer_ids:
        tasks.sit_down.enqueue(event.game_id, event.invited_id)


@on(events.GameStarted)
def begin(event: events.GameStarted) -> None:
    """Even where the other side moves first: it wakes the worker, and the first answer comes at once."""
    _call(event)


@on(events.MovePlayed)
def answer_move(event: events.MovePlayed) -> None:
    """By the one who is on turn now."""
    if event.turn is not None:
        _call(event, event.turn)


@on(events.DrawOffered)
def answer_draw_offer(event: events.DrawOffered) -> None:
    """The computer accepts or declines a draw offer."""
    _call(event, _other(event.seat))


@on(events.TakeBackAsked)
def answer_take_back(event: events.TakeBackAsked) -> None:
    """The computer grants take-backs."""
    _call(event, _other(event.seat))


@on(events.MovesTakenBack)
def continue_game(event: events.MovesTakenBack) -> None:
    """From the position that came back, if it is the computer's to move in."""
    if event.turn is not None:
        _call(event, event.turn)


def _call(event: events.ComputerMayAnswer, seat: str | None = None) -> None:
    """Give the worker a task for the computer on that seat, or on any."""
    seats = {"first": event.first_id, "second": event.second_id}
    for name, key in seats.items():
        if key is not None and key in event.computer_ids and seat in {None, name}:
            tasks.take_turn(game_id=event.game_id, computer_id=key, member_id=seats[_other(name)])


def _other(seat: str) -> str:
    return "second" if seat == "first" else "first"
