"""What the games' events set off here: open pages are told, matches go on, invitations are mailed."""

from __future__ import annotations

from crownhead.server.core.events import after, on
from crownhead.server.live.services import publish
from crownhead.server.play import events, invitation_mail, matches

TOLD: tuple[type[events.GameChanged], ...] = (
    events.GameCreated,
    events.GameWithdrawn,
    events.GameExpired,
    events.GameDeclined,
    events.GameStarted,
    events.MovePlayed,
    events.DrawOffered,
    events.DrawDeclined,
    events.TimeChanged,
    events.GameEnded,
)


def tell_open_pages(event: events.GameChanged) -> None:
    """Tell the watchers of the game and the two players; they fetch what they want to know."""
    payload = {"id": event.game_id, "version": event.version, "status": event.status, "turn": event.turn}
    if event.is_public:  # who listened before a hidden game began hears no more
        publish(topic=f"game:{event.game_id}", kind="game", payload=payload)
    people = {event.creator_id, event.first_id, event.second_id, event.invited_id}
    for user_id in sorted(user_id for user_id in people if user_id is not None):
        publish(topic=f"user:{user_id}", kind="me", payload=payload)


for kind in TOLD:
    on(kind)(tell_open_pages)


@on(events.GameEnded)
def count_in_its_match(event: events.GameEnded) -> None:
    """A match goes on, or is over, with its game."""
    matches.count(game_id=event.game_id, now=event.seen_at)


@after(events.InvitedByMail)
def send_the_invitation(event: events.InvitedByMail) -> None:
    """The mail is sent once the invitation stands."""
    invitation_mail.send(event)
