"""What players ask of the staff, and what staff and directors decide; every action is logged with its reason.

The director of a contest may do to its games what staff may do to any: a caller with
``as_director`` has seen to it that ``by`` directs the contest to which the game belongs.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from crownhead import Termination
from crownhead.server.accounts.access import expect_staff
from crownhead.server.accounts.selectors import User
from crownhead.server.core import limits
from crownhead.server.core.events import emit
from crownhead.server.core.monitoring.security import SecurityEvent, record_change
from crownhead.server.core.problems import Conflict, NotFound, Unprocessable
from crownhead.server.play import problems
from crownhead.server.play.access import check_text, not_in_progress, perform_action
from crownhead.server.play.choices import FORFEIT, Claim, StaffVerb
from crownhead.server.play.clocks import timing
from crownhead.server.play.events import AppealAnswered, AppealMade, GameAdjourned, GameAnnulled, game_event
from crownhead.server.play.games import endings
from crownhead.server.play.games.options import Result
from crownhead.server.play.games.selectors.replay import lacks_moves
from crownhead.server.play.models import Appeal, Game, Seat, StaffAction, Status

LONGEST_REASON = 2000
LONGEST_ADJOURNMENT = timedelta(days=366)
MAX_ADJOURNMENTS = 5  # of one game in a day, by directors: its players are notified of each
_DAY = timedelta(days=1)


def appeal(*, user: User, game_id: str, claim: str, reason: str, now: datetime) -> Game:
    """Ask the staff to declare a win for the user, or a draw; once until they have answered.

    Not in a game against the computer, of which there is any number. Raises ``TooMany`` for somebody who
    asks often.
    """
    if claim not in Claim.values:
        raise Unprocessable(
            _("Choose win or draw, not %(given)s.") % {"given": repr(claim[:60])}, field="claim"
        )
    checked = check_text("reason", reason, longest=LONGEST_REASON)

    def ask(game: Game, seat: Seat) -> None:
        if game.computer_ids:
            raise Conflict(_("Games against the computer never count, so the staff don't decide them."))
        if Appeal.objects.filter(game=game, seat=seat, answered_at=None).exists():
            raise problems.AlreadyAsked(_("The staff have not answered your first request yet."))
        limits.spend(scope="reports", who=f"user:{user.pk}")
        Appeal.objects.create(game=game, seat=seat, claim=claim, reason=checked, asked_at=now)
        emit(game_event(AppealMade, game, seat=seat))

    return perform_action(user=user, game_id=game_id, now=now, do=ask)


def answer_appeal(*, staff: User, appeal_id: int, granted: bool, answer: str, now: datetime) -> None:
    """Grant what a player asks for, which ends the game, or refuse it; the answer is kept as the reason."""
    expect_staff(staff)
    checked = check_text("answer", answer, longest=LONGEST_REASON)
    rows = Appeal.objects.filter(pk=appeal_id)
    game_id = rows.values_list("game__public_id", flat=True).first()
    if game_id is None:
        raise NotFound(_("There is no such request."))
    with endings.settled(game_id, now) as game:
        appeal = rows.get()  # as it is for the one who holds the game
        if appeal.answered_at is not None:
            raise Conflict(_("This request has already been answered."))
        if granted:
            result = Result.DRAW if appeal.claim == Claim.DRAW else Result(appeal.seat)
            _decide(game, staff, result, checked, now)
        else:
            _log(game, staff, StaffVerb.REFUSED, checked, now)
        rows.update(granted=granted, answer=checked, answered_by=staff, answered_at=now)
        emit(game_event(AppealAnswered, game, seat=appeal.seat))


def adjudicate(
    *, by: User, game_id: str, result: str, reason: str, now: datetime, as_director: bool = False
) -> Game:
    """Declare a result of a game in progress; the reason is kept.

    A game in which not both sides have made their moves is not rated, whatever is declared.
    ``result``: ``first``, ``second``, ``draw``, or ``nothing`` for a game that does not count.
    """
    if result not in [choice.value for choice in Result]:
        raise Unprocessable(
            _("Choose first, second, draw or nothing, not %(given)s.") % {"given": repr(result[:60])},
            field="result",
        )

    def decide(game: Game, checked: str) -> None:
        _decide(game, by, Result(result), checked, now, as_director=as_director)

    return _decide_running_game(
        by=by, as_director=as_director, game_id=game_id, reason=reason, now=now, do=decide
    )


def forfeit(
    *, by: User, game_id: str, loser: Seat | None, reason: str, now: datetime, as_director: bool = False
) -> Game:
    """Declare a game in progress lost for one side, or for both: None; the reason is kept."""

    def declare(game: Game, checked: str) -> None:
        result = "both" if loser is None else loser.value
        _log(game, by, StaffVerb.FORFEITED, checked, now, result=result, as_director=as_director)
        _end(
            game,
            by,
            checked,
            now,
            winner=loser and loser.opponent,
            termination=FORFEIT,
            nothing=loser is None,
        )

    return _decide_running_game(
        by=by, as_director=as_director, game_id=game_id, reason=reason, now=now, do=declare
    )


def adjourn(
    *,
    by: User,
    game_id: str,
    until: datetime | None,
    reason: str,
    now: datetime,
    as_director: bool = False,
) -> Game:
    """Let the clock of a game in progress stand still until a moment; None: let it go on now.

    Who is on turn may still move. A moment given later replaces the one before. Raises ``Conflict`` for a
    director who adjourns the game again and again.
    """
    if until is not None and not now < until <= now + LONGEST_ADJOURNMENT:
        latest = now + LONGEST_ADJOURNMENT
        raise Unprocessable(
            _("Choose a time in the future, before %(latest)s.")
            % {"latest": date_format(latest, "DATE_FORMAT")},
            field="until",
        )

    def stop(game: Game, checked: str) -> None:
        if until is None and timing.adjourned_until(game, now) is None:
            raise Conflict(_("This game is not adjourned."))
        if until is not None and as_director:
            _expect_seldom_adjourned(game, now)
        _log(
            game,
            by,
            StaffVerb.RESUMED if until is None else StaffVerb.ADJOURNED,
            checked,
            now,
            as_director=as_director,
        )
        endings.update(game, **timing.adjourn(game, until=until, now=now))
        emit(game_event(GameAdjourned, game, until=until))

    return _decide_running_game(
        by=by, as_director=as_director, game_id=game_id, reason=reason, now=now, do=stop
    )


def _expect_seldom_adjourned(game: Game, now: datetime) -> None:
    rows = StaffAction.objects.filter(game=game, verb=StaffVerb.ADJOURNED, as_director=True)
    if rows.filter(done_at__gt=now - _DAY).count() >= MAX_ADJOURNMENTS:
        raise Conflict(
            _("Directors can adjourn a game at most %(most)s times a day.") % {"most": MAX_ADJOURNMENTS}
        )


def annul(*, staff: User, game_id: str, reason: str, now: datetime, as_director: bool = False) -> Game:
    """Say that a finished game counts for nothing; the reason is kept."""
    if not as_director:
        expect_staff(staff)
    checked = check_text("reason", reason, longest=LONGEST_REASON)
    with transaction.atomic():
        game = endings.lock_game(game_id)
        if game.status != Status.FINISHED:
            raise Conflict(_("This game is not over; its status is %(status)s.") % {"status": game.status})
        if game.annulled:
            raise Conflict(_("This game has already been annulled."))
        endings.update(game, annulled=True)
        _log(game, staff, StaffVerb.ANNULLED, checked, now, as_director=as_director)
        emit(game_event(GameAnnulled, game))
    return game


def _decide_running_game(
    *,
    by: User,
    as_director: bool,
    game_id: str,
    reason: str,
    now: datetime,
    do: Callable[[Game, str], None],
) -> Game:
    """Do something to a game in progress, with a reason; time that has run out comes first, and stays."""
    if not as_director:
        expect_staff(by)
    checked = check_text("reason", reason, longest=LONGEST_REASON)
    with endings.settled(game_id, now) as game:
        if game.status == Status.PLAYING:
            do(game, checked)
            return game
    raise not_in_progress(game)


def _decide(
    game: Game, by: User, result: Result, reason: str, now: datetime, *, as_director: bool = False
) -> None:
    if game.status != Status.PLAYING:
        raise not_in_progress(game)
    winner = Seat(result.value) if result in (Result.FIRST, Result.SECOND) else None
    _log(game, by, StaffVerb.ADJUDICATED, reason, now, result=result, as_director=as_director)
    _end(
        game,
        by,
        reason,
        now,
        winner=winner,
        termination=Termination.ADJUDICATION,
        nothing=result is Result.NOTHING,
    )


def _end(
    game: Game,
    by: User,
    reason: str,
    now: datetime,
    *,
    winner: Seat | None,
    termination: str,
    nothing: bool,
) -> None:
    decided: dict[str, Any] = {"adjudication_reason": reason, "adjudicated_by": by}
    if lacks_moves(game) and not endings.is_too_short(game, termination):  # that one is annulled as it ends
        decided["rated"] = False
    if nothing:
        decided["annulled"] = True
    endings.end(game, winner=winner, termination=termination, at=now, **decided)


def _log(
    game: Game,
    by: User,
    verb: StaffVerb,
    reason: str,
    now: datetime,
    *,
    result: str = "",
    as_director: bool = False,
) -> None:
    StaffAction.objects.create(
        game=game, staff=by, verb=verb, result=result, reason=reason, as_director=as_director, done_at=now
    )
    if not as_director:
        record_change(SecurityEvent.STAFF_ACTION, user_id=by.pk, did=str(verb.value), game=game.public_id)
