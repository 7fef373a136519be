"""Handlers of events, inside the same transaction: results, annulled games, who leaves, what closes."""

from __future__ import annotations

from crownhead import Termination
from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.events import AccountClosed
from crownhead.server.core.events import on
from crownhead.server.ladders import tasks
from crownhead.server.ladders.events import GamesLeft, LadderClosed
from crownhead.server.ladders.selectors.terms import KIND
from crownhead.server.ladders.services import challenges, leaving, voiding
from crownhead.server.ladders.services.challenges import Result
from crownhead.server.play.choices import FORFEIT
from crownhead.server.play.events import GameAnnulled, GameEnded

_FLIGHT = (Termination.TIME.value, FORFEIT)


@on(GameEnded)
def count_game_in_challenge(event: GameEnded) -> None:
    """Count a game of a challenge that is over."""
    if event.contest is None or event.contest.kind != KIND or event.first_id is None:
        return
    fled = _fled(event)
    result = Result(
        game_id=event.game_id,
        first_id=event.first_id,
        half_points=event.half_points,
        fled=fled,
        closed=fled is not None and event.annulled and _is_closed(event, fled),
    )
    challenges.count(ladder_id=event.contest.event, result=result, now=event.seen_at)


@on(GameAnnulled)
def annul_game_in_challenge(event: GameAnnulled) -> None:
    """Annul a game of an open challenge; if the challenge is over too, the staff correct the places."""
    if event.contest is not None and event.contest.kind == KIND:
        challenges.annul_game(ladder_id=event.contest.event, game_id=event.game_id)


@on(AccountClosed)
def remove_closed_account(event: AccountClosed) -> None:
    """Have the worker take a closed account off its ladders; who has a challenge is on one."""
    if leaving.is_on_one(event.user_id):
        tasks.leave_ladders_of_closed_account.enqueue(event.user_id)


@on(GamesLeft)
def end_unplayed_games(event: GamesLeft) -> None:
    """Leave them to the worker: a game is locked before its ladder."""
    tasks.end_unplayed_games.enqueue(list(event.game_ids), event.user_id)


@on(LadderClosed)
def void_challenges(event: LadderClosed) -> None:
    """Leave to the worker the challenges that were too many."""
    if voiding.is_left(event.ladder_id):
        tasks.void_challenges_of_closed_ladder.enqueue(event.ladder_id)


def _is_closed(event: GameEnded, seat: str) -> bool:
    """Whether the game was resigned because the account in this seat was closed."""
    if event.termination != Termination.RESIGNATION.value:
        return False
    key = event.first_id if seat == "first" else event.second_id
    return key is not None and accounts.user(key) is None


def _fled(event: GameEnded) -> str | None:
    """The seat that did not finish the game: lost on time, forfeited, or resigned right away."""
    if event.winner is None:
        return None
    gave_up = event.annulled and event.termination == Termination.RESIGNATION.value
    if gave_up or event.termination in _FLIGHT:
        return "second" if event.winner == "first" else "first"
    return None
