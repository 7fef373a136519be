"""Invitations to tournaments. Directors invite players and substitutes, who play if they accept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.access import player_named, players_named
from crownhead.server.accounts.selectors import User
from crownhead.server.accounts.services import repeated_invitations
from crownhead.server.competitions import selectors
from crownhead.server.competitions.access import (
    checked_reason,
    entrant_of,
    expect_director,
    expect_status,
    format_of_tournament,
    lock_tournament,
    log,
)
from crownhead.server.competitions.events import (
    InvitationAnswered,
    InvitationWithdrawn,
    InvitedToTournament,
    about,
)
from crownhead.server.competitions.models import Answer, Entrant, Invitation, Status, Tournament, Verb
from crownhead.server.competitions.services.impartial import expect_may_invite, expect_may_replace
from crownhead.server.core import limits
from crownhead.server.core.events import emit
from crownhead.server.core.problems import Conflict, Unprocessable
from crownhead.server.play.games.selectors import blocking

MAX_INVITED = 500  # players of one tournament
MAX_FOR_A_PLACE = 20  # substitutes who have not answered
MAX_AT_ONCE = 50  # the tournament is locked while they are invited


def invite(*, user: User, tournament_id: str, usernames: Sequence[str], now: datetime) -> None:
    """Invite players, whatever the limits on ratings; inviting again changes nothing.

    Raises ``NotWelcome`` for a player who wants no invitations, ``Conflict`` for one who has declined, and
    ``Forbidden`` for a director who plays once entry is closed.
    """
    if len(usernames) > MAX_AT_ONCE:
        raise Unprocessable(
            _("Invite at most %(most)s players at once.") % {"most": MAX_AT_ONCE}, field="username"
        )
    with transaction.atomic():
        tournament = lock_tournament(tournament_id)
        expect_director(user, tournament)
        expect_status(tournament, Status.ENTRY, Status.RUNNING)
        if tournament.status == Status.RUNNING and not format_of_tournament(tournament).late:
            raise Conflict(_("This tournament has started. You can only invite a substitute."))
        expect_may_invite(user, tournament)
        players = players_named(usernames)
        if user in players and not user.acts_as_staff:
            raise Unprocessable(_("You can't invite yourself. Enter like everybody else."), field="username")
        if invited := _invite(tournament, players, by=user, now=now):
            names = ", ".join(player.username for player in invited)
            log(tournament, by=user, verb=Verb.INVITED, text=names, people=invited, now=now)


def invite_substitute(
    *, user: User, tournament_id: str, username: str, substitute: str, reason: str, now: datetime
) -> None:
    """Invite a substitute to take over a player's place with the results so far.

    The player keeps the place until the substitute accepts. Directors who play replace neither themselves
    nor their opponents.
    """
    reason, before, after = checked_reason(reason), player_named(username), player_named(substitute)
    with transaction.atomic():
        tournament = lock_tournament(tournament_id)
        expect_director(user, tournament)
        expect_status(tournament, Status.ENTRY, Status.RUNNING)
        place = entrant_of(tournament, before)
        expect_may_replace(user, place, after)
        expect_took_part(tournament, place, "username")
        expect_not_entered(tournament, after, "substitute")
        _expect_few_asked(place, after)
        if _invite(tournament, [after], by=user, now=now, place=place, reason=reason):
            text = f"{before.username} → {after.username}"
            people = [before, after]
            log(tournament, by=user, verb=Verb.INVITED, text=text, people=people, reason=reason, now=now)


def withdraw_invitation(*, user: User, tournament_id: str, username: str, now: datetime) -> None:
    """Withdraw an invitation that was not answered; doing so again changes nothing."""
    with transaction.atomic():
        tournament = lock_tournament(tournament_id)
        expect_director(user, tournament)
        player = player_named(username)
        if _take_back(Invitation.objects.filter(tournament=tournament, user=player, answer=Answer.OPEN)):
            emit(about(InvitationWithdrawn, tournament, user_id=player.pk))
            log(tournament, by=user, verb=Verb.UNINVITED, text=player.username, people=[player], now=now)


def decline(*, user: User, tournament_id: str, now: datetime) -> None:
    """Decline an invitation; does nothing if there is none to answer."""
    with transaction.atomic():
        tournament = lock_tournament(tournament_id)
        invitation = selectors.open_invitation(tournament, user)
        if invitation is not None:
            note_answer(tournament, invitation, Answer.DECLINED, now)


def note_answer(tournament: Tournament, invitation: Invitation, answer: Answer, now: datetime) -> None:
    """Store the answer to an invitation, and notify the director who made it."""
    invitation.answer, invitation.answered_at = answer, now
    if answer == Answer.ACCEPTED:
        invitation.removed = ""
    invitation.save(update_fields=["answer", "answered_at", "removed"])
    emit(
        about(
            InvitationAnswered,
            tournament,
            user_id=invitation.user_id,
            by_id=invitation.by_id or tournament.host_id,
            accepted=answer == Answer.ACCEPTED,
        )
    )


def withdraw_others(tournament: Tournament, accepted: Invitation) -> None:
    """Withdraw the other open invitations to the place that a substitute has taken."""
    others = Invitation.objects.filter(place=accepted.place, answer=Answer.OPEN).exclude(pk=accepted.pk)
    for user_id in _take_back(others):
        emit(about(InvitationWithdrawn, tournament, user_id=user_id))


def keep_removals(place: Entrant) -> None:
    """Before a place is deleted with the invitations to it: remember whom of those a director had removed."""
    unaccepted = Invitation.objects.filter(place=place, answer__in=[Answer.OPEN, Answer.DECLINED])
    _take_back(unaccepted.exclude(removed=""))


def _take_back(rows: QuerySet[Invitation]) -> list[int]:
    """Delete invitations, but of removed players keep that they are removed. Returns whose they were."""
    found = list(rows)
    gone = [row.pk for row in found if not row.removed]
    Invitation.objects.filter(pk__in=gone).delete()
    for row in found:
        if row.removed:
            row.place, row.reason = None, "" if row.is_refusal else row.removed
            row.answer, row.answered_at = Answer.DECLINED, row.answered_at or row.made_at
            row.save(update_fields=["place", "reason", "answer", "answered_at"])
    return [row.user_id for row in found]


def note_removal(tournament: Tournament, player: User, *, by: User, reason: str, now: datetime) -> None:
    """Store that a director has removed the player, or given their place in a running tournament away.

    They enter only if a director invites them again.
    """
    Invitation.objects.update_or_create(
        tournament=tournament,
        user=player,
        defaults={
            "by": by,
            "place": None,
            "reason": reason,
            "removed": reason,
            "answer": Answer.DECLINED,
            "made_at": now,
            "answered_at": now,
        },
    )


def no_longer_open() -> Conflict:
    """The problem with an invitation that was withdrawn or answered."""
    return Conflict(_("This invitation is no longer open."))


def expect_not_entered(tournament: Tournament, player: User, where: str) -> None:
    """Raise ``Conflict`` if the player has a place already, or had one."""
    if Entrant.objects.filter(tournament=tournament, user=player).exists():
        raise Conflict(
            _("%(username)s has already entered, or has left.") % {"username": player.username}, field=where
        )


def expect_took_part(tournament: Tournament, place: Entrant, where: str) -> None:
    """Raise ``Conflict`` for the place of somebody who left before their first round, once that is paired.

    The field of that round is what schedules and brackets follow from: it can't grow afterwards.
    """
    if place.left is not None and place.left < place.entered <= tournament.rounds_made:
        raise Conflict(
            _("%(username)s left before their first round, so there is no place to take over.")
            % {"username": place.user.username},
            field=where,
        )


def _expect_few_asked(place: Entrant, another: User) -> None:
    """Raise ``Conflict`` if many others are asked to take a place: who accepts sees them all off at once."""
    asked = Invitation.objects.filter(place=place, answer=Answer.OPEN).exclude(user=another)
    if asked.count() >= MAX_FOR_A_PLACE:
        raise Conflict(
            _("%(most)s players are invited to this place. Wait for an answer, or withdraw an invitation.")
            % {"most": MAX_FOR_A_PLACE},
            field="substitute",
        )


def spend_invitations(by: User, players: Sequence[User]) -> None:
    """Count invitations by somebody who is no staff, in all and of each player; raises ``TooMany``."""
    if not by.acts_as_staff:
        limits.spend(scope="contest_invitations", who=f"user:{by.pk}", amount=len(players))
        repeated_invitations.spend(by=by, players=players)


def _invite(
    tournament: Tournament,
    players: Sequence[User],
    *,
    by: User,
    now: datetime,
    place: Entrant | None = None,
    reason: str = "",
) -> list[User]:
    """Invite those players who are not invited so yet, in a few statements for all; returns them.

    One who is invited to another place is now invited to this one alone.
    """
    keys = {player.pk for player in players}
    entrants = Entrant.objects.filter(tournament=tournament, user__in=keys)
    entered = set(entrants.values_list("user_id", flat=True)) if place is None else set()
    invitations = Invitation.objects.filter(tournament=tournament)
    before = {row.user_id: row for row in invitations.filter(user__in=keys)}
    asked = {
        key
        for key, row in before.items()
        if row.answer == Answer.OPEN and row.place_id == (place and place.pk)
    }
    invited = [player for player in players if player.pk not in entered | asked]
    if not invited:
        return []
    _expect_may_ask(tournament, invited, before, by)
    fresh = sum(player.pk not in before for player in invited)
    if fresh and invitations.count() + fresh > MAX_INVITED:
        raise Conflict(_("You can invite at most %(most_invited)s players.") % {"most_invited": MAX_INVITED})
    spend_invitations(by, invited)
    removals = {key: row.removal for key, row in before.items()}
    made = {"by": by, "place": place, "reason": reason, "answer": Answer.OPEN, "made_at": now}
    Invitation.objects.bulk_create(
        [
            Invitation(tournament=tournament, user=player, removed=removals.get(player.pk, ""), **made)
            for player in invited
        ],
        update_conflicts=True,
        unique_fields=["tournament", "user"],
        update_fields=[*made, "answered_at", "removed"],
    )
    for player in invited:
        if player.pk in before and before[player.pk].answer == Answer.OPEN:
            emit(about(InvitationWithdrawn, tournament, user_id=player.pk))
    emit(
        about(
            InvitedToTournament,
            tournament,
            user_ids=tuple(player.pk for player in invited),
            by_id=by.pk,
            replaces_id=place and place.user_id,
        )
    )
    return invited


def _expect_may_ask(
    tournament: Tournament, players: Sequence[User], before: Mapping[int, Invitation], by: User
) -> None:
    """Raise ``Conflict`` for a player who has declined.

    Raise ``NotWelcome`` for one who wants no invitations from a director, or has blocked the host.
    """
    keys = [player.pk for player in players]
    refusing = accounts.refuse_invitations(keys, by) | accounts.blocker_ids(tournament.host_id, keys)
    for player in players:
        earlier = before.get(player.pk)
        if earlier and earlier.is_refusal:
            raise Conflict(
                _("%(username)s has declined your invitation.") % {"username": player.username},
                field="username",
            )
        if player.pk in refusing:
            raise blocking.not_welcome(player)
