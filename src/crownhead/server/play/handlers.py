"""Handlers of the games' events: open pages are updated, matches continue, invitations are mailed."""

from __future__ import annotations

from typing import Any

from crownhead.server.accounts.events import AccountClosed
from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.core.events import after, on
from crownhead.server.live.services import publish
from crownhead.server.play import events, selectors
from crownhead.server.play.games import account_closing
from crownhead.server.play.invitations import mail
from crownhead.server.play.invitations import selectors as invitation_selectors
from crownhead.server.play.matches import services as match_services
from crownhead.server.play.plans import services as plan_services
from crownhead.server.web.badges import badge

PUBLIC_EVENTS: tuple[type[events.GameChanged], ...] = (
    events.GameCreated,
    events.GameWithdrawn,
    events.GameExpired,
    events.GameDeclined,
    events.GameStarted,
    events.MovePlayed,
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


PLAYER_EVENTS = (events.ChatWritten, events.AppealMade, events.AppealAnswered)


def publish_to_everybody(event: events.GameChanged) -> None:
    """Tell the watchers of the game and the two players; they fetch what they want to know."""
    if event.is_public:  # those who watched before a hidden game began get nothing more
        publish(topic=f"game:{event.game_id}", kind="game", payload=_payload(event))
    _publish(event, {event.creator_id, event.first_id, event.second_id, event.invited_id})


def publish_to_players(event: events.GameChanged) -> None:
    """Tell the two players of what is nobody else's business."""
    _publish(event, {event.first_id, event.second_id})


@on(events.PlanChanged)
def publish_to_planner(event: events.PlanChanged) -> None:
    """Conditional moves are their owner's secret."""
    _publish(event, {event.first_id if event.seat == "first" else event.second_id})


def _publish(event: events.GameChanged, people: set[int | None]) -> None:
    for user_id in sorted(user_id for user_id in people if user_id is not None):
        publish(topic=f"user:{user_id}", kind="me", payload=_payload(event))


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
    """Nobody waits for somebody who is gone."""
    account_closing.end_everything_of(user_id=event.user_id, now=event.at)


@after(events.InvitedByMail)
def send_invitation_mail(event: events.InvitedByMail) -> None:
    """The mail is sent once the invitation stands."""
    mail.send(event)


@badge("on_turn")
def _games_on_turn(user: User) -> int:
    return selectors.games_to_move_count(user=user)


@badge("invitations")
def _invitations(user: User) -> int:
    return invitation_selectors.received(user=user, now=clock.now()).count()
