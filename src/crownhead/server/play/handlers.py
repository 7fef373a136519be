"""What the games' events set off here: open pages are told, in the transaction of the change."""

from __future__ import annotations

from crownhead.server.core.events import on
from crownhead.server.live.services import publish
from crownhead.server.play import events

TOLD: tuple[type[events.GameChanged], ...] = (
    events.GameCreated,
    events.GameWithdrawn,
    events.GameExpired,
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
    publish(topic=f"game:{event.game_id}", kind="game", payload=payload)
    people = {event.creator_id, event.first_id, event.second_id}
    for user_id in sorted(user_id for user_id in people if user_id is not None):
        publish(topic=f"user:{user_id}", kind="me", payload=payload)


for kind in TOLD:
    on(kind)(tell_open_pages)
