"""Rounds on hold: a director pairs them by hand and releases them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from crownhead import contest
from crownhead.contest import Bye, ContestError
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
)
from crownhead.server.competitions.models import Entrant, Pairing, Round, Status, Tournament, Verb
from crownhead.server.competitions.selectors.contest_rows import key_of, load, rows_of
from crownhead.server.competitions.services import rounds
from crownhead.server.core.problems import Conflict, Unprocessable

Pair = tuple[str, str]  # usernames; the first one moves first


def pair_by_hand(
    *, user: User, tournament_id: str, pairs: Sequence[Pair], reason: str, now: datetime
) -> None:
    """Replace the pairings of the round on hold, or make a round that the contest cannot make.

    Players who are not named get a bye.
    """
    reason = checked_reason(reason)
    with transaction.atomic():
        tournament = lock_tournament(tournament_id)
        expect_director(user, tournament)
        expect_status(tournament, Status.RUNNING)
        state = load(tournament)
        row = _on_hold(tournament)
        if row is None and not tournament.waiting_for:
            raise Conflict(_("There is no round on hold that could be paired by hand."))
        if len(pairs) > (most := len(state.players) // 2):
            raise Unprocessable("pairs: " + _("Name at most %(most)s pairs.") % {"most": most})
        before = state.rounds[-1].pairings if row is not None else ()
        rest = replace(state, rounds=state.rounds[:-1]) if row is not None else state
        try:
            made = contest.Round(len(rest.rounds) + 1, _pairings(tournament, rest, pairs, before))
            format_of_tournament(tournament).check_round(rest, made)
        except ContestError as error:
            fault = _fault(pairs, _keys(tournament), rest)
            raise Unprocessable("pairs: " + fault) from error
        if row is None:
            row = _new_round(tournament, made.number, now)
        Pairing.objects.filter(round=row).delete()
        Pairing.objects.bulk_create(rows_of(made, row))
        text = ", ".join(f"{first} – {second}" for first, second in pairs)
        log(tournament, by=user, verb=Verb.PAIRED, text=f"{made.number}: {text}", reason=reason, now=now)


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
            row.deadline = now + timedelta(days=tournament.appointment_days)
        row.save(update_fields=["starts_at", "deadline"])
        rounds.announce_round(tournament, row, now)
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


def _pairings(
    tournament: Tournament,
    rest: contest.Contest,
    pairs: Sequence[Pair],
    before: tuple[contest.Pairing, ...],
) -> tuple[contest.Pairing, ...]:
    """The pairings of these players, like those of the contest, and byes for the others."""
    keys = _keys(tournament)
    kinds = [*before, *(pairing for _round, pairing in rest.pairings())]
    kind = next((pairing for pairing in kinds if pairing.second is not None), None)
    made = [
        contest.Pairing(
            table=table,
            first=_key(keys, first),
            second=_key(keys, second),
            section=kind.section if kind else 0,
            planned=kind.planned if kind else 1,
            wins=kind.wins if kind else 0,
            most=kind.most if kind else 0,
            replays=kind.replays if kind else 0,
            ballot=table if kind is None or kind.ballot else 0,
            stage=kind.stage if kind else "",
        )
        for table, (first, second) in enumerate(pairs, start=1)
    ]
    seated = {key for pairing in made for key in pairing.players}
    there = [key for pairing in before for key in pairing.players] or _present(rest)
    free = [key for key in dict.fromkeys(there) if key not in seated]
    byes = [
        contest.Pairing(
            table=len(made) + at, first=key, planned=kind.planned if kind else 1, bye=_bye(key, before)
        )
        for at, key in enumerate(free, start=1)
    ]
    return (*made, *byes)


def _bye(key: str, before: tuple[contest.Pairing, ...]) -> Bye:
    """The kind of a bye: the same as before, if the player had one."""
    return next((pairing.bye for pairing in before if pairing.first == key and pairing.bye), Bye.ODD)


def _present(state: contest.Contest) -> list[str]:
    number = len(state.rounds) + 1
    return [player.key for player in state.players if player.plays_in(number)]


def _keys(tournament: Tournament) -> dict[str, str]:
    rows = Entrant.objects.filter(tournament=tournament).values_list("user__username", "pk")
    return {name.casefold(): key_of(pk) for name, pk in rows}


def _fault(pairs: Sequence[Pair], keys: dict[str, str], state: contest.Contest) -> str:
    """What is wrong with pairs that the contest has refused, for their director."""
    present = set(_present(state))
    named: set[str] = set()
    for pair in pairs:
        for name in (one.strip() for one in pair):
            key = _key(keys, name)
            if key not in present:
                return _("%(name)s does not play in this round.") % {"name": name}
            if key in named:
                return _("%(name)s is named twice.") % {"name": name}
            named.add(key)
    return _("The next round cannot be paired like this.")


def _key(keys: dict[str, str], name: str) -> str:
    key = keys.get(name.strip().casefold())
    if key is None:
        raise Unprocessable(
            "pairs: " + _("%(given)s does not play in this tournament.") % {"given": name.strip()[:60]}
        )
    return key
