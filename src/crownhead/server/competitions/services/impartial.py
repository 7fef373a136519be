"""What directors may not decide because they play themselves; the staff may decide everything."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.competitions.access import (
    NOTICE,
    SOON,
    begins_at_once,
    is_before_date,
    is_noticed,
    note_act,
)
from crownhead.server.competitions.models import (
    Director,
    Entrant,
    Pairing,
    PairingGame,
    Round,
    Start,
    Status,
    Tournament,
    Verb,
)
from crownhead.server.competitions.selectors.contest_rows import pairing_of
from crownhead.server.competitions.selectors.entries import allows_late_entry, has_seeded, plays_in
from crownhead.server.competitions.selectors.starts import may_begin, missing
from crownhead.server.core.problems import Conflict, Forbidden


def expect_spectator(user: User, tournament: Tournament) -> None:
    """Raise ``Forbidden`` for a director who plays in a running tournament, and would decide who gets what.

    Every result and every place in it is worth something to them, not only those of their own games.
    """
    if tournament.status == Status.RUNNING and plays_in(user, tournament):
        raise Forbidden(
            _(
                "You play in this tournament yourself, so you decide no results and no places in it. "
                "Ask another director."
            )
        )


def expect_may_begin(user: User, tournament: Tournament, rounds: Collection[Round] | None = None) -> None:
    """Raise ``Conflict`` for a director who plays, if live games would begin while players are away.

    They may be asleep. By appointment games begin when both have agreed to, or days later. ``rounds``: those
    that would begin; None for the first one.
    """
    if not begins_at_once(tournament) or not plays_in(user, tournament):
        return
    away = missing(tournament, but=user, rounds=rounds)
    if away and rounds is None:
        raise Conflict(
            _(
                "You play in this live tournament yourself, so you can start it once all players are here. "
                "Not here yet: %(names)s. Otherwise another director or the staff can start it, or you give "
                "it a date at least %(hours)s hours from now."
            )
            % {"names": away, "hours": NOTICE // timedelta(hours=1)}
        )
    if away:
        raise Conflict(
            _(
                "You play in this live tournament yourself, so you can start the round once all its players "
                "are here. Not here yet: %(names)s. Otherwise another director or the staff can start it, or "
                "you let it start in %(hours)s hours."
            )
            % {"names": away, "hours": NOTICE // timedelta(hours=1)}
        )


def expect_attended_if_told(user: User, tournament: Tournament, rounds: Collection[Round]) -> None:
    """Raise ``Conflict`` if live games would begin before the time that players know who are away."""
    is_told = any(row.starts_at is not None for row in rounds)
    if is_told and (away := missing(tournament, but=user, rounds=rounds)):
        raise Conflict(
            _(
                "Players were told when this round starts. It can start sooner once all of them are here. "
                "Not here yet: %(names)s."
            )
            % {"names": away}
        )


def expect_begins_as_told(
    user: User,
    tournament: Tournament,
    *,
    earliest: datetime,
    latest: datetime | None,
    now: datetime,
    field: str = "",
) -> None:
    """Raise ``Conflict`` for a start before the date for which players have entered: see ``may_begin``.

    Those who are here now stay for an hour. ``latest`` None: nobody knows when it begins.
    """
    is_soon = latest is not None and latest <= now + SOON
    if not is_before_date(tournament, earliest) or (
        is_soon and may_begin(tournament, by=user, begins=earliest)
    ):
        return
    if tournament.start == Start.DATE:
        text = _("Players have entered for a later start. The tournament can't begin before the date it has.")
    elif not begins_at_once(tournament):
        text = _(
            "Players have entered for a later start. The tournament can't begin before the date it has, "
            "unless it is full."
        )
    else:
        text = _(
            "Players have entered for a later start. The tournament can't begin before the date it has, "
            "except within an hour while all of them are here."
        )
    raise Conflict(text, field=field)


def expect_attended_or_noticed(
    user: User,
    tournament: Tournament,
    *,
    earliest: datetime,
    latest: datetime | None,
    now: datetime,
    field: str = "",
) -> None:
    """Raise ``Conflict`` for another start of a live tournament soon, unless all players are here for it.

    They stay for an hour; ``latest`` None: it begins once others enter, and nobody knows when.
    """
    if is_noticed(user, tournament, earliest, now):
        return
    if latest is None or latest > now + SOON:
        raise Conflict(
            _(
                "Players have entered for another start. Give it a date at least %(hours)s hours from now, "
                "or let it begin within an hour while all of them are here."
            )
            % {"hours": NOTICE // timedelta(hours=1)},
            field=field,
        )
    if away := missing(tournament, but=user):
        raise Conflict(
            _(
                "Players have entered for another start. It can begin within an hour once all of them are "
                "here. Not here yet: %(names)s. Otherwise give it a date at least %(hours)s hours from now."
            )
            % {"names": away, "hours": NOTICE // timedelta(hours=1)},
            field=field,
        )


def expect_nothing_open(user: User, tournament: Tournament) -> None:
    """Raise ``Forbidden`` for a director with games of the latest round still to be played."""
    rows = Pairing.objects.filter(round__tournament=tournament, round__number=tournament.rounds_made)
    mine = rows.filter(Q(first__user=user) | Q(second__user=user))
    if not user.acts_as_staff and any(_undecided(mine)):
        raise Forbidden(_("You can't extend a round in which you are still to play yourself."))


def expect_not_in_arena(user: User, tournament: Tournament) -> None:
    """Raise ``Forbidden`` for a director who plays in the arena."""
    if plays_in(user, tournament):
        raise Forbidden(_("You can't extend an arena that you play in yourself."))


def expect_may_seed(user: User, tournament: Tournament) -> None:
    """Raise ``Forbidden`` for a director who plays: they could choose whom they meet."""
    if plays_in(user, tournament):
        raise Forbidden(_("You can't seed a tournament that you play in yourself. Ask another director."))


def forget_seeds_of(user: User, tournament: Tournament, now: datetime) -> None:
    """Undo the seeds that a director has set who now plays themselves; everybody can read that."""
    if not has_seeded(user, tournament):
        return
    Entrant.objects.filter(tournament=tournament).exclude(seed=0).update(seed=0)
    reason = _("This director now plays in the tournament, so the seeding was cleared.")
    others = Director.objects.filter(tournament=tournament, accepted=True).values_list("user_id", flat=True)
    concerns = [tournament.host_id, *others]
    note_act(tournament, by=user, verb=Verb.SEEDED, text="", reason=reason, now=now, concerns=concerns)


def _undecided(pairings: QuerySet[Pairing]) -> Iterator[Pairing]:
    for pairing in pairings.filter(bye="").select_related("first", "second"):
        games = PairingGame.objects.filter(pairing=pairing, replaced=False).order_by("number")
        if not pairing_of(pairing, games).over:
            yield pairing


def expect_may_invite(user: User, tournament: Tournament) -> None:
    """Raise ``Forbidden`` for a director who plays, once nobody enters any more but by their word."""
    is_closed = tournament.status == Status.RUNNING and not allows_late_entry(tournament, invited=False)
    if is_closed and plays_in(user, tournament):
        raise Forbidden(
            _(
                "You play in this tournament yourself, so you can invite players only while entry is open. "
                "Ask another director."
            )
        )


def expect_may_replace(user: User, place: Entrant, substitute: User) -> None:
    """Raise ``Forbidden`` for a director who plays, or would take the place: it may be the leader's."""
    if substitute.pk == user.pk and not user.acts_as_staff:
        raise Forbidden(_("You can't choose yourself as a substitute. Ask another director."))
    if place.user_id == user.pk and not user.acts_as_staff:
        raise Forbidden(_("You can't choose a substitute for yourself. Ask another director."))
    expect_spectator(user, place.tournament)
