"""What players ask of the staff, and what the staff decide; every decision is kept with its reason."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from crownhead import Termination
from crownhead.server.accounts.selectors import User
from crownhead.server.core.events import emit
from crownhead.server.core.problems import Conflict, Forbidden, NotFound, Unprocessable
from crownhead.server.play import endings, problems
from crownhead.server.play.acting import act, checked_text, not_in_progress
from crownhead.server.play.choices import Claim, StaffVerb
from crownhead.server.play.events import AppealAnswered, AppealMade, GameAnnulled, about
from crownhead.server.play.models import Appeal, Game, Seat, StaffAct, Status
from crownhead.server.play.options import Result

LONGEST_REASON = 2000


def appeal(*, user: User, game_id: str, claim: str, reason: str, now: datetime) -> Game:
    """Ask the staff to declare a win of one's own, or a draw; once until they have answered."""
    if claim not in Claim.values:
        raise Unprocessable(f"claim: expected win or draw, got {claim[:60]!r}")
    kept = checked_text("reason", reason, longest=LONGEST_REASON)

    def ask(game: Game, seat: Seat) -> None:
        if Appeal.objects.filter(game=game, seat=seat, answered_at=None).exists():
            raise problems.AlreadyAsked("expected the staff to answer your first request before another")
        Appeal.objects.create(game=game, seat=seat, claim=claim, reason=kept, asked_at=now)
        emit(about(AppealMade, game, seat=seat))

    return act(user=user, game_id=game_id, now=now, do=ask)


def appeals(*, game: Game) -> QuerySet[Appeal]:
    """What the staff were asked about a game, in order: for its players and the staff."""
    return Appeal.objects.filter(game=game).order_by("pk")


def answer_appeal(*, staff: User, appeal_id: int, granted: bool, answer: str, now: datetime) -> None:
    """Grant what a player asks for, which ends the game, or refuse it; the answer is kept as the reason."""
    _expect_staff(staff)
    kept = checked_text("answer", answer, longest=LONGEST_REASON)
    with transaction.atomic():
        found = Appeal.objects.select_for_update().filter(pk=appeal_id).select_related("game").first()
        if found is None:
            raise NotFound("expected a request of a player")
        game = endings.locked(found.game.public_id)
        endings.settle(game, now)
        if found.answered_at is not None:
            raise Conflict("expected a request that is not answered yet")
        if granted:
            result = Result.DRAW if found.claim == Claim.DRAW else Result(found.seat)
            _decide(game, staff, result, kept, now)
        else:
            _log(game, staff, StaffVerb.REFUSED, kept, now)
        Appeal.objects.filter(pk=found.pk).update(
            granted=granted, answer=kept, answered_by=staff, answered_at=now
        )
        emit(about(AppealAnswered, game, seat=found.seat))


def adjudicate(*, staff: User, game_id: str, result: str, reason: str, now: datetime) -> Game:
    """Declare a result of a game in progress; the reason is kept.

    ``result``: ``first``, ``second``, ``draw``, or ``nothing`` for a game that shall not count.
    """
    _expect_staff(staff)
    if result not in [choice.value for choice in Result]:
        raise Unprocessable(f"result: expected first, second, draw or nothing, got {result[:60]!r}")
    kept = checked_text("reason", reason, longest=LONGEST_REASON)
    with transaction.atomic():
        game = endings.locked(game_id)
        endings.settle(game, now)
        if game.status == Status.PLAYING:
            _decide(game, staff, Result(result), kept, now)
            return game
    raise not_in_progress(game)


def annul(*, staff: User, game_id: str, reason: str, now: datetime) -> Game:
    """Say that a finished game counts for nothing; the reason is kept."""
    _expect_staff(staff)
    kept = checked_text("reason", reason, longest=LONGEST_REASON)
    with transaction.atomic():
        game = endings.locked(game_id)
        if game.status != Status.FINISHED:
            raise Conflict(f"expected a game that is over, this one is {game.status}")
        if game.annulled:
            raise Conflict("expected a game that counts, this one counts for nothing already")
        endings.update(game, annulled=True)
        _log(game, staff, StaffVerb.ANNULLED, kept, now)
        emit(about(GameAnnulled, game))
    return game


def _decide(game: Game, staff: User, result: Result, reason: str, now: datetime) -> None:
    if game.status != Status.PLAYING:
        raise not_in_progress(game)
    winner = Seat(result.value) if result in (Result.FIRST, Result.SECOND) else None
    _log(game, staff, StaffVerb.ADJUDICATED, reason, now, result=result)
    endings.end(
        game,
        winner=winner,
        termination=Termination.ADJUDICATION,
        at=now,
        annulled=result is Result.NOTHING,
        adjudication_reason=reason,
        adjudicated_by=staff,
    )


def _log(game: Game, staff: User, verb: StaffVerb, reason: str, now: datetime, *, result: str = "") -> None:
    StaffAct.objects.create(game=game, staff=staff, verb=verb, result=result, reason=reason, done_at=now)


def _expect_staff(staff: User) -> None:
    if not (staff.is_active and staff.is_staff):
        raise Forbidden("expected a member of the staff")
