"""Rounds on hold: a director pairs them by hand and releases them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from crownhead import contest
from crownhead.contest import Bye, ContestError
from crownhead.contest.formats import Format
from crownhead.server.accounts.selectors import User
from crownhead.server.competitions.access import (
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
from crownhead.server.competitions.models import Entrant, Pairing, Round, Status, Tournament, Verb
from crownhead.server.competitions.selectors.contest_rows import key_of, load
from crownhead.server.competitions.services import telling, unplayed
from crownhead.server.competitions.services.storing import store_pairings
from crownhead.server.core.problems import Conflict, Forbidden, Unprocessable

Pair = tuple[str, str]  # usernames; the first one moves first


def pair_by_hand(
    *, user: User, tournament_id: str, pairs: Sequence[Pair], reason: str, now: datetime
) -> None:
    """Replace the pairings of the round on hold, or make a round that the contest cannot make.

    Players who are not named get a bye. Directors who play cannot change their own pairing or bye.
    """
    reason = checked_reason(reason)
    with transaction.atomic():
        tournament = lock_tournament(tournament_id)
        expect_director(user, tournament)
        expect_status(tournament, Status.RUNNING)
        row = _on_hold(tournament)
        if row is None and not tournament.waiting_for:
            raise Conflict(_("There is no round on hold that could be paired by hand."))
        spend_act(user)
        state = load(tournament)
        if len(pairs) > (most := len(state.players) // 2):
            raise Unprocessable(_("Name at most %(most)s pairs.") % {"most": most}, field="pairs")
        before = state.rounds[-1].pairings if row is not None else ()
        rest = replace(state, rounds=state.rounds[:-1]) if row is not None else state
        entrants = _entrants(tournament)
        made = _made(format_of_tournament(tournament), entrants, rest, pairs, before)
        _expect_own_as_before(user, entrants, before, made.pairings)
        if row is None:
            row = _new_round(tournament, made.number, now)
        Pairing.objects.filter(round=row).delete()
        store_pairings(made, row)
        text = ", ".join(f"{first} – {second}" for first, second in pairs)
        log(
            tournament,
            by=user,
            verb=Verb.PAIRED,
            text=f"{made.number}: {text}",
            people=[entrants[name.strip().casefold()].user for pair in pairs for name in pair],
            reason=reason,
            now=now,
            spent=True,
        )


def release(*, user: User, tournament_id: str, now: datetime) -> None:
    """Release the round on hold, so that it starts."""
    with transaction.atomic():
        tournament = lock_tournament(tournament_id)
        expect_director(user, tournament)
        expect_status(tournament, Status.RUNNING)
        row = _on_hold(tournament)
        if row is None:
            return
        row.starts_at = now
        if tournament.appointment_days is not None:
            announced = now + timedelta(days=tournament.appointment_days)
            row.deadline = max(announced, row.deadline or announced)  # it may have been extended
        row.save(update_fields=["starts_at", "deadline"])
        telling.announce_round(tournament, row, now)
        schedule(tournament, now)
        log(tournament, by=user, verb=Verb.RELEASED, text=str(row.number), now=now)
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
    rest: contest.Contest,
    pairs: Sequence[Pair],
    before: tuple[contest.Pairing, ...],
) -> contest.Round:
    """The next round with these pairs; raises ``Unprocessable``."""
    there = _there(entrants, rest, before)
    _expect_can_meet(pairs, entrants, there)
    try:
        seated = _pairings(entrants, rest, pairs, before)
        byes = _byes(there, seated, before, odd=kind.odd_bye)
        made = contest.Round(len(rest.rounds) + 1, (*seated, *byes))
        kind.check_round(rest, made)
    except ContestError as error:
        raise Unprocessable(_("The next round can't be paired like this."), field="pairs") from error
    return made


def _pairings(
    entrants: Mapping[str, Entrant],
    rest: contest.Contest,
    pairs: Sequence[Pair],
    before: tuple[contest.Pairing, ...],
) -> tuple[contest.Pairing, ...]:
    """The pairings of these players, like those of the contest."""
    kinds = [*before, *(pairing for _round, pairing in rest.pairings())]
    kind = next((pairing for pairing in kinds if pairing.second is not None), None)
    return tuple(
        contest.Pairing(
            table=table,
            first=_key(entrants, first),
            second=_key(entrants, second),
            section=kind.section if kind else 0,
            planned=kind.planned if kind else 1,
            wins=kind.wins if kind else 0,
            most=kind.most if kind else 0,
            replays=kind.replays if kind else 0,
            ballot=table if kind is None or kind.ballot else 0,
            stage=kind.stage if kind else "",
        )
        for table, (first, second) in enumerate(pairs, start=1)
    )


def _byes(
    there: Mapping[str, bool],
    seated: tuple[contest.Pairing, ...],
    before: tuple[contest.Pairing, ...],
    *,
    odd: Bye,
) -> tuple[contest.Pairing, ...]:
    """Byes for the players who are not seated; ``odd``: what one player alone gets who has no opponent.

    A bye that was asked for, or given by the contest, stays as it was; others count as absence.
    """
    taken = {key for pairing in seated for key in pairing.players}
    free = [key for key in there if key not in taken]
    given = {pairing.first: pairing.bye for pairing in before if pairing.bye}
    alone = odd if sum(there[key] for key in free) == 1 else Bye.ABSENT

    def bye_of(key: str) -> Bye:
        if not there[key]:
            return given.get(key, Bye.ASKED)
        return Bye.ODD if given.get(key) is Bye.ODD else alone

    planned = next((pairing.planned for pairing in (*seated, *before)), 1)
    return tuple(
        contest.Pairing(table=table, first=key, planned=planned, bye=bye_of(key))
        for table, key in enumerate(free, start=len(seated) + 1)
    )


def _there(
    entrants: Mapping[str, Entrant], rest: contest.Contest, before: tuple[contest.Pairing, ...]
) -> dict[str, bool]:
    """The keys of those who are in the round, and whether they can be paired: not who asked for a bye."""
    number = len(rest.rounds) + 1
    gone = {key_of(entrant.pk) for entrant in entrants.values() if unplayed.is_gone(entrant)}
    players = {player.key: player for player in rest.players if player.plays_in(number)}
    keys = dict.fromkeys(key for pairing in before for key in pairing.players) or players
    return {key: number not in players[key].off for key in keys if key in players and key not in gone}


def _entrants(tournament: Tournament) -> dict[str, Entrant]:
    """Everybody who has entered, by name."""
    rows = Entrant.objects.filter(tournament=tournament).select_related("user")
    return {row.user.username.casefold(): row for row in rows}


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


def _expect_own_as_before(
    user: User,
    entrants: Mapping[str, Entrant],
    before: tuple[contest.Pairing, ...],
    made: tuple[contest.Pairing, ...],
) -> None:
    """Raise ``Forbidden`` for a director who plays and would change what they play; the staff may."""
    mine = next((entrant for entrant in entrants.values() if entrant.user_id == user.pk), None)
    if user.acts_as_staff or mine is None or unplayed.is_gone(mine):
        return
    key = key_of(mine.pk)
    first, second = (
        {(pairing.first, pairing.second, pairing.bye) for pairing in pairings if key in pairing.players}
        for pairings in (before, made)
    )
    if first != second:
        raise Forbidden(_("You can't change your own pairing or bye. Ask another director."))


def _key(entrants: Mapping[str, Entrant], name: str) -> str:
    entrant = entrants.get(name.strip().casefold())
    if entrant is None:
        raise Unprocessable(
            _("%(given)s does not play in this tournament.") % {"given": name.strip()[:60]}, field="pairs"
        )
    return key_of(entrant.pk)
