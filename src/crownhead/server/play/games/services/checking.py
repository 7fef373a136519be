"""Whether the rows of games fit together: each replays; turn, deadline and result follow from that."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db import transaction
from django_tasks import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from crownhead import CrownheadError
from crownhead.server.core.background.checks import Finding
from crownhead.server.play import tasks
from crownhead.server.play.clocks import time_control, timing
from crownhead.server.play.games.selectors.replay import full_tokens, replay_strictly, seat_of
from crownhead.server.play.games.services import account_closing
from crownhead.server.play.matches import services as matches
from crownhead.server.play.models import Game, Match, Seat, Status

AT_ONCE = 500
_SCORE = ("creator_score", "opponent_score", "creator_wins", "opponent_wins")


def findings_of_games(repair: bool) -> Iterator[Finding]:
    """What does not fit together in games, one after the other."""
    after = 0
    while part := list(Game.objects.filter(pk__gt=after).order_by("pk")[:AT_ONCE]):
        for game in timing.prefetch_vacations(part):
            if _wrong(game):
                yield from _once_more(game.pk, repair=repair)
        after = part[-1].pk


def findings_of_matches(repair: bool) -> Iterator[Finding]:
    """Matches whose score does not follow from their games."""
    for match in Match.objects.order_by("pk").iterator(AT_ONCE):
        due = Match(creator=match.creator)
        for game in Game.objects.filter(match=match, status=Status.FINISHED):
            matches.add_score(due, game)
        wrong = [name for name in _SCORE if getattr(due, name) != getattr(match, name)]
        if wrong:
            if repair:
                Match.objects.filter(pk=match.pk).update(**{name: getattr(due, name) for name in wrong})
            yield Finding(f"Match {match.public_id}: its score does not follow from its games.", repair)


def _once_more(pk: int, *, repair: bool) -> Iterator[Finding]:
    """The findings of a game that is read again: it may have moved on while it was looked at."""
    with transaction.atomic():
        game = Game.objects.select_for_update(no_key=True).filter(pk=pk).first()
        wrong = {} if game is None else _wrong(game)
        changes = {name: value for found in wrong.values() for name, value in found.items()}
        if game is not None and repair and changes:
            Game.objects.filter(pk=pk).update(**changes)
    for sentence, found in wrong.items():
        yield Finding(f"Game {game.public_id if game else pk}: {sentence}", bool(repair and found))


def _wrong(game: Game) -> dict[str, dict[str, Any]]:
    """What is wrong with a row, a sentence each, with the changes that set it right where that is safe."""
    try:
        record = replay_strictly(game)
    except (CrownheadError, LookupError, ValueError) as error:
        return {f"it cannot be replayed: {error}.": {}}
    wrong: dict[str, dict[str, Any]] = {}
    if full_tokens(record) != game.moves:
        wrong["its moves are not written with their full paths."] = {}
    if len(record.moves) + game.turned_back != game.version:
        wrong[f"its version is {game.version}, but it has {len(record.moves)} moves."] = {}
    outcome = record.outcome()
    if game.status == Status.PLAYING:
        wrong |= _wrong_turn(game, seat_of(record.variant, record.position.turn))
        if outcome is not None:
            wrong["it goes on, but is over on the board."] = {}
    elif game.status == Status.FINISHED and outcome is not None:
        winner = None if outcome.winner is None else seat_of(record.variant, outcome.winner)
        if game.termination == outcome.termination.value and game.winner != winner:
            wrong["its result is not the one of its last position."] = {}
    elif game.status in {Status.WAITING, Status.EXPIRED} and record.moves and game.opening is None:
        wrong["it has moves, but has not begun."] = {}
    return wrong


def _wrong_turn(game: Game, seat: Seat) -> dict[str, dict[str, Any]]:
    if game.turn != seat:
        return {f"it is the turn of {seat}, not of {game.turn}.": {}}
    turn = timing.turn_of(game)
    deadline = time_control.deadline(turn)
    if game.deadline_at == deadline or account_closing.is_held(game, deadline):
        return {}
    if game.vacation and _is_left_to_worker(timing.player_on(game, seat)):
        return {}
    sentence = f"its deadline is {game.deadline_at:%Y-%m-%d %H:%M:%S}, not {deadline:%Y-%m-%d %H:%M:%S}."
    return {sentence: timing.moment_changes(game, turn.since)}


def _is_left_to_worker(user_id: int | None) -> bool:
    """Whether the clocks of this player's games are about to be set."""
    waiting = DBTaskResult.objects.filter(
        status__in=[TaskResultStatus.READY, TaskResultStatus.RUNNING], task_path=tasks.set_clocks.module_path
    )
    return waiting.filter(args_kwargs__args=[user_id]).exists()
