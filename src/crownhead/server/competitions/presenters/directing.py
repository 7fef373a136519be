"""The page of directors: which tools fit the state of the tournament."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.competitions import selectors
from crownhead.server.competitions.access import format_of_tournament
from crownhead.server.competitions.choices import Answer, Start, Status, Verb
from crownhead.server.competitions.models import Director, Entrant, Invitation, Tournament
from crownhead.server.competitions.presenters.rounds import PairingPresenter, present_round
from crownhead.server.competitions.selectors.standings import standing_of
from crownhead.server.core import clock
from crownhead.server.core.moments import field_text
from crownhead.server.play.clocks.time_control import HOUR

LATEST_ROUNDS, MOST_TABLES = 3, 120  # that can be reached from here


@dataclass(frozen=True, slots=True)
class Table:
    """A pairing that can be decided, with the ids of its games, also finished ones."""

    pairing: PairingPresenter
    games: list[str]


@dataclass(frozen=True, slots=True)
class InvitedPlayer:
    """An invited player and their answer; ``replaces``: whose place they are to take over."""

    name: str
    answer: str
    open: bool
    replaces: str


@dataclass(frozen=True, slots=True)
class DirectorPage:
    """The available tools with the values of their fields."""

    before: bool
    running: bool
    may_invite: bool
    may_extend: bool
    held: int
    pairs: str
    seeds: str
    players: list[str]
    directors: str
    asked_directors: list[str]
    invited: list[InvitedPlayer]
    leads: bool
    tables: list[Table]
    waiting_for: str
    soon: str


def director_page(row: Tournament, user: User) -> DirectorPage:
    """What a director can do now."""
    running = row.status == Status.RUNNING
    latest = selectors.rounds(row).first() if running else None
    held = latest.number if latest is not None and latest.starts_at is None else 0
    in_it = list(Entrant.objects.filter(tournament=row, left=None).select_related("user"))
    seeded = sorted(in_it, key=lambda place: (place.seed or len(in_it) + 1, -place.rating, place.pk))
    timed = format_of_tournament(row).timed
    return DirectorPage(
        before=row.status == Status.ENTRY,
        running=running,
        may_invite=row.status == Status.ENTRY or (running and format_of_tournament(row).late),
        may_extend=(row.status == Status.ENTRY and row.start != Start.HAND)
        or (running and (timed or row.appointment_days is not None)),
        held=held,
        pairs=_pairs(row, held),
        seeds="\n".join(place.user.username for place in seeded),
        players=sorted((place.user.username for place in in_it), key=str.casefold),
        directors="\n".join(
            Director.objects.filter(tournament=row)
            .order_by("user__username")
            .values_list("user__username", flat=True)
        ),
        asked_directors=list(
            Director.objects.filter(tournament=row, accepted=False)
            .order_by("user__username")
            .values_list("user__username", flat=True)
        ),
        invited=[_invited(invitation) for invitation in selectors.invitations(row)],
        leads=user.acts_as_staff or row.host_id == user.pk,
        tables=_tables(row) if running else [],
        waiting_for=_(row.waiting_for) if row.waiting_for else "",
        soon=field_text(clock.now() + 24 * HOUR),
    )


def _invited(invitation: Invitation) -> InvitedPlayer:
    is_open = invitation.answer == Answer.OPEN
    return InvitedPlayer(
        name=invitation.user.username,
        answer=str(Verb.REMOVED.label if invitation.is_removal else Answer(invitation.answer).label),
        open=is_open,
        replaces=invitation.place.user.username if is_open and invitation.place else "",
    )


def _pairs(row: Tournament, held: int) -> str:
    """The pairings of the round on hold, as text for the form."""
    if not held:
        return ""
    made = present_round(standing_of(row), held, None)
    return "\n".join(
        f"{pairing.sides[0].name} – {pairing.sides[1].name}"
        for pairing in made.pairings
        if len(pairing.sides) == 2
    )


def _tables(row: Tournament) -> list[Table]:
    """The pairings of the latest rounds, open ones first."""
    standing = standing_of(row)
    games: dict[tuple[int, int], list[str]] = defaultdict(list)
    for number, table, _game in sorted(standing.games):
        games[number, table].append(standing.games[number, table, _game])
    rounds = [present_round(standing, made.number, None) for made in standing.contest.rounds[-LATEST_ROUNDS:]]
    tables = [
        Table(pairing, games[pairing.number, pairing.table])
        for made in rounds
        for pairing in made.pairings
        if len(pairing.sides) == 2
    ]
    tables.sort(key=lambda table: (table.pairing.over, -table.pairing.number, table.pairing.table))
    return tables[:MOST_TABLES]
