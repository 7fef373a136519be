"""Fetching tournaments with lock and permission, and the log of directors."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection
from django.db.models import F
from django.utils.translation import gettext as _

from crownhead.contest.formats import Format, format_of
from crownhead.server.accounts.access import check_may_write
from crownhead.server.accounts.selectors import User
from crownhead.server.competitions.events import DirectorActed, about
from crownhead.server.competitions.models import (
    Director,
    DirectorAction,
    Entrant,
    FinalTables,
    Pairing,
    Start,
    Status,
    Tournament,
    Verb,
)
from crownhead.server.core import limits, texts
from crownhead.server.core.events import emit
from crownhead.server.core.moments import to_the_minute
from crownhead.server.core.problems import Conflict, Forbidden, NotFound, Unprocessable
from crownhead.server.live.choices import TOURNAMENTS
from crownhead.server.live.services import publish
from crownhead.server.play.choices import NO_SHOW
from crownhead.server.teams import selectors as teams
from crownhead.server.teams.selectors.terms import is_live

LONGEST_REASON = 500
NOTICE = timedelta(hours=20)  # of a start that nobody knew when they entered: they may sleep now
SOON = timedelta(hours=1)  # for which players of live games stay who are here now
LONGEST_DELAY = timedelta(days=31)  # of a start at a time: a slip in the date can't be taken back
NAMES = re.compile(r"[\w-]+")  # in the text of an act: a name has no other characters
_ABOUT_PEOPLE = {Verb.INVITED, Verb.UNINVITED, Verb.DIRECTORS}  # and no tables
_LONGEST_TEXT = 300


def lock_tournament(tournament_id: str) -> Tournament:
    """The tournament, locked until the transaction ends; raises ``NotFound``."""
    rows = Tournament.objects.select_for_update().filter(public_id=tournament_id)
    tournament = rows.first()
    if tournament is None:
        raise no_such_tournament(tournament_id)
    return tournament


def lock_tournament_if_free(pk: int) -> Tournament | None:
    """The tournament, locked; None if it is gone or another worker has it."""
    rows = Tournament.objects.select_for_update(
        skip_locked=connection.features.has_select_for_update_skip_locked
    )
    return rows.filter(pk=pk).first()


def no_such_tournament(tournament_id: str) -> NotFound:
    """The problem for an id that belongs to no tournament."""
    return NotFound(_("There is no tournament with the id %(given)s.") % {"given": tournament_id[:60]})


def directs(user: User, tournament: Tournament) -> bool:
    """Whether the user directs a tournament: its host, its directors who accepted that, and the staff do."""
    if user.acts_as_staff or tournament.host_id == user.pk:
        return True
    return Director.objects.filter(tournament=tournament, user=user, accepted=True).exists()


def expect_director(user: User, tournament: Tournament) -> None:
    """Raise ``Forbidden`` unless the user directs the tournament."""
    if not directs(user, tournament):
        raise Forbidden(_("Only directors of this tournament can do this."))


def expect_impartial(user: User, pairing: Pairing) -> None:
    """Raise ``Forbidden`` for a director who plays in the pairing; the staff may decide it."""
    players = {entrant.user_id for entrant in (pairing.first, pairing.second) if entrant}
    if user.pk in players and not user.acts_as_staff:
        raise Forbidden(_("You can't decide a pairing that you play in yourself."))


def expect_other(user: User, player: User) -> None:
    """Raise ``Forbidden`` for a director who wants to expel themselves."""
    if user.pk == player.pk:
        raise Forbidden(_("You can't expel yourself. Withdraw instead."))


def expect_status(tournament: Tournament, *allowed: Status) -> None:
    """Raise ``Conflict`` unless the tournament has one of these states."""
    if tournament.status not in allowed:
        raise Conflict(
            {
                Status.ENTRY: _("This tournament has not started yet."),
                Status.RUNNING: _("This tournament has already started."),
                Status.FINISHED: _("This tournament is over."),
                Status.CANCELLED: _("This tournament was cancelled."),
            }[Status(tournament.status)]
        )


def expect_delayed_little(tournament: Tournament, begins: datetime, *, field: str) -> None:
    """Raise ``Unprocessable`` for a start long after the date for which players have entered."""
    date = _date_told(tournament)
    if date is not None and begins > date + LONGEST_DELAY:
        raise Unprocessable(
            _("Players have entered, so you can't take a later date back. Move it by at most %(days)s days.")
            % {"days": LONGEST_DELAY.days},
            field=field,
        )


def is_noticed(user: User, tournament: Tournament, begins: datetime, now: datetime) -> bool:
    """Whether players know of a start, or of a date before it, or there is time to tell them.

    Who decides it need not be told.
    """
    is_told = _date_told(tournament) is not None and not is_before_date(tournament, begins)
    if is_told or begins >= now + NOTICE:
        return True
    return not Entrant.objects.filter(tournament=tournament).exclude(user=user).exists()


def begins_at_once(tournament: Tournament) -> bool:
    """Whether clocks run from the start of a round on: those of live games without appointments."""
    return is_live(tournament.terms) and tournament.appointment_days is None


def is_full(tournament: Tournament) -> bool:
    """Whether no place is left."""
    return tournament.size >= tournament.max_players


def waits_for_players(tournament: Tournament) -> bool:
    """Whether it begins when it is full, but not while players are away: their clocks would run at once.

    Who enters last would choose the moment for all of them.
    """
    return tournament.start == Start.FULL and begins_at_once(tournament) and not tournament.held_rounds


def waits_without_date(tournament: Tournament) -> bool:
    """Whether players know no date for it: it begins when it is full and they are here."""
    return waits_for_players(tournament) and tournament.starts_at is None and tournament.size > 0


def is_before_date(tournament: Tournament, begins: datetime) -> bool:
    """Whether a moment comes before the date for which players have entered."""
    date = _date_told(tournament)
    return date is not None and begins < to_the_minute(date)


def _date_told(tournament: Tournament) -> datetime | None:
    """The date that players know; None without one, or where it begins because it is full."""
    begins_full = tournament.start == Start.FULL and is_full(tournament)
    if begins_full and not waits_for_players(tournament):
        return None
    if tournament.start == Start.HAND or not tournament.size:
        return None
    return tournament.starts_at


def format_of_tournament(tournament: Tournament) -> Format:
    """The format of a tournament."""
    return format_of(tournament.format)


def entrant_of(tournament: Tournament, user: User) -> Entrant:
    """The user's place in the tournament; raises ``NotFound``."""
    entrant = Entrant.objects.select_related("user").filter(tournament=tournament, user=user).first()
    if entrant is None:
        raise NotFound(_("%(username)s does not play in this tournament.") % {"username": user.username})
    return entrant


def checked_reason(reason: str) -> str:
    """What a director gives as the reason; raises ``Unprocessable`` without one, or for the club's own."""
    checked = texts.checked_reason(reason, longest=LONGEST_REASON)
    if checked == NO_SHOW:  # is shown as what the club has decided by itself
        raise Unprocessable(_("Give the reason in words of your own."), field="reason")
    return checked


def spend_act(user: User) -> None:
    """Count what a director does, before what takes long; raises ``TooMany`` for one act after another."""
    limits.spend(scope="directing", who=f"user:{user.pk}")


def log(
    tournament: Tournament,
    *,
    by: User,
    verb: Verb,
    text: str = "",
    reason: str = "",
    now: datetime,
    people: Iterable[User] = (),
    concerns: Iterable[int] = (),
    spent: bool = False,
) -> None:
    """Log what a director does now, for everybody to read, and notify the players it concerns.

    ``people``: whom ``text`` names; ``spent``: `spend_act` has counted it already. Raises ``Forbidden`` for a
    reason of somebody who may not write to others, ``TooMany`` for one act after another.
    """
    if not spent:
        spend_act(by)
    check_may_write(user=by, now=now, text=reason)
    note_act(
        tournament, by=by, verb=verb, text=text, reason=reason, now=now, people=people, concerns=concerns
    )


def note_act(
    tournament: Tournament,
    *,
    by: User,
    verb: Verb,
    text: str,
    reason: str,
    now: datetime,
    concerns: Iterable[int],
    people: Iterable[User] = (),
) -> None:
    """Log what comes of a director's earlier decision: it takes nothing from them, and asks nothing of them.

    Whether they may write was asked when they decided; now it is somebody else who acts.
    """
    kept = _cut(text)
    DirectorAction.objects.create(
        tournament=tournament,
        by=by,
        verb=verb,
        text=kept,
        people={person.username: person.pk for person in _named_in(kept, people)} or None,
        reason=reason,
        done_at=now,
    )
    emit(
        about(
            DirectorActed,
            tournament,
            by_id=by.pk,
            verb=verb.value,
            text=text,
            reason=reason,
            player_ids=tuple(key for key in concerns if key != by.pk),
        )
    )
    publish_change(tournament, same_tables=verb in _ABOUT_PEOPLE)


def _cut(text: str) -> str:
    """A text that is not too long, without a part of a name at its end."""
    return text if len(text) <= _LONGEST_TEXT else f"{text[: _LONGEST_TEXT - 2].rpartition(', ')[0]}, …"


def _named_in(text: str, people: Iterable[User]) -> list[User]:
    """Those of a thousand people who are named in what is kept of a text."""
    names = {word.casefold() for word in NAMES.findall(text)}
    return [person for person in people if person.username.casefold() in names]


def publish_change(tournament: Tournament, *, same_tables: bool = False) -> None:
    """Count up the version and let open pages of the tournament refresh.

    ``same_tables``: whether what is stored of its tables is as true as before.
    """
    Tournament.objects.filter(pk=tournament.pk).update(version=F("version") + 1)
    tournament.refresh_from_db(fields=["version"])
    if same_tables:
        before = FinalTables.objects.filter(tournament=tournament, version=tournament.version - 1)
        before.update(version=tournament.version)
    publish(topic=f"game:{tournament.public_id}", kind="tournament", payload={"id": tournament.public_id})


def publish_list_change() -> None:
    """Let open lists of tournaments refresh."""
    publish(topic=f"game:{TOURNAMENTS}", kind="list", payload={"id": TOURNAMENTS})


def schedule(tournament: Tournament, at: datetime) -> None:
    """Let a worker advance the tournament at this time at the latest."""
    if tournament.due_at is None or at < tournament.due_at:
        tournament.due_at = at
    tournament.save(update_fields=["due_at"])


def expect_may_hold(user: User) -> None:
    """Raise ``Forbidden`` if only the staff may create tournaments."""
    if not may_hold(user):
        raise Forbidden(_("Only the staff can create tournaments here."))


def may_hold(user: User) -> bool:
    """Whether the user may create a tournament."""
    return user.acts_as_staff or settings.TOURNAMENTS_BY_MEMBERS


def expect_captain(user: User, team_id: str) -> None:
    """Raise ``Forbidden`` unless the user is the captain of the team that a tournament is for."""
    team = teams.access_team(team_id)
    if not teams.is_captain(user, team):
        raise Forbidden(_("Only the captain of %(name)s can do this.") % {"name": team.name}, field="team")


def expect_may_rate(user: User) -> None:
    """Raise ``Forbidden`` if only the staff may make the games of a tournament rated."""
    if not may_rate(user):
        raise Forbidden(_("Only the staff can make the games of a tournament rated."), field="rated")


def may_rate(user: User) -> bool:
    """Whether the user may let the games of a tournament be rated."""
    return user.acts_as_staff or settings.RATED_TOURNAMENTS_BY_MEMBERS
