"""What directors do to the field: seed and expel players, extend time, close.

Every decision is logged with its reason for everybody to read.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from crownhead.server.accounts.access import player_named
from crownhead.server.accounts.selectors import User
from crownhead.server.competitions.access import (
    begins_at_once,
    checked_reason,
    directs,
    entrant_of,
    expect_delayed_little,
    expect_director,
    expect_other,
    expect_status,
    lock_tournament,
    log,
    publish_change,
    schedule,
    spend_act,
)
from crownhead.server.competitions.events import Why, Withdrew, about
from crownhead.server.competitions.models import Entrant, Round, Start, Status, Tournament, Verb
from crownhead.server.competitions.selectors import deadline_of
from crownhead.server.competitions.services import invitations, starting
from crownhead.server.competitions.services.adjudication import forfeit_open_games
from crownhead.server.competitions.services.announcement import LATEST, LONGEST_ARENA
from crownhead.server.competitions.services.impartial import (
    expect_attended_or_noticed,
    expect_begins_as_told,
    expect_may_seed,
    expect_not_in_arena,
    expect_nothing_open,
    expect_spectator,
)
from crownhead.server.core.events import emit
from crownhead.server.core.moments import moment_text, to_the_minute
from crownhead.server.core.problems import Conflict, Unprocessable
from crownhead.server.core.queries.rows import update_all


def seed(*, user: User, tournament_id: str, usernames: Sequence[str], now: datetime) -> None:
    """Seed the players before the start, strongest first; the others follow by rating.

    They are read before, and again only if others have entered, left or taken a place since. Raises
    ``Forbidden`` for a director who plays in it.
    """
    field = _field(tournament_id)
    with transaction.atomic():
        tournament = lock_tournament(tournament_id)
        expect_director(user, tournament)
        expect_status(tournament, Status.ENTRY)
        expect_may_seed(user, tournament)
        spend_act(user)
        present = set(Entrant.objects.filter(tournament=tournament).values_list("pk", "user_id", "seed"))
        if present != {(row.pk, row.user_id, row.seed) for row in field}:
            field = _field(tournament_id)
        rows = {row.user.username.casefold(): row for row in field}
        wanted = [name.strip().casefold() for name in usernames if name.strip()]
        if strangers := [name for name in wanted if name not in rows]:
            raise Unprocessable(_("%(given)s has not entered.") % {"given": strangers[0][:60]}, field="seeds")
        if len(set(wanted)) != len(wanted):
            raise Unprocessable(_("Name each player only once."), field="seeds")
        seeds = {name: number for number, name in enumerate(wanted, start=1)}
        changed = {name: row for name, row in rows.items() if row.seed != seeds.get(name, 0)}
        for name, row in changed.items():
            row.seed = seeds.get(name, 0)
        if not changed:
            return
        update_all(list(changed.values()), changed=("seed",))
        seeded = [rows[name].user for name in wanted]
        names = ", ".join(player.username for player in seeded)
        log(tournament, by=user, verb=Verb.SEEDED, text=names, people=seeded, now=now, spent=True)


def expel(*, user: User, tournament_id: str, username: str, reason: str, now: datetime) -> None:
    """Expel a player: before the start they are taken off the list, later they lose their open games.

    They do not enter again, unless they are invited. Raises ``Forbidden`` for a director who plays, later.
    """
    reason, player = checked_reason(reason), player_named(username)
    expect_other(user, player)
    with transaction.atomic():
        tournament = Tournament.objects.filter(public_id=tournament_id).first()
        if tournament is not None and directs(user, tournament):
            expect_spectator(user, tournament)
            forfeit_open_games(tournament, player, by=user, reason=reason, now=now)
        tournament = lock_tournament(tournament_id)
        expect_director(user, tournament)
        expect_status(tournament, Status.ENTRY, Status.RUNNING)
        row = entrant_of(tournament, player)
        if row.left is not None:
            raise Conflict(_("%(username)s has already left.") % {"username": player.username})
        expect_spectator(user, tournament)
        if tournament.status == Status.ENTRY:
            invitations.keep_removals(row)
            row.delete()
            tournament.size -= 1
            tournament.save(update_fields=["size"])
        else:
            row.left, row.expelled = tournament.rounds_made, True
            row.save(update_fields=["left", "expelled"])
            schedule(tournament, now)
        invitations.note_removal(tournament, player, by=user, reason=reason, now=now)
        emit(about(Withdrew, tournament, user_id=player.pk, expelled=True))
        verb = Verb.REMOVED if tournament.status == Status.ENTRY else Verb.EXPELLED
        log(
            tournament,
            by=user,
            verb=verb,
            text=player.username,
            people=[player],
            reason=reason,
            now=now,
            concerns=[player.pk],
        )


def extend(*, user: User, tournament_id: str, until: datetime, reason: str, now: datetime) -> None:
    """Extend the entry deadline, an arena, or the time for appointments of the latest round.

    Nothing becomes shorter. Raises ``Forbidden`` for a director who plays in the arena, or is still to play
    in the round.
    """
    reason = checked_reason(reason)
    if not now < until <= now + LATEST:
        raise Unprocessable(_("Choose a time within the next year."), field="until")
    with transaction.atomic():
        tournament = lock_tournament(tournament_id)
        expect_director(user, tournament)
        if tournament.status == Status.ENTRY and tournament.start != Start.HAND:
            expect_begins_as_told(user, tournament, earliest=until, latest=until, now=now, field="until")
            expect_delayed_little(tournament, until, field="until")
            if begins_at_once(tournament):
                expect_attended_or_noticed(
                    user, tournament, earliest=until, latest=until, now=now, field="until"
                )
            starts_at = _no_earlier(tournament, until)
            if starts_at != tournament.starts_at:
                tournament.starts_at, tournament.date_by_club = starts_at, False
                if tournament.size:
                    starting.checked_move(tournament, now)
                    starting.announce_date(tournament, Why.MOVED, by=user)
        elif tournament.status == Status.RUNNING and tournament.ends_at is not None:
            _extend_arena(tournament, user, until, now)
        elif not _extend_round(tournament, user, until):
            raise Conflict(_("There is nothing to extend: no entry deadline, no arena, no appointments."))
        tournament.save(update_fields=["starts_at", "date_by_club", "ends_at", "due_at"])
        schedule(tournament, now)
        moment = f"{until:%Y-%m-%d %H:%M} UTC"
        log(tournament, by=user, verb=Verb.EXTENDED, text=moment, reason=reason, now=now)


def close(*, user: User, tournament_id: str, reason: str, now: datetime) -> None:
    """Pair no further rounds: the tournament ends with its open games.

    Raises ``Forbidden`` for a director who plays in it.
    """
    reason = checked_reason(reason)
    with transaction.atomic():
        tournament = lock_tournament(tournament_id)
        expect_director(user, tournament)
        expect_status(tournament, Status.RUNNING)
        expect_spectator(user, tournament)
        if tournament.closed:
            return
        tournament.closed = True
        tournament.save(update_fields=["closed"])
        schedule(tournament, now)
        log(tournament, by=user, verb=Verb.CLOSED, text="the tournament", reason=reason, now=now)
        publish_change(tournament)


def _no_earlier(tournament: Tournament, until: datetime) -> datetime:
    """The time, or the present one in the same minute; raises ``Unprocessable`` for one before that.

    Players count on the present one.
    """
    present = deadline_of(tournament)
    if present is not None and until < to_the_minute(present):
        raise Unprocessable(
            _("There is time until %(present)s, so you can't extend it until %(until)s.")
            % {"present": moment_text(present), "until": moment_text(until)},
            field="until",
        )
    return max(until, present or until)


def _extend_arena(tournament: Tournament, user: User, until: datetime, now: datetime) -> None:
    expect_not_in_arena(user, tournament)
    if tournament.closed or until > now + timedelta(minutes=LONGEST_ARENA):
        raise Conflict(_("Only an open arena can be extended, to at most a day from now."), field="until")
    tournament.ends_at = _no_earlier(tournament, until)


def _extend_round(tournament: Tournament, user: User, until: datetime) -> bool:
    rows = Round.objects.filter(tournament=tournament, number=tournament.rounds_made)
    latest = rows.exclude(deadline=None)
    if not latest.exists():
        return False
    expect_nothing_open(user, tournament)
    return latest.update(deadline=_no_earlier(tournament, until)) > 0


def _field(tournament_id: str) -> list[Entrant]:
    rows = Entrant.objects.filter(tournament__public_id=tournament_id).select_related("user")
    return list(rows.only("seed", "user__username"))
