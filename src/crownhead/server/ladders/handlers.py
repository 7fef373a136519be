"""What happens to games and accounts, as far as ladders go by it; all inside the same transaction."""

from __future__ import annotations

from crownhead import Termination
from crownhead.server.accounts.events import AccountClosed
from crownhead.server.core.events import on
from crownhead.server.ladders.services import challenges, memberships, terms
from crownhead.server.ladders.services.challenges import Result
from crownhead.server.play.choices import FORFEIT
from crownhead.server.play.events import GameAnnulled, GameEnded

_FLIGHT = (Termination.TIME.value, FORFEIT)


@on(GameEnded)
def count(event: GameEnded) -> None:
    """A game of a challenge is over."""
    if event.contest is None or event.contest.kind != terms.KIND or event.first_id is None:
        return
    result = Result(
        game_id=event.game_id,
        first_id=event.first_id,
        half_points=event.half_points,
        fled=_fled(event),
    )
    challenges.count(ladder_id=event.contest.event, result=result, now=event.seen_at)


@on(GameAnnulled)
def forget(event: GameAnnulled) -> None:
    """A game counts for nothing after all; where its challenge is over too, the staff see to the places."""
    if event.contest is not None and event.contest.kind == terms.KIND:
        challenges.forget(ladder_id=event.contest.event, game_id=event.game_id)


@on(AccountClosed)
def take_off(event: AccountClosed) -> None:
    """Who has left the club stands on no ladder."""
    memberships.leave_all(user_id=event.user_id, now=event.at)


def _fled(event: GameEnded) -> str | None:
    """The seat that did not play the game out: lost on time, put out, or gave up before it had begun."""
    if event.winner is None:
        return None
    gave_up = event.annulled and event.termination == Termination.RESIGNATION.value
    if gave_up or event.termination in _FLIGHT:
        return "second" if event.winner == "first" else "first"
    return None
