"""A substitute who accepts the invitation takes over the place of a player."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.competitions import selectors
from crownhead.server.competitions.access import (
    begins_at_once,
    expect_director,
    expect_status,
    lock_tournament,
    note_act,
    schedule,
)
from crownhead.server.competitions.models import (
    Answer,
    Entrant,
    Invitation,
    Pairing,
    Status,
    Tournament,
    Verb,
)
from crownhead.server.competitions.selectors.entries import expect_as_shown, refusal
from crownhead.server.competitions.services import appointments, invitations, leaving, telling
from crownhead.server.competitions.services.impartial import expect_may_replace, forget_seeds_of
from crownhead.server.competitions.services.results import annul_open_games
from crownhead.server.core.problems import Conflict, Forbidden
from crownhead.server.live.selectors import is_here
from crownhead.server.ratings import selectors as ratings


def take_over(*, tournament: Tournament, invitation: Invitation, shown: str | None, now: datetime) -> Entrant:
    """Give the invited player the place with its results; its open games are replayed.

    A place that was paired keeps its seed and rating: schedules and brackets follow from those of the start.
    The director's right to decide about the place is asked again, but not whether they may write now.
    Runs in the caller's transaction, before the tournament is locked: see ``rounds`` on the order of locks.
    """
    place, director = invitation.place, invitation.by or tournament.host
    assert place is not None
    expect_status(tournament, Status.ENTRY, Status.RUNNING)
    expect_as_shown(tournament, invitation, shown)
    if problem := refusal(tournament, invitation.user):
        raise problem
    _expect_may_still_decide(tournament, director, place, invitation.user)
    games = selectors.open_game_ids(tournament.public_id, place.user_id)
    _expect_opponents_here(tournament, place, games)
    leaving.end_games(games, leaving.Ending(place.user, director, invitation.reason, nothing=True), now)
    locked = lock_tournament(tournament.public_id)
    expect_status(locked, Status.ENTRY, Status.RUNNING)
    return _change_places(locked, invitation.user, director, shown, now)


def _expect_may_still_decide(
    tournament: Tournament, director: User, place: Entrant, substitute: User
) -> None:
    """Raise ``Conflict`` if who chose the substitute directs no longer, or has come to play for the place.

    Nor does anybody direct whose account was closed or suspended.
    """
    try:
        if not director.is_active:
            raise Forbidden
        expect_director(director, tournament)
        expect_may_replace(director, place, substitute)
    except Forbidden as problem:
        raise Conflict(
            _("%(director)s invited you, but can't decide about this place now. Ask another director.")
            % {"director": director.username}
        ) from problem


def _expect_opponents_here(tournament: Tournament, place: Entrant, game_ids: Sequence[str]) -> None:
    """Raise ``Conflict`` if a live game that is replayed at once would begin while an opponent is away."""
    if not begins_at_once(tournament):
        return
    rows = Pairing.objects.filter(games__game_id__in=game_ids).select_related("first", "second")
    both = (entrant for row in rows for entrant in (row.first, row.second) if entrant and entrant != place)
    if not all(is_here(opponent.user_id) for opponent in both):
        raise Conflict(
            _("Your first game would begin at once, and your opponent isn't here. Try again when they are.")
        )


def _change_places(
    tournament: Tournament, user: User, director: User, shown: str | None, now: datetime
) -> Entrant:
    """Seat the invited player, if the invitation still stands."""
    invitation = selectors.open_invitation(tournament, user)
    if invitation is None or invitation.place is None:
        raise invitations.no_longer_open()
    expect_as_shown(tournament, invitation, shown)
    _expect_may_still_decide(tournament, director, invitation.place, user)
    invitations.expect_not_entered(tournament, user, "username")
    row, before = invitation.place, invitation.place.user
    invitations.expect_took_part(tournament, row, "username")
    if tournament.status == Status.ENTRY:
        forget_seeds_of(user, tournament, now)
        row.refresh_from_db()
    if tournament.rounds_made < row.entered:
        row.rating = ratings.points_of(user.pk, tournament.variant)
    row.user, row.left, row.expelled, row.here = user, None, False, True
    row.save()
    annul_open_games(row)
    void = appointments.begin_again(row, now)
    telling.tell_substitute(tournament, row, now)
    schedule(tournament, now)
    invitations.note_answer(tournament, invitation, Answer.ACCEPTED, now)
    invitations.withdraw_others(tournament, invitation)
    removals = Invitation.objects.filter(tournament=tournament, user=before).exclude(removed="")
    if tournament.status == Status.RUNNING and not removals.exists():  # the results stay with the place
        invitations.note_removal(tournament, before, by=director, reason=invitation.reason, now=now)
    note_act(
        tournament,
        by=director,
        verb=Verb.REPLACED,
        text=f"{before.username} → {user.username}",
        people=[before, user],
        reason=invitation.reason,
        now=now,
        concerns=[before.pk, user.pk, *void],
    )
    return row
