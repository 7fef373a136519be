"""Players enter tournaments, withdraw, pause and ask for byes."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import F, Q
from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.accounts.services.leftovers import closed_with, sweep_closed
from crownhead.server.competitions import selectors
from crownhead.server.competitions.access import (
    entrant_of,
    expect_status,
    format_of_tournament,
    is_full,
    lock_tournament,
    publish_change,
    schedule,
)
from crownhead.server.competitions.choices import Start, Withdrawal
from crownhead.server.competitions.events import Entered, Withdrew, about
from crownhead.server.competitions.models import Answer, Entrant, Invitation, Status, Tournament
from crownhead.server.competitions.selectors.entries import expect_as_shown, most_byes, refusal
from crownhead.server.competitions.services import invitations, leaving, substitution
from crownhead.server.competitions.services.impartial import forget_seeds_of
from crownhead.server.core import limits
from crownhead.server.core.background.one_by_one import one_by_one
from crownhead.server.core.events import emit
from crownhead.server.core.jobs import sweep
from crownhead.server.core.problems import Conflict, Unprocessable
from crownhead.server.ratings import selectors as ratings

_STILL_IN = Q(left=None, tournament__status__in=[Status.ENTRY, Status.RUNNING])


def enter(*, user: User, tournament_id: str, now: datetime, shown: str | None = None) -> Entrant:
    """Enter a tournament, or accept an invitation to it; entering twice changes nothing.

    ``shown``: the ``offer`` that the user has read. Raises ``Conflict`` if it has changed, the problem that
    forbids it, and ``TooMany`` for somebody who enters and leaves all day.
    """
    with transaction.atomic():
        substitute = _invitation_to_substitute(tournament_id, user)
        if substitute is not None:
            return substitution.take_over(
                tournament=substitute.tournament, invitation=substitute, shown=shown, now=now
            )
        tournament = lock_tournament(tournament_id)
        row = Entrant.objects.filter(tournament=tournament, user=user, left=None).first()
        if row is not None and tournament.status in {Status.ENTRY, Status.RUNNING}:
            return row
        invitation = selectors.open_invitation(tournament, user)
        expect_as_shown(tournament, invitation, shown)
        problem = refusal(tournament, user)
        if problem is not None:
            raise problem
        limits.spend(scope="entries", who=f"user:{user.pk}")
        if invitation is not None:
            invitations.note_answer(tournament, invitation, Answer.ACCEPTED, now)
        return _add_entrant(tournament, user, now)


def _invitation_to_substitute(tournament_id: str, user: User) -> Invitation | None:
    rows = Invitation.objects.filter(tournament__public_id=tournament_id, user=user, answer=Answer.OPEN)
    return rows.exclude(place=None).select_related("tournament__host", "by", "place__user", "user").first()


def _add_entrant(tournament: Tournament, user: User, now: datetime) -> Entrant:
    """Give a player who wants it a place in a locked tournament."""
    row = Entrant.objects.create(
        tournament=tournament,
        user=user,
        rating=ratings.points_of(user.pk, tournament.variant),
        entered=tournament.rounds_made + 1,
        entered_at=now,
    )
    if tournament.status == Status.ENTRY:
        forget_seeds_of(user, tournament, now)
    tournament.size += 1
    if tournament.status == Status.RUNNING or (tournament.start == Start.FULL and is_full(tournament)):
        tournament.due_at = now
    tournament.save(update_fields=["size", "due_at"])
    emit(about(Entered, tournament, user_id=user.pk))
    publish_change(tournament)
    return row


def withdraw(*, user: User, tournament_id: str, now: datetime) -> None:
    """Withdraw from a tournament: before the start without a trace, later by the tournament's terms.

    The worker resigns the open games.
    """
    with transaction.atomic():
        _leave(user, tournament_id, now)
    if _loses_open_games(tournament_id):
        games = selectors.open_game_ids(tournament_id, user.pk)
        with transaction.atomic():
            leaving.end_games(games, leaving.Ending(user), now)


def _leave(user: User, tournament_id: str, now: datetime) -> None:
    """Take the user out of the tournament, but for the games in progress; a worker forfeits those to come."""
    tournament = lock_tournament(tournament_id)
    row = Entrant.objects.filter(tournament=tournament, user=user, left=None).first()
    if row is None:
        return
    if tournament.status == Status.ENTRY:
        _remove_entrant(tournament, row)
    else:
        expect_status(tournament, Status.RUNNING)
        row.left = tournament.rounds_made
        row.save(update_fields=["left"])
    emit(about(Withdrew, tournament, user_id=user.pk, expelled=False))
    if tournament.status == Status.RUNNING:
        schedule(tournament, now)
    publish_change(tournament)


def is_expected(user_id: int) -> bool:
    """Whether a tournament that is not over has somebody among its players, or has invited them."""
    return bool(_entered(user_id)) or Invitation.objects.filter(user=user_id).exists()


def forget(*, user_id: int, now: datetime) -> None:
    """Withdraw the user of a closed account from tournaments that are not over, each in its own transaction.

    Their games end with those of no tournament: ``play`` sees to that. Doing it again changes nothing.
    """
    user = User.objects.get(pk=user_id)
    if user.closed_at is None:
        return
    one_by_one(
        _entered(user_id),
        transaction.atomic(lambda tournament_id: _leave(user, tournament_id, now)),
        failing="a closed account cannot be withdrawn from tournament %s",
    )
    sweep(Invitation.objects.filter(user=user_id))


def forget_closed_accounts(*, now: datetime) -> None:
    """Come back to what a worker has left of closed accounts."""
    one_by_one(
        closed_with(Entrant.objects.filter(_STILL_IN), now=now),
        lambda user_id: forget(user_id=user_id, now=now),
        failing="the closed account %s cannot be withdrawn from its tournaments",
    )
    sweep_closed(Invitation.objects.all(), now=now)


def _entered(user_id: int) -> list[str]:
    """The tournaments to leave."""
    rows = Entrant.objects.filter(_STILL_IN, user=user_id).order_by("tournament_id")
    return list(rows.values_list("tournament__public_id", flat=True))


def be_here(*, user: User, tournament_id: str, here: bool, now: datetime) -> None:
    """Resume or pause in an arena; the tables stay as they are, and so does their version."""
    with transaction.atomic():
        tournament = lock_tournament(tournament_id)
        expect_status(tournament, Status.ENTRY, Status.RUNNING)
        if not format_of_tournament(tournament).timed:
            raise Conflict(_("You can only pause in an arena."))
        row = entrant_of(tournament, user)
        if row.here == here:
            return
        limits.spend(scope="pauses", who=f"user:{user.pk}")
        row.here = here
        row.save(update_fields=["here"])
        if here and tournament.status == Status.RUNNING:
            schedule(tournament, now)


def ask_bye(*, user: User, tournament_id: str, number: int) -> None:
    """Ask for a half-point bye in a coming round; asking again takes it back.

    Raises ``TooMany`` for somebody who does so all day: a round that is being paired is paired once more.
    """
    with transaction.atomic():
        tournament = lock_tournament(tournament_id)
        expect_status(tournament, Status.ENTRY, Status.RUNNING)
        most = most_byes(tournament)
        if not most:
            raise Conflict(_("You can't ask for a bye in this tournament."))
        limits.spend(scope="entries", who=f"user:{user.pk}")
        row = entrant_of(tournament, user)
        if number <= tournament.rounds_made:
            raise Unprocessable(
                _("Choose a round after round %(rounds_made)s.") % {"rounds_made": tournament.rounds_made},
                field="round",
            )
        byes = set(row.off) ^ {number}
        if len(byes) > most:
            raise Conflict(_("You can ask for at most %(most)s.") % {"most": most}, field="round")
        row.off = sorted(byes)
        row.save(update_fields=["off"])


def _remove_entrant(tournament: Tournament, row: Entrant) -> None:
    invitations.keep_removals(row)
    row.delete()
    Tournament.objects.filter(pk=tournament.pk).update(size=F("size") - 1)


def _loses_open_games(tournament_id: str) -> bool:
    rows = Tournament.objects.filter(public_id=tournament_id, status=Status.RUNNING)
    return rows.filter(withdrawal=Withdrawal.FORFEIT).exists()
