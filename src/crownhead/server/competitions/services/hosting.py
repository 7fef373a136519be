"""Hosting a tournament: create and edit it, start, cancel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from crownhead.contest.formats import format_of
from crownhead.server.accounts.access import check_may_write, expect_may_call, hold_member
from crownhead.server.accounts.selectors import User
from crownhead.server.competitions.access import (
    begins_at_once,
    checked_reason,
    expect_captain,
    expect_delayed_little,
    expect_director,
    expect_may_hold,
    expect_may_rate,
    expect_status,
    format_of_tournament,
    is_full,
    lock_tournament,
    log,
    publish_list_change,
    schedule,
    spend_act,
    waits_without_date,
)
from crownhead.server.competitions.choices import ATTENDED, Entry, Start
from crownhead.server.competitions.events import TournamentCreated, Why, about
from crownhead.server.competitions.models import Entrant, Status, Tournament, Verb
from crownhead.server.competitions.selectors import access_tournament
from crownhead.server.competitions.selectors.starts import are_all_here
from crownhead.server.competitions.services import starting
from crownhead.server.competitions.services.announcement import Announcement
from crownhead.server.competitions.services.impartial import (
    expect_attended_or_noticed,
    expect_begins_as_told,
    expect_may_begin,
)
from crownhead.server.core.events import emit
from crownhead.server.core.limits import spend_text
from crownhead.server.core.markup.stored import render_ahead
from crownhead.server.core.problems import Conflict, Unprocessable
from crownhead.server.core.texts import check_line

MAX_HELD = 10  # unfinished tournaments of one host
_PLAYED = ("format", "options", "minutes", "no_show_minutes", "appointment_days", "withdrawal")
_OF_ROUNDS = ("late_rounds", "held_rounds", "pause_minutes")


def create(*, user: User, wanted: Announcement, now: datetime) -> Tournament:
    """Create a tournament; the host directs it, and plays only after entering."""
    expect_may_hold(user)
    columns = wanted.columns(now=now)
    _expect_rounds_to_hold(columns, columns.keys())
    render_ahead(columns["about"])
    if wanted.entry == Entry.TEAM:
        expect_captain(user, wanted.team)
    if wanted.game.rated:
        expect_may_rate(user)
    expect_may_call(user=user, name=columns["name"])
    _expect_may_award(user, columns["prizes"])
    for text in _texts(columns):
        check_may_write(user=user, now=now, text=text)
    with transaction.atomic():
        hold_member(user)
        unfinished = Tournament.objects.filter(host=user, status__in=[Status.ENTRY, Status.RUNNING])
        if not user.acts_as_staff and unfinished.count() >= MAX_HELD:
            raise Conflict(
                _("You can host at most %(most_held)s tournaments at a time.") % {"most_held": MAX_HELD}
            )
        tournament = Tournament.objects.create(host=user, created_at=now, **columns)
        tournament.due_at = tournament.starts_at
        tournament.save(update_fields=["due_at"])
        emit(about(TournamentCreated, tournament))
    return tournament


def edit(*, user: User, tournament_id: str, wanted: Announcement, now: datetime) -> Tournament:
    """Edit a tournament that has not started; players who have entered stay in.

    They are notified of other terms, but not of another description. The tournament that they have entered
    keeps its name unless the staff change it, what they have agreed to play stays as it is, and doesn't begin
    before the date that they were told; nor soon, on terms that they weren't told.
    """
    columns = wanted.columns(now=now)
    expect_director(user, access_tournament(tournament_id))  # before their text costs anything
    render_ahead(columns["about"])
    if wanted.entry == Entry.TEAM:
        expect_captain(user, wanted.team)
    with transaction.atomic():
        tournament = lock_tournament(tournament_id)
        expect_director(user, tournament)
        expect_status(tournament, Status.ENTRY)
        spend_act(user)
        if wanted.game.rated and not tournament.terms["rated"]:
            expect_may_rate(user)
        expect_may_call(user=user, name=columns["name"], before=tournament.name)
        _expect_may_award(user, columns["prizes"], before=tournament.prizes)
        for text, before in zip(_texts(columns), _texts(vars(tournament)), strict=True):
            check_may_write(user=user, now=now, text=text, before=before)
        spend_text(user_id=user.pk, text=columns["about"], before=tournament.about)
        changed = {column for column, value in columns.items() if value != getattr(tournament, column)}
        if tournament.size:
            _expect_same_play(tournament, changed, by=user)
        _expect_rounds_to_hold(columns, changed)
        begins = _earliest_start(tournament, columns, now)
        latest = _latest_start(tournament, columns, now)
        expect_begins_as_told(user, tournament, earliest=begins, latest=latest, now=now, field="starts_at")
        expect_delayed_little(tournament, begins, field="starts_at")
        _expect_fitting_field(tournament, columns["max_players"])
        _expect_sooner_with_notice(user, tournament, columns, begins, now)
        _change(tournament, {column: columns[column] for column in changed}, now)
        if tournament.size and changed:
            _log_edit(tournament, changed, by=user, now=now)
    return tournament


def _log_edit(tournament: Tournament, changed: Set[str], *, by: User, now: datetime) -> None:
    """Log that terms were changed, and tell the players: of another date by itself, with the time."""
    is_moved = "starts_at" in changed and tournament.starts_at is not None
    moment = starting.checked_move(tournament, now) if is_moved else ""
    others = changed - ({"about", "starts_at"} if is_moved else {"about"})
    concerns = _entered(tournament) if others else ()
    log(tournament, by=by, verb=Verb.EDITED, text=moment, now=now, concerns=concerns, spent=True)
    if is_moved:
        starting.announce_date(tournament, Why.MOVED, by=by)


def _change(tournament: Tournament, columns: Mapping[str, Any], now: datetime) -> None:
    """Save new terms, by which it may start at once; the list shows some of them."""
    for column, value in columns.items():
        setattr(tournament, column, value)
    if columns.keys() & {"start", "starts_at"}:
        tournament.date_by_club = False
    tournament.due_at = tournament.starts_at
    if tournament.start == Start.FULL and is_full(tournament):
        tournament.due_at = now
    tournament.save()
    if columns:
        publish_list_change()


def start(*, user: User, tournament_id: str, now: datetime) -> Tournament:
    """Start at once, if enough players have entered; a worker pairs the first round.

    Raises ``Conflict`` for a director who plays if live games would begin while players are away.
    """
    with transaction.atomic():
        tournament = lock_tournament(tournament_id)
        expect_director(user, tournament)
        if tournament.status == Status.RUNNING:
            return tournament
        expect_status(tournament, Status.ENTRY)
        expect_begins_as_told(user, tournament, earliest=now, latest=now, now=now)
        if waits_without_date(tournament):
            expect_attended_or_noticed(user, tournament, earliest=now, latest=now, now=now)
        if not tournament.held_rounds:
            expect_may_begin(user, tournament)
        if starting.has_closed(tournament):
            raise Conflict(_("Somebody has just closed their account. Try again in a moment."))
        attended = begins_at_once(tournament) and are_all_here(tournament)
        starting.begin(tournament, now)
        tournament.save()
        schedule(tournament, now)
        log(tournament, by=user, verb=Verb.STARTED, text=ATTENDED if attended else "", now=now)
    return tournament


def cancel(*, user: User, tournament_id: str, reason: str, now: datetime) -> Tournament:
    """Cancel a tournament before it starts."""
    reason = checked_reason(reason)
    with transaction.atomic():
        tournament = lock_tournament(tournament_id)
        expect_director(user, tournament)
        if tournament.status == Status.CANCELLED:
            return tournament
        expect_status(tournament, Status.ENTRY)
        starting.cancel(tournament, now, by=user, reason=reason)
        tournament.save()
        log(tournament, by=user, verb=Verb.CANCELLED, reason=reason, now=now)
    return tournament


def _expect_rounds_to_hold(columns: Mapping[str, Any], changed: Set[str]) -> None:
    """Raise ``Unprocessable`` for rounds that wait for a director, but all start together.

    What an older version has stored so may stay.
    """
    is_new = not changed.isdisjoint({"format", "options", "held_rounds"})
    if is_new and columns["held_rounds"] and format_of(columns["format"]).overlaps(columns["options"]):
        raise Unprocessable(
            _("All rounds start together here, so there is none to check before it starts."),
            field="held_rounds",
        )


def _expect_same_play(tournament: Tournament, changed: Set[str], *, by: User) -> None:
    """Raise ``Conflict`` if what players have agreed to play is among the changed columns.

    The staff may change the name, which may offend.
    """
    if changed & {"variant", "terms"}:
        raise Conflict(
            _("The game and its time control can't be changed once players have entered."), field="variant"
        )
    if "name" in changed and not by.acts_as_staff:
        raise Conflict(_("The name can't be changed once players have entered."), field="name")
    if "prizes" in changed:
        raise Conflict(_("The trophies can't be changed once players have entered."), field="prizes")
    rounds = () if format_of_tournament(tournament).timed else _OF_ROUNDS
    for column in (*_PLAYED, *rounds):
        if column in changed:
            raise Conflict(
                _("The format and how it is played can't be changed once players have entered."),
                field="format" if column == "options" else column,
            )


def _earliest_start(tournament: Tournament, columns: Mapping[str, Any], now: datetime) -> datetime:
    """When the tournament could begin with these columns, unless it fills up as announced."""
    starts_at: datetime | None = columns["starts_at"]
    as_announced = tournament.start == Start.FULL and columns["max_players"] >= tournament.max_players
    if starts_at is not None and (columns["start"] == Start.DATE or as_announced):
        return starts_at
    return now


def _latest_start(tournament: Tournament, columns: Mapping[str, Any], now: datetime) -> datetime | None:
    """When the tournament begins with these columns at the latest; None if that depends on who enters."""
    if columns["start"] == Start.FULL and columns["max_players"] <= tournament.size:
        return now
    starts_at: datetime | None = columns["starts_at"]
    return starts_at


def _expect_sooner_with_notice(
    user: User, tournament: Tournament, columns: Mapping[str, Any], begins: datetime, now: datetime
) -> None:
    """Raise ``Conflict`` for other terms by which it could begin sooner than told, but for a date far enough.

    With all players here it may, and with fewer of them than were wanted; but nobody knows when one that
    waits for them would begin by hand. Otherwise games that are not live, or by appointment, a director may
    begin by hand anyway.
    """
    start, most = columns["start"], columns["max_players"]
    by_hand = start == Start.HAND and waits_without_date(tournament)
    fills_sooner = start == Start.FULL and (tournament.start != start or most < tournament.max_players)
    is_dated = columns["starts_at"] is not None and columns["starts_at"] != tournament.starts_at
    is_smaller = columns["min_players"] < tournament.min_players
    if is_smaller or by_hand or (begins_at_once(tournament) and (fills_sooner or is_dated)):
        expect_attended_or_noticed(
            user,
            tournament,
            earliest=begins,
            latest=now if start == Start.HAND and not by_hand else _latest_start(tournament, columns, now),
            now=now,
            field="min_players" if is_smaller else "max_players" if fills_sooner else "starts_at",
        )


def _expect_fitting_field(tournament: Tournament, most: int) -> None:
    """Raise for fewer places than players have entered, or for more where that means more games for them."""
    if most < tournament.size:
        raise Unprocessable(
            _("%(size)s players have already entered.") % {"size": tournament.size}, field="max_players"
        )
    is_more = tournament.size and most > tournament.max_players
    if is_more and format_of_tournament(tournament).all_play_all:
        raise Conflict(
            _("The number of places can't be raised once players have entered."), field="max_players"
        )


def _expect_may_award(user: User, prizes: Sequence[str], *, before: Sequence[str] = ()) -> None:
    """Raise ``Unprocessable`` for a new trophy that can't be read, or speaks for the staff, but to the staff.

    Those from before stay, for once players have entered nobody can change them.
    """
    for prize in prizes:
        try:
            if prize not in before:
                check_line(prize)
            expect_may_call(user=user, name=prize, before=prize if prize in before else "")
        except ValidationError as error:
            raise Unprocessable(error.messages[0], field="prizes") from error
        except Unprocessable as problem:
            raise Unprocessable(problem.text, field="prizes") from problem


def _texts(columns: Mapping[str, Any]) -> tuple[str, str, str]:
    """What a host writes in a tournament: the name, the description and the prizes, one a line."""
    return columns["name"], columns["about"], "\n".join(columns["prizes"])


def _entered(tournament: Tournament) -> list[int]:
    return list(Entrant.objects.filter(tournament=tournament).values_list("user_id", flat=True))
