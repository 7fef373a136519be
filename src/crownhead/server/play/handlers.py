"""Handlers of the games' events: open pages are updated, matches continue, invitations are mailed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any

from django.db.models import Q, QuerySet

from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.events import AccessEnded, AccountClosed
from crownhead.server.accounts.selectors import User, computers
from crownhead.server.core.events import on
from crownhead.server.core.queries.prepared import Prepared
from crownhead.server.live.choices import RUNNING, WAITING_ROOM
from crownhead.server.live.services import Message, publish, publish_all
from crownhead.server.play import events, selectors, tasks
from crownhead.server.play.games.services import account_closing
from crownhead.server.play.invitations import mail
from crownhead.server.play.invitations import selectors as invitation_selectors
from crownhead.server.play.matches import services as match_services
from crownhead.server.play.models import Games, Seat
from crownhead.server.play.plans import services as plan_services
from crownhead.server.web.badges import badge
from crownhead.server.web.first_steps import done_by

PUBLIC_EVENTS: tuple[type[events.GameChanged], ...] = (
    events.GameCreated,
    events.GameWithdrawn,
    events.GameExpired,
    events.GameDeclined,
    events.DrawOffered,
    events.DrawDeclined,
    events.TakeBackAsked,
    events.TakeBackDeclined,
    events.MovesTakenBack,
    events.TimeChanged,
    events.GameAdjourned,
    events.GameAnnulled,
    events.GameEnded,
)


_CHANGE_THE_WAITING_ROOM = (
    events.GameCreated,
    events.GameStarted,
    events.GameWithdrawn,
    events.GameExpired,
)
_CHANGE_WHAT_RUNS = (events.GameStarted, events.GameEnded)
PLAYER_EVENTS = (events.ChatWritten, events.AppealMade, events.AppealAnswered)


def publish_to_everybody(event: events.GameChanged, **more: Any) -> None:
    """Tell the watchers of the game and the two players; they fetch what they want to know."""
    payload, messages = _payload(event) | more, []
    if event.is_public:  # those who watched before a hidden game began get nothing more
        messages.append(Message(f"game:{event.game_id}", "game", payload))
    people = {event.creator_id, event.first_id, event.second_id, event.invited_id}
    messages += [Message(f"user:{user_id}", "me", payload) for user_id in sorted(people - {None})]  # type: ignore[type-var]
    messages += [Message(f"game:{name}", "list", {"id": name}) for name in _lists_changed_by(event)]
    publish_all(messages)


def _lists_changed_by(event: events.GameChanged) -> list[str]:
    """The lists of games in which something has come or gone."""
    lists = []
    if isinstance(event, _CHANGE_THE_WAITING_ROOM) and event.is_open:
        lists.append(WAITING_ROOM)
    if isinstance(event, _CHANGE_WHAT_RUNS) and event.is_public:
        lists.append(RUNNING)
    return lists


@on(events.GameStarted)
def publish_start(event: events.GameStarted) -> None:
    """Tell everybody; the pages of the players take them to a live game."""
    publish_to_everybody(event, began=event.pace)


@on(events.PlayerLeft)
def publish_absence(event: events.PlayerLeft) -> None:
    """Tell the other player and the watchers."""
    publish_to_everybody(event, presence={event.seat: event.claim_at.isoformat()})


@on(events.PlayerReturned)
def publish_return(event: events.PlayerReturned) -> None:
    """Tell the other player and the watchers."""
    publish_to_everybody(event, presence={event.seat: None})


@on(events.MovePlayed)
def publish_move(event: events.MovePlayed) -> None:
    """Tell them of a move with all that it changes; only the players what they may do now."""
    messages = []
    if event.is_public:
        messages.append(_message(f"game:{event.game_id}", "game", event, event.news.public))
    messages += [
        _message(f"user:{user_id}", "me", event, event.news.of_players[seat])
        for seat, user_id in ((Seat.FIRST, event.first_id), (Seat.SECOND, event.second_id))
        if user_id is not None
    ]
    publish_all(messages)


def publish_to_players(event: events.GameChanged) -> None:
    """Tell the two players of what is nobody else's business."""
    _publish(event, {event.first_id, event.second_id})


@on(events.PlansWait)
def make_planned_moves(event: events.PlansWait) -> None:
    """Leave the planned moves that are left to a worker."""
    tasks.make_planned_moves.enqueue(event.game_id)


@on(events.ClocksWait)
def set_clocks(event: events.ClocksWait) -> None:
    """Leave the clocks that are left to a worker."""
    tasks.set_clocks.enqueue(event.user_id)


@on(events.PlanChanged)
def publish_to_planner(event: events.PlanChanged) -> None:
    """Conditional moves are their owner's secret."""
    _publish(event, {event.first_id if event.seat == "first" else event.second_id})


def _publish(event: events.GameChanged, people: set[int | None]) -> None:
    for user_id in sorted(user_id for user_id in people if user_id is not None):
        publish(topic=f"user:{user_id}", kind="me", payload=_payload(event))


def _message(topic: str, kind: str, event: events.MovePlayed, move: Mapping[str, Any]) -> Message:
    return Message(topic, kind, _payload(event) | {"move": move})


def _payload(event: events.GameChanged) -> dict[str, Any]:
    return {"id": event.game_id, "version": event.version, "status": event.status, "turn": event.turn}


for kind in PUBLIC_EVENTS:
    on(kind)(publish_to_everybody)
for private in PLAYER_EVENTS:
    on(private)(publish_to_players)


@on(events.GameEnded)
def forget_plans(event: events.GameEnded) -> None:
    """There is nothing left to plan."""
    plan_services.clear_plans(event.game_id)


@on(events.GameEnded)
def count_game_in_match(event: events.GameEnded) -> None:
    """A match goes on, or is over, with its game."""
    match_services.count(game_id=event.game_id, now=event.seen_at)


@on(AccountClosed)
def end_games_of_closed_account(event: AccountClosed) -> None:
    """Nobody waits for somebody who is gone: the worker ends their games and offers."""
    if account_closing.hold_everything_of(user_id=event.user_id, now=event.at):
        tasks.end_games_of_closed_account.enqueue(event.user_id)


@on(AccessEnded)
def withdraw_offers_of_locked_account(event: AccessEnded) -> None:
    """Nobody takes a game of somebody who can't come to play it."""
    if accounts.user(event.user_id) is None and account_closing.has_offers(event.user_id):
        tasks.end_games_of_closed_account.enqueue(event.user_id)


@on(events.InvitedByMail)
def send_invitation_mail(event: events.InvitedByMail) -> None:
    """Store the mail in the same transaction."""
    mail.send(event)


@badge("on_turn")
def _games_on_turn(user: User, _now: datetime) -> Games:
    return selectors.games_to_move(user=user)


@done_by("game")
def _has_played_people(user: User) -> bool:
    _with_computer, with_people = _games_that_show_it(_computers() or _NOBODY)
    return bool(with_people.rows(user_id=user.pk))


@done_by("computer")
def _has_played_the_computer(user: User) -> bool:
    keys = _computers()
    return bool(keys) and bool(_games_that_show_it(keys)[0].rows(user_id=user.pk))


_NOBODY = (0,)


def _computers() -> tuple[int, ...]:
    return tuple(computer.pk for computer in computers())


@lru_cache(maxsize=16)
def _games_that_show_it(keys: tuple[int, ...]) -> tuple[Prepared[Any], Prepared[Any]]:
    """One game of a member with these computers, and one with anybody else."""
    with_computer = Q(first_player__in=keys) | Q(second_player__in=keys) | Q(invited__in=keys)

    def own(user_id: int) -> QuerySet[Any, Any]:
        return selectors.games_of(user=User(pk=user_id)).values_list("pk")

    return (
        Prepared(lambda user_id: own(user_id).filter(with_computer)[:1], user_id=int),
        Prepared(lambda user_id: own(user_id).exclude(with_computer)[:1], user_id=int),
    )


@badge("invitations")
def _invitations(user: User, now: datetime) -> Games:
    return invitation_selectors.received(user=user, now=now).order_by()
