"""Appointments of live pairings: proposing a time, answering, reminders.

For a game that will be played again both agree on a time again; the tournament is locked for that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext as _

from crownhead.contest import ContestError
from crownhead.contest import appointments as appointment_rules
from crownhead.server.accounts.selectors import User
from crownhead.server.competitions.access import expect_status, lock_tournament, publish_change, schedule
from crownhead.server.competitions.events import (
    AppointmentAnswered,
    AppointmentProposed,
    AppointmentSoon,
    TimesChanged,
    about,
)
from crownhead.server.competitions.models import (
    Appointment,
    Entrant,
    Meeting,
    Pairing,
    PairingGame,
    Status,
    Tournament,
)
from crownhead.server.competitions.selectors import awaited, begins_at, begins_by
from crownhead.server.competitions.selectors.contest_rows import key_of
from crownhead.server.competitions.services import unplayed
from crownhead.server.core.events import emit
from crownhead.server.core.moments import moment_text, to_the_minute
from crownhead.server.core.problems import Conflict, Forbidden, NotFound, Unprocessable
from crownhead.server.core.queries.rows import update_all
from crownhead.server.live.selectors import is_here
from crownhead.server.play.games.options import Result
from crownhead.server.play.problems import AskedAlready
from crownhead.server.play.selectors import Game

REMINDED_BEFORE = timedelta(hours=1)
TO_COME_AGAIN = timedelta(days=1)  # before a game that is played again begins without an agreement
EARLIER = timedelta(hours=1)  # than the deadline, for a proposal that asks anything of the opponent
TO_ANSWER = 0.25  # of a round, before an opponent counts as silent
MAX_TOLD = 10  # pairings of a substitute whose players are told in the request itself
LEAST_NOTICE = timedelta(minutes=15)  # for who proposed a time and isn't here when the opponent agrees
MAX_PROPOSED = 5  # times of one player for one pairing within a day


def propose(*, user: User, tournament_id: str, number: int, table: int, at: datetime, now: datetime) -> None:
    """Propose a minute for the user's pairing, replacing an earlier one; one that both propose is agreed."""
    at = to_the_minute(at)
    with transaction.atomic():
        tournament, pairing = _pairing(tournament_id, number, table)
        mine, other = _sides(pairing, user)
        try:
            made = appointment_rules.propose(appointment_of(pairing), key_of(mine.pk), [at], now)
        except ContestError as error:
            latest = moment_text(begins_by(pairing.round, pairing) or pairing.round.made_at)
            raise Unprocessable(
                _("Choose a time in the future, before %(latest)s.") % {"latest": latest}, field="at"
            ) from error
        rows = Appointment.objects.filter(pairing=pairing, status=Meeting.PROPOSED)
        if made.agreed is not None:
            _agree(tournament, pairing, rows.get(by=other.user_id, at=made.agreed), user, now)
            return
        _expect_may_propose(pairing, user, now)
        rows.filter(by=user).update(status=Meeting.DECLINED)
        Appointment.objects.create(pairing=pairing, by=user, at=at, made_at=now)
        emit(
            about(
                AppointmentProposed,
                tournament,
                round=number,
                table=table,
                by_id=user.pk,
                to_id=other.user_id,
                at=at,
            )
        )
        publish_change(tournament)


def answer(
    *,
    user: User,
    tournament_id: str,
    number: int,
    table: int,
    agreed: bool,
    at: datetime | None = None,
    now: datetime,
) -> None:
    """Accept or decline the time ``at`` that the opponent proposes; who accepts has to name it.

    Raises ``Conflict`` if the opponent no longer proposes it, or is away and the time is near.
    """
    with transaction.atomic():
        tournament, pairing = _pairing(tournament_id, number, table)
        mine, other = _sides(pairing, user)
        row = Appointment.objects.filter(pairing=pairing, by=other.user_id, status=Meeting.PROPOSED).first()
        if row is None:
            raise NotFound(_("Your opponent has not proposed a time."))
        if agreed and at is None:
            raise Unprocessable(_("Name the time that you agree to."), field="at")
        if at is not None and to_the_minute(at) != to_the_minute(row.at):
            raise Conflict(
                _("Your opponent proposes %(moment)s now. Read it again, then answer.")
                % {"moment": moment_text(row.at)},
                field="at",
            )
        if not agreed:
            row.status = Meeting.DECLINED
            row.save(update_fields=["status"])
            _announce_answer(tournament, pairing, row, user, agreed=False)
            return
        try:
            appointment_rules.accept(appointment_of(pairing), key_of(mine.pk), row.at, now)
        except ContestError as error:
            raise Conflict(_("This time has passed. Propose another one.")) from error
        _agree(tournament, pairing, row, user, now)


def appointment_of(pairing: Pairing) -> appointment_rules.Appointment:
    """The open proposals of a pairing as a ``contest`` value."""
    keys = {entrant.user_id: key_of(entrant.pk) for entrant in _both(pairing)}
    first, second = keys.values()
    rows = Appointment.objects.filter(pairing=pairing, status=Meeting.PROPOSED).order_by("pk")
    return appointment_rules.Appointment(
        first=first,
        second=second,
        until=begins_by(pairing.round, pairing) or pairing.round.made_at,
        proposed=tuple((keys[row.by_id], row.at) for row in rows if row.by_id in keys),
        agreed=pairing.starts_at,
    )


def at_fault(pairing: Pairing, now: datetime) -> int | None:
    """After the deadline: the entrant who never proposed a time while the opponent did, if there is one.

    The opponent must have left them time to answer: one of the proposals stood for a part of the round.
    """
    if pairing.starts_at is not None or pairing.round.deadline is None:
        return None
    keys = {entrant.user_id: key_of(entrant.pk) for entrant in _both(pairing)}
    proposed = Appointment.objects.filter(pairing=pairing, by__in=keys)  # not of who was replaced
    rows = list(proposed.order_by("pk"))
    # A part of the time that was announced: of a round that was extended since no more is asked.
    notice = timedelta(days=pairing.round.tournament.appointment_days or 0) * TO_ANSWER
    latest = pairing.round.deadline - EARLIER  # when the game begins in any case, nobody need answer
    if all(row.at > latest or _stood(row, rows) < notice for row in rows):
        return None
    proposals = tuple((keys[row.by_id], row.at) for row in rows)
    keys_at_fault = appointment_rules.at_fault(replace(appointment_of(pairing), proposed=proposals), now)
    return int(keys_at_fault[0]) if keys_at_fault else None


def _stood(row: Appointment, rows: Sequence[Appointment]) -> timedelta:
    """How long a proposal stood: until its time, or until its player replaced it."""
    replaced = [other.made_at for other in rows if other.by_id == row.by_id and other.pk > row.pk]
    return min([row.at, *replaced]) - row.made_at


def begin_again(place: Entrant, now: datetime) -> list[int]:
    """Let a substitute agree on times themselves; returns the opponents whose agreed times are void.

    What an opponent still proposes is proposed to the substitute from now on, unless a game had begun. If
    many games are to be played again, a worker tells the players of most when they begin.
    """
    theirs = Pairing.objects.filter(Q(first=place) | Q(second=place), round__deadline__isnull=False, bye="")
    begun = [
        pairing
        for pairing in _with_players(theirs.filter(games__isnull=False).distinct()).prefetch_related("games")
        if awaited(pairing, pairing.games.all()) and not any(map(unplayed.is_gone, _both(pairing)))
    ]
    _forget_times(begun, now)
    for pairing in begun[:MAX_TOLD]:
        _announce_start(pairing, now)
    if begun[MAX_TOLD:]:
        emit(TimesChanged(pairings=tuple((pairing.pk, pairing.starts_at) for pairing in begun[MAX_TOLD:])))
    return _void_times(theirs.filter(games__isnull=True), place, now)


def tell_times(pairings: Iterable[tuple[int, datetime | None]], *, since: datetime) -> None:
    """Tell the players of some pairings when their games begin, unless another time holds or one is gone.

    Nobody is told twice who was told with the same ``since``.
    """
    for key, starts_at in pairings:
        with transaction.atomic():
            rows = _with_players(Pairing.objects.filter(pk=key, starts_at=starts_at))
            pairing = rows.prefetch_related("games").first()
            if pairing is None or any(map(unplayed.is_gone, _both(pairing))):
                continue
            if awaited(pairing, pairing.games.all()):
                _announce_start(pairing, since)


def _void_times(rows: QuerySet[Pairing], place: Entrant, now: datetime) -> list[int]:
    """Void the times of pairings without games; returns the opponents who had agreed to one."""
    keys = list(rows.values_list("pk", flat=True))
    made = Appointment.objects.filter(pairing__in=keys)
    of_opponents = Q(pairing__first=place, by=F("pairing__second__user")) | Q(
        pairing__second=place, by=F("pairing__first__user")
    )
    made.exclude(pk__in=made.filter(of_opponents, status=Meeting.PROPOSED).values("pk")).delete()
    made.update(made_at=now)
    agreed = Pairing.objects.filter(pk__in=keys, starts_at__isnull=False)
    both = [key for pair in agreed.values_list("first__user", "second__user") for key in pair]
    agreed.update(starts_at=None, reminded_at=None)
    return [key for key in both if key is not None and key != place.user_id]


def meet_again(pairing: Pairing, now: datetime) -> None:
    """Let both agree on a time for a game that will be played again, unless they have done so since."""
    pairing = Pairing.objects.select_related("first", "second", "round__tournament").get(pk=pairing.pk)
    is_agreed = pairing.starts_at is not None and pairing.starts_at > now
    if pairing.round.deadline is not None and not is_agreed:
        _arrange_anew(pairing, now)


def catch_up(pairing: Pairing, now: datetime) -> None:
    """Let both agree on a time for a resumed pairing, if the next game would begin at once."""
    begins = begins_at(pairing.round, pairing)
    if begins is not None and begins <= now and awaited(pairing, pairing.games.all()):
        meet_again(pairing, now)


def without_result(*, game_id: str, now: datetime) -> None:
    """Let both agree on a time for a game that will be played again because it ended without a result.

    What a director did to it is seen to where they decided: a player may have been replaced.
    """
    directed = {"staff_actions__as_director": True, "staff_actions__result": Result.NOTHING.value}
    if Game.objects.filter(public_id=game_id, **directed).exists():
        return
    rows = PairingGame.objects.filter(game_id=game_id, replaced=True).select_related("pairing")
    running = rows.filter(pairing__round__tournament__status=Status.RUNNING)
    for row in running:
        if awaited(row.pairing, row.pairing.games.all()):
            meet_again(row.pairing, now)


def _arrange_anew(pairing: Pairing, now: datetime) -> None:
    """Forget what was agreed and proposed, and tell both when the game begins if they don't agree again.

    Against somebody who is gone there is nothing to agree on: it is forfeited at the time that there was.
    """
    if any(map(unplayed.is_gone, _both(pairing))):
        return
    _forget_times([pairing], now)
    _announce_start(pairing, now)


def _forget_times(pairings: Sequence[Pairing], now: datetime) -> None:
    """Forget what was agreed and proposed; near its end a round leaves a day to agree again."""
    earliest = now + TO_COME_AGAIN
    for pairing in pairings:
        deadline = pairing.round.deadline
        assert deadline is not None
        pairing.starts_at, pairing.reminded_at = (earliest if deadline < earliest else None), None
    Appointment.objects.filter(pairing__in=pairings).delete()
    update_all(pairings, changed=("starts_at", "reminded_at"))


def _with_players(rows: QuerySet[Pairing]) -> QuerySet[Pairing]:
    """Pairings in the order of their rounds, with what is asked of their players and their tournament."""
    return rows.select_related("first__user", "second__user", "round__tournament").order_by(
        "round__number", "table"
    )


def _announce_start(pairing: Pairing, since: datetime) -> None:
    emit(
        about(
            AppointmentSoon,
            pairing.round.tournament,
            round=pairing.round.number,
            table=pairing.table,
            player_ids=tuple(entrant.user_id for entrant in _both(pairing)),
            at=pairing.starts_at or pairing.round.deadline,
            since=since,
        )
    )


def remind(*, now: datetime) -> int:
    """Remind players whose game starts soon, once per pairing; returns how many pairings."""
    rows = Pairing.objects.filter(
        starts_at__lte=now + REMINDED_BEFORE,
        starts_at__gt=now,
        reminded_at=None,
        round__tournament__status=Status.RUNNING,
    ).select_related("round__tournament", "first", "second")
    reminded = 0
    for pairing in rows.prefetch_related("games"):
        if not awaited(pairing, pairing.games.all()):
            continue
        with transaction.atomic():
            if not Pairing.objects.filter(pk=pairing.pk, reminded_at=None).update(reminded_at=now):
                continue  # another worker was faster
            _announce_start(pairing, now)
            reminded += 1
    return reminded


def _expect_may_propose(pairing: Pairing, user: User, now: datetime) -> None:
    """Raise ``AskedAlready`` if the user has suggested enough times for today: each one notifies."""
    latest = Appointment.objects.filter(pairing=pairing, by=user, made_at__gt=now - timedelta(days=1))
    if latest.count() >= MAX_PROPOSED:
        raise AskedAlready(_("You have suggested enough times for today. Wait for an answer."))


def _agree(tournament: Tournament, pairing: Pairing, row: Appointment, user: User, now: datetime) -> None:
    """Let a pairing begin at a time that one player proposes, and the other agrees to now.

    Raises ``Conflict`` shortly before that time if who proposed it is away: they may expect no answer by now.
    """
    if row.at < now + LEAST_NOTICE and not is_here(row.by_id):
        raise Conflict(
            _(
                "This time is less than %(minutes)s minutes from now, and your opponent isn't here. "
                "Propose another one."
            )
            % {"minutes": LEAST_NOTICE // timedelta(minutes=1)},
            field="at",
        )
    row.status = Meeting.AGREED
    row.save(update_fields=["status"])
    Appointment.objects.filter(pairing=pairing, status=Meeting.PROPOSED).delete()
    pairing.starts_at, pairing.reminded_at = row.at, None
    pairing.save(update_fields=["starts_at", "reminded_at"])
    schedule(tournament, now)
    _announce_answer(tournament, pairing, row, user, agreed=True)


def _announce_answer(
    tournament: Tournament, pairing: Pairing, row: Appointment, user: User, *, agreed: bool
) -> None:
    emit(
        about(
            AppointmentAnswered,
            tournament,
            round=pairing.round.number,
            table=pairing.table,
            by_id=user.pk,
            to_id=row.by_id,
            at=row.at,
            agreed=agreed,
        )
    )
    publish_change(tournament)


def _pairing(tournament_id: str, number: int, table: int) -> tuple[Tournament, Pairing]:
    """The locked tournament and a pairing with a game to come; raises the problem otherwise."""
    tournament = lock_tournament(tournament_id)
    expect_status(tournament, Status.RUNNING)
    rows = Pairing.objects.select_related("round", "first", "second")
    pairing = rows.filter(round__tournament=tournament, round__number=number, table=table).first()
    if pairing is None or pairing.second is None:
        raise NotFound(
            _("Round %(number)s has no table %(table)s with two players.")
            % {"number": number, "table": table}
        )
    if pairing.round.deadline is None or pairing.round.starts_at is None:
        raise Conflict(_("This round is played without appointments."))
    if not awaited(pairing, pairing.games.all()):
        raise Conflict(_("The game has already started."))
    return tournament, pairing


def _both(pairing: Pairing) -> list[Entrant]:
    return [entrant for entrant in (pairing.first, pairing.second) if entrant is not None]


def _sides(pairing: Pairing, user: User) -> tuple[Entrant, Entrant]:
    """The user's entrant and the opponent's; raises ``Forbidden``."""
    first, second = pairing.first, pairing.second
    if second is not None and first.user_id == user.pk:
        return first, second
    if second is not None and second.user_id == user.pk:
        return second, first
    raise Forbidden(_("Only the two players of this pairing can agree on a time."))
