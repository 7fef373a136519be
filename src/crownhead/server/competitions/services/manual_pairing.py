"""Rounds on hold: a director pairs them by hand and releases them.

What the director wants is checked before the tournament is locked, from its players and the round on hold
alone: the rounds before it are thousands of rows, and nothing follows from them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain
from typing import NamedTuple

from django.db import transaction
from django.utils.translation import gettext as _

from crownhead import contest
from crownhead.contest import Bye, Contest, ContestError
from crownhead.contest.formats import Format
from crownhead.server.accounts.access import check_may_write
from crownhead.server.accounts.selectors import User
from crownhead.server.competitions.access import (
    NOTICE,
    begins_at_once,
    checked_reason,
    expect_director,
    expect_status,
    format_of_tournament,
    lock_tournament,
    log,
    publish_change,
    schedule,
    spend_act,
)
from crownhead.server.competitions.choices import ATTENDED, NOTICED
from crownhead.server.competitions.models import Entrant, Pairing, Round, Status, Tournament, Verb
from crownhead.server.competitions.selectors import access_tournament, to_release
from crownhead.server.competitions.selectors.contest_rows import contest_of, key_of
from crownhead.server.competitions.selectors.starts import missing
from crownhead.server.competitions.services import telling, unplayed
from crownhead.server.competitions.services.impartial import (
    expect_attended_if_told,
    expect_may_begin,
    expect_spectator,
)
from crownhead.server.competitions.services.storing import empty_round, store_pairings
from crownhead.server.core.moments import to_the_minute
from crownhead.server.core.problems import Conflict, Unprocessable

Pair = tuple[str, str]  # usernames; the first one moves first


class _Seat(NamedTuple):
    """A pairing or a bye of the round on hold, as far as another round in its place follows from it."""

    first: str
    second: str | None
    bye: Bye | None
    planned: int


_Mark = tuple[int, frozenset[int]]  # the tournament's version, and who wants a bye in the round


@dataclass(frozen=True, slots=True)
class _Checked:
    """The round that a director wants, whom they have named, and what it follows from."""

    made: contest.Round
    named: tuple[User, ...]
    mark: _Mark


def pair_by_hand(
    *, user: User, tournament_id: str, pairs: Sequence[Pair], reason: str, now: datetime
) -> None:
    """Replace the pairings of the round on hold, or make a round that the contest cannot make.

    Players who are not named get a bye. Raises ``Forbidden`` for a director who plays.
    """
    reason = checked_reason(reason)
    tournament = access_tournament(tournament_id)
    row = _expect_to_pair(user, tournament)
    spend_act(user)
    check_may_write(user=user, now=now, text=reason)
    checked = _checked(tournament, row, pairs)
    with transaction.atomic():
        tournament = lock_tournament(tournament_id)
        row = _expect_to_pair(user, tournament)
        if checked.mark != _mark(tournament, row):  # somebody was faster
            checked = _checked(tournament, row, pairs)
        if row is None:
            row = _new_round(tournament, checked.made.number, now)
        empty_round(row)
        store_pairings(checked.made, row)
        text = ", ".join(f"{first} – {second}" for first, second in pairs)
        log(
            tournament,
            by=user,
            verb=Verb.PAIRED,
            text=f"{checked.made.number}: {text}",
            people=checked.named,
            reason=reason,
            now=now,
            spent=True,
        )


def _expect_to_pair(user: User, tournament: Tournament) -> Round | None:
    """The round on hold; None where a director is to make one. Raises if the user can't pair it."""
    expect_director(user, tournament)
    expect_status(tournament, Status.RUNNING)
    expect_spectator(user, tournament)
    row = _on_hold(tournament)
    if row is None and not tournament.waiting_for:
        raise Conflict(_("There is no round on hold that could be paired by hand."))
    return row


def _checked(tournament: Tournament, row: Round | None, pairs: Sequence[Pair]) -> _Checked:
    """The round of these pairs; raises ``Unprocessable``, for a wrong name at once."""
    mark = _mark(tournament, row)  # before all else is read: nothing that changes afterwards is missed
    entrants = _entrants(tournament)
    if len(pairs) > (most := len(entrants) // 2):
        raise Unprocessable(_("Name at most %(most)s pairs.") % {"most": most}, field="pairs")
    named = tuple(_entrant(entrants, name).user for pair in pairs for name in pair)
    before = _seats(row) if row is not None else ()
    rest = _rest(tournament, entrants, _number(tournament, row))
    like = _like(tournament, row)
    made = _made(format_of_tournament(tournament), entrants, rest, pairs, before, like)
    return _Checked(made, named, mark)


def _mark(tournament: Tournament, row: Round | None) -> _Mark:
    """Is other than before once something has changed that the round follows from.

    Asking for a bye leaves the version as it is.
    """
    number = _number(tournament, row)
    rows = Entrant.objects.filter(tournament=tournament).values_list("pk", "off")
    return tournament.version, frozenset(key for key, off in rows if number in off)


def _number(tournament: Tournament, row: Round | None) -> int:
    """The number of the round to pair: of that on hold, or of the next one."""
    return tournament.rounds_made + 1 if row is None else row.number


def _rest(tournament: Tournament, entrants: Mapping[str, Entrant], number: int) -> Contest:
    """The contest before this round, with nothing of its rounds but how many they are."""
    return contest_of(tournament, entrants.values(), (contest.Round(at, ()) for at in range(1, number)))


def _seats(row: Round) -> tuple[_Seat, ...]:
    found = Pairing.objects.filter(round=row).order_by("table")
    return tuple(
        _Seat(key_of(first), None if second is None else key_of(second), Bye(bye) if bye else None, planned)
        for first, second, bye, planned in found.values_list("first_id", "second_id", "bye", "planned")
    )


def _like(tournament: Tournament, row: Round | None) -> Pairing | None:
    """A pairing that others of the contest are like: of the round on hold, or of an earlier one."""
    rows = Pairing.objects.filter(round__tournament=tournament, second__isnull=False)
    held = None if row is None else rows.filter(round=row).order_by("table").first()
    return held or rows.order_by("round__number", "table").first()


def release(*, user: User, tournament_id: str, now: datetime, later: bool = False) -> None:
    """Release the round on hold, so that it starts; ``later``: live games with a day's notice.

    Where all rounds begin together, all of them are released. A round that was to start later starts sooner
    while its players are here. Raises ``Conflict`` for a director who plays if its games are live, and would
    begin at once while players are away.
    """
    with transaction.atomic():
        tournament = lock_tournament(tournament_id)
        expect_director(user, tournament)
        expect_status(tournament, Status.RUNNING)
        rounds = to_release(tournament, now)
        later = later and begins_at_once(tournament)
        if not rounds or (later and rounds[-1].starts_at is not None):
            return
        if not later:
            expect_may_begin(user, tournament, rounds)
            expect_attended_if_told(user, tournament, rounds)
        starts_at = to_the_minute(now + NOTICE) if later else now
        for row in rounds:
            row.starts_at = starts_at
            if tournament.appointment_days is not None:
                announced = now + timedelta(days=tournament.appointment_days)
                row.deadline = max(announced, row.deadline or announced)  # it may have been extended
            row.save(update_fields=["starts_at", "deadline"])
            telling.announce_round(tournament, row, now)
        schedule(tournament, now)
        text = "–".join(dict.fromkeys(str(row.number) for row in (rounds[0], rounds[-1])))
        if later:
            text = f"{text}, {starts_at:%Y-%m-%d %H:%M} {NOTICED}"
        elif begins_at_once(tournament) and not missing(tournament, but=user, rounds=rounds):
            text = f"{text} {ATTENDED}"
        log(tournament, by=user, verb=Verb.RELEASED, text=text, now=now)
        publish_change(tournament)


def _on_hold(tournament: Tournament) -> Round | None:
    rows = Round.objects.filter(tournament=tournament, number=tournament.rounds_made, starts_at=None)
    return rows.first()


def _new_round(tournament: Tournament, number: int, now: datetime) -> Round:
    tournament.rounds_made, tournament.waiting_for = number, ""
    tournament.save(update_fields=["rounds_made", "waiting_for"])
    return Round.objects.create(tournament=tournament, number=number, made_at=now)


def _made(
    kind: Format,
    entrants: Mapping[str, Entrant],
    rest: Contest,
    pairs: Sequence[Pair],
    before: tuple[_Seat, ...],
    like: Pairing | None,
) -> contest.Round:
    """The next round with these pairs; raises ``Unprocessable``."""
    there = _there(entrants, rest, before)
    _expect_can_meet(pairs, entrants, there)
    try:
        seated = _pairings(entrants, pairs, like)
        byes = _byes(there, seated, before, odd=kind.odd_bye)
        made = contest.Round(len(rest.rounds) + 1, (*seated, *byes))
        kind.check_round(rest, made)
    except ContestError as error:
        raise Unprocessable(_("The next round can't be paired like this."), field="pairs") from error
    return made


def _pairings(
    entrants: Mapping[str, Entrant], pairs: Sequence[Pair], like: Pairing | None
) -> tuple[contest.Pairing, ...]:
    """The pairings of these players, like those of the contest."""
    return tuple(
        contest.Pairing(
            table=table,
            first=_key(entrants, first),
            second=_key(entrants, second),
            section=like.section if like else 0,
            planned=like.planned if like else 1,
            wins=like.wins if like else 0,
            most=like.most if like else 0,
            replays=like.replays if like else 0,
            ballot=table if like is None or like.ballot else 0,
            stage=like.stage if like else "",
        )
        for table, (first, second) in enumerate(pairs, start=1)
    )


def _byes(
    there: Mapping[str, bool],
    seated: tuple[contest.Pairing, ...],
    before: tuple[_Seat, ...],
    *,
    odd: Bye,
) -> tuple[contest.Pairing, ...]:
    """Byes for the players who are not seated; ``odd``: what one player alone gets who has no opponent.

    A bye that was asked for, or given by the contest, stays as it was; others count as absence.
    """
    taken = {key for pairing in seated for key in pairing.players}
    free = [key for key in there if key not in taken]
    given = {seat.first: seat.bye for seat in before if seat.bye}
    alone = odd if sum(there[key] for key in free) == 1 else Bye.ABSENT

    def bye_of(key: str) -> Bye:
        if not there[key]:
            return given.get(key, Bye.ASKED)
        return Bye.ODD if given.get(key) is Bye.ODD else alone

    planned = next(chain((one.planned for one in seated), (seat.planned for seat in before)), 1)
    return tuple(
        contest.Pairing(table=table, first=key, planned=planned, bye=bye_of(key))
        for table, key in enumerate(free, start=len(seated) + 1)
    )


def _there(entrants: Mapping[str, Entrant], rest: Contest, before: tuple[_Seat, ...]) -> dict[str, bool]:
    """The keys of those who are in the round, and whether they can be paired: not who asked for a bye."""
    number = len(rest.rounds) + 1
    gone = {key_of(entrant.pk) for entrant in entrants.values() if unplayed.is_gone(entrant)}
    players = {player.key: player for player in rest.players if player.plays_in(number)}
    seated = (key for seat in before for key in (seat.first, seat.second) if key is not None)
    keys = dict.fromkeys(seated) or players
    return {key: number not in players[key].off for key in keys if key in players and key not in gone}


def _entrants(tournament: Tournament) -> dict[str, Entrant]:
    """Everybody who has entered, by name."""
    rows = Entrant.objects.filter(tournament=tournament).select_related("user").order_by("pk")
    columns = [field.name for field in Entrant._meta.concrete_fields]
    some = rows.only(*columns, "user__username", "user__is_active")
    return {row.user.username.casefold(): row for row in some}


def _expect_can_meet(
    pairs: Sequence[Pair], entrants: Mapping[str, Entrant], there: Mapping[str, bool]
) -> None:
    """Raise ``Unprocessable`` unless all who are named can be paired in this round, each once."""
    named: set[str] = set()
    for name in (one.strip() for pair in pairs for one in pair):
        key = _key(entrants, name)
        if not there.get(key):
            raise Unprocessable(_("%(name)s does not play in this round.") % {"name": name}, field="pairs")
        if key in named:
            raise Unprocessable(_("%(name)s is named twice.") % {"name": name}, field="pairs")
        named.add(key)


def _key(entrants: Mapping[str, Entrant], name: str) -> str:
    return key_of(_entrant(entrants, name).pk)


def _entrant(entrants: Mapping[str, Entrant], name: str) -> Entrant:
    entrant = entrants.get(name.strip().casefold())
    if entrant is None:
        raise Unprocessable(
            _("%(given)s does not play in this tournament.") % {"given": name.strip()[:60]}, field="pairs"
        )
    return entrant
