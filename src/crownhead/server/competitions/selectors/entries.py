"""Who may enter a tournament, and what an entrant may ask for."""

from __future__ import annotations

import json
from hashlib import sha256

from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.competitions.access import begins_at_once, format_of_tournament, is_full
from crownhead.server.competitions.choices import ATTENDED, NOTICED, Entry
from crownhead.server.competitions.models import (
    Answer,
    DirectorAction,
    Entrant,
    Invitation,
    Status,
    Tournament,
    Verb,
)
from crownhead.server.competitions.selectors import open_game_ids
from crownhead.server.core.problems import Conflict, Forbidden, Problem
from crownhead.server.ratings import selectors as ratings
from crownhead.server.teams import selectors as teams

# What players agree to by entering: what is played, when it begins, what their profiles may show of it.
_TERMS = (
    "name",
    "variant",
    "terms",
    "format",
    "options",
    "min_players",
    "max_players",
    "late_rounds",
    "withdrawal",
    "start",
    "starts_at",
    "held_rounds",
    "pause_minutes",
    "no_show_minutes",
    "appointment_days",
    "minutes",
    "prizes",
)
_DECIDING = (
    Verb.PAIRED,
    Verb.ADJOURNED,
    Verb.FORFEITED,
    Verb.ADJUDICATED,
    Verb.ANNULLED,
    Verb.EXPELLED,
    Verb.REPLACED,
    Verb.CLOSED,
)
_OPEN = frozenset({Status.ENTRY, Status.RUNNING})


def offer(tournament: Tournament, invitation: Invitation | None) -> str:
    """What somebody accepts by entering, as one value: the terms, and their open invitation, if any."""
    terms = [getattr(tournament, name) for name in _TERMS]
    place = invitation and invitation.place and (invitation.place_id, invitation.place.user_id)
    text = json.dumps([terms, invitation and invitation.made_at, place], sort_keys=True, default=str)
    return sha256(text.encode()).hexdigest()[:16]


def expect_as_shown(tournament: Tournament, invitation: Invitation | None, shown: str | None) -> None:
    """Raise ``Conflict`` if it isn't this ``offer`` that was shown; None accepts what stands."""
    if shown is not None and shown != offer(tournament, invitation):
        raise Conflict(_("This has changed since you read it. Read it again, then decide."))


def refusal(tournament: Tournament, user: User) -> Problem | None:
    """Why the user cannot enter now; None if they can."""
    if tournament.status not in _OPEN:
        return Conflict(_("This tournament is over."))
    row = Entrant.objects.filter(tournament=tournament, user=user).first()
    if row is not None:
        return Conflict(
            _("You have left this tournament.") if row.left is not None else _("You have already entered.")
        )
    invitation = Invitation.objects.filter(tournament=tournament, user=user).select_related("by").first()
    if invitation is not None and invitation.is_removal:
        return Forbidden(
            _("A director has removed you from this tournament, or a substitute has taken your place.")
            if tournament.status == Status.RUNNING
            else _("A director has removed you from this tournament.")
        )
    problem = _decided(tournament, user) if tournament.status == Status.RUNNING else None
    if problem is not None:
        return problem
    if invitation is not None and invitation.answer == Answer.OPEN and invitation.place_id is not None:
        return None
    invited = invitation is not None and invitation.place_id is None
    by = invitation.by if invitation is not None and tournament.status == Status.RUNNING else None
    is_by_player = by is not None and plays_in(by, tournament)  # who may have invited before they entered
    problem = _no_room(tournament, invited=invited and not is_by_player)
    return problem or (None if invited else _not_eligible(tournament, user))


def plays_in(user: User, tournament: Tournament) -> bool:
    """Whether a director plays in it, or has left but finishes games; the staff may decide everything."""
    if user.acts_as_staff:
        return False
    places = Entrant.objects.filter(tournament=tournament, user=user, left=None)
    return places.exists() or bool(open_game_ids(tournament.public_id, user.pk))


def has_seeded(user: User, tournament: Tournament) -> bool:
    """Whether a director who is no staff has set the seeds that stand; those of others are theirs."""
    last = DirectorAction.objects.filter(tournament=tournament, verb=Verb.SEEDED).order_by("pk").last()
    seeded = Entrant.objects.filter(tournament=tournament).exclude(seed=0)
    is_theirs = last is not None and last.by_id == user.pk
    return is_theirs and seeded.exists() and not user.acts_as_staff


def _decided(tournament: Tournament, user: User) -> Problem | None:
    """Why somebody can't come in now who has decided what a director who plays can't; None if they haven't.

    They may begin live games with all players here, or with notice; an arena they may not extend. Starting
    one whose rounds are held begins no games.
    """
    if user.acts_as_staff:
        return None
    since = tournament.started_at or tournament.created_at
    acts = DirectorAction.objects.filter(tournament=tournament, by=user.pk, done_at__gte=since)
    deciding = (*_DECIDING, Verb.EXTENDED) if format_of_tournament(tournament).timed else _DECIDING
    if acts.filter(verb__in=deciding).exists() or has_seeded(user, tournament):
        return Forbidden(
            _("You have decided things in this tournament as its director, so you can't play in it now.")
        )
    beginning = (Verb.RELEASED,) if tournament.held_rounds else (Verb.STARTED, Verb.RELEASED)
    begun = acts.filter(verb__in=beginning)
    unattended = begun.exclude(text__endswith=ATTENDED).exclude(text__endswith=NOTICED)
    if begins_at_once(tournament) and unattended.exists():
        return Forbidden(
            _(
                "You have started live games of this tournament as its director while players were away, "
                "so you can't play in it now."
            )
        )
    return None


def takes_new_players(tournament: Tournament) -> bool:
    """Whether somebody may still enter whom no director has invited; a guest is asked to sign in first."""
    if tournament.status not in _OPEN or tournament.entry == Entry.INVITED:
        return False
    return _no_room(tournament, invited=False) is None


def _no_room(tournament: Tournament, *, invited: bool) -> Problem | None:
    """Why nobody can enter a tournament that is not over; None if it takes players."""
    if tournament.status == Status.RUNNING and not allows_late_entry(tournament, invited=invited):
        return Conflict(_("Entry is closed."))
    if is_full(tournament):
        return Conflict(_("This tournament is full."))
    return None


def allows_late_entry(tournament: Tournament, *, invited: bool) -> bool:
    """Whether players can still enter a tournament that has started; ``invited``: by a director."""
    made = format_of_tournament(tournament)
    if tournament.closed or not made.late:
        return False
    return invited or made.timed or tournament.rounds_made < tournament.late_rounds


def _not_eligible(tournament: Tournament, user: User) -> Problem | None:
    """Why the tournament is not open to a user whom no director has invited; None if it is."""
    if tournament.entry == Entry.INVITED:
        return Forbidden(_("This tournament is by invitation only."))
    if tournament.entry == Entry.TEAM and not teams.is_member(user.pk, tournament.team):
        team = teams.access_team(tournament.team)
        return Forbidden(_("This tournament is for members of %(team)s.") % {"team": team.name})
    rating, least, most = (
        ratings.points_of(user.pk, tournament.variant),
        tournament.min_rating,
        tournament.max_rating,
    )
    facts = {"rating": rating, "least": least, "most": most}
    if least is not None and rating < least:
        return Forbidden(_("This tournament is for ratings from %(least)s; yours is %(rating)s.") % facts)
    if most is not None and rating > most:
        return Forbidden(_("This tournament is for ratings up to %(most)s; yours is %(rating)s.") % facts)
    return None


def most_byes(tournament: Tournament) -> int:
    """How many byes a player may ask for."""
    return format_of_tournament(tournament).byes_to_ask_for(tournament.options)
