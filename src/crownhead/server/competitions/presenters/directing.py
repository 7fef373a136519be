"""The page of directors: which tools fit the state of the tournament."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, F, OuterRef, QuerySet
from django.http import QueryDict
from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.competitions import selectors
from crownhead.server.competitions.access import (
    begins_at_once,
    format_of_tournament,
    is_full,
)
from crownhead.server.competitions.choices import Answer, Start, Status, Verb
from crownhead.server.competitions.models import (
    Director,
    Entrant,
    Invitation,
    Pairing,
    PairingGame,
    Tournament,
)
from crownhead.server.competitions.selectors.entries import allows_late_entry, plays_in
from crownhead.server.competitions.selectors.starts import may_begin, missing
from crownhead.server.core import clock
from crownhead.server.core.moments import field_text
from crownhead.server.play.clocks.time_control import HOUR
from crownhead.server.web.slices import Slice, keyed

LATEST_ROUNDS, MAX_TABLES = 3, 120  # that can be reached from here
LATEST_GAMES, MAX_GAMES = 6, 200  # of a pairing, besides those in progress, and of all of them
MAX_CHOICES = 100  # players in a list to choose from
INVITED_PER_PAGE = 50


@dataclass(frozen=True, slots=True)
class Table:
    """A pairing that can be decided: its players, and its latest games, also finished ones: number and id."""

    number: int
    table: int
    first: str
    second: str
    games: list[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class InvitedPlayer:
    """An invited player and their answer; ``replaces``: whose place they are to take over."""

    name: str
    answer: str
    open: bool
    replaces: str


@dataclass(frozen=True, slots=True)
class DirectorPage:
    """The available tools with the values of their fields.

    ``may_decide``: results and places; ``begins_attended``: with all players here, if by hand;
    ``enter_first``: who also plays does that before it starts. ``many``: there are too many ``players`` to
    choose from, their names are written; ``gone``: who has left. ``held``: the number of the round on hold;
    ``may_give_notice``: of its live games, as a player is away; ``starts_later``: of one that was released
    so. ``games``: the neighbours of the ``invited``, for `pagination.html`. ``soon``: a time to adjourn
    until; ``longer``: to extend until.
    """

    before: bool
    may_decide: bool
    begins_attended: bool
    starts_itself: bool
    enter_first: bool
    may_seed: bool
    may_start: bool
    why_not_start: str
    running: bool
    may_invite: bool
    may_extend: bool
    held: int
    may_give_notice: bool
    starts_later: int
    pairs: str
    seeds: str
    players: list[str]
    gone: list[str]
    many: bool
    directors: str
    asked_directors: list[str]
    invited: list[InvitedPlayer]
    games: Slice[Invitation]
    leads: bool
    tables: list[Table]
    waiting_for: str
    soon: str
    longer: str


def director_page(row: Tournament, user: User, query: QueryDict | None = None) -> DirectorPage:
    """What a director can do now; ``query`` says which of the invited to show."""
    running = row.status == Status.RUNNING
    to_release = selectors.to_release(row, clock.now()) if running else []
    held = to_release[-1].number if to_release and to_release[-1].starts_at is None else 0
    in_it = Entrant.objects.filter(tournament=row, left=None)
    places = list(in_it.values_list("seed", "rating", "pk", "user__username"))
    seeded = sorted(places, key=lambda place: (place[0] or len(places) + 1, -place[1], place[2]))
    names = [place[3] for place in places]
    invited = keyed(
        selectors.invitations(row),
        order=selectors.INVITATIONS_ORDER,
        query=QueryDict() if query is None else query,
        limit=INVITED_PER_PAGE,
    )
    timed = format_of_tournament(row).timed
    plays = plays_in(user, row)
    before = row.status == Status.ENTRY
    begins_live = begins_at_once(row) and (running or before)
    releases = running and (row.held_rounds or held > 0)
    may_start = before and may_begin(row, by=user, begins=clock.now())
    return DirectorPage(
        before=before,
        may_decide=not (running and plays),
        begins_attended=plays and begins_live and (releases or (before and not row.held_rounds)),
        starts_itself=before and row.start != Start.HAND,
        enter_first=may_start and begins_live and not (plays or is_full(row) or user.acts_as_staff),
        may_seed=before and not plays,
        may_start=may_start,
        why_not_start=_why_not_start(row, user) if before and not may_start else "",
        running=running,
        may_invite=before or (running and allows_late_entry(row, invited=not plays)),
        may_extend=(before and row.start != Start.HAND)
        or (running and (timed or row.appointment_days is not None)),
        held=held,
        may_give_notice=held > 0 and begins_live and bool(missing(row, but=user, rounds=to_release)),
        starts_later=to_release[-1].number if to_release and not held else 0,
        pairs=_pairs(row, held),
        seeds="\n".join(place[3] for place in seeded),
        players=sorted(names, key=str.casefold),
        gone=_gone(row) if running else [],
        many=len(places) > MAX_CHOICES,
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
        invited=[_invited(invitation) for invitation in invited],
        games=invited,
        leads=user.acts_as_staff or row.host_id == user.pk,
        tables=_tables(row) if running else [],
        waiting_for=_(row.waiting_for) if row.waiting_for else "",
        soon=field_text(clock.now() + 24 * HOUR),
        longer=field_text(_longer(row, timed=timed)),
    )


def _gone(row: Tournament) -> list[str]:
    """Who has left, and may still be replaced: a place that was never paired can't be taken over."""
    rows = Entrant.objects.filter(tournament=row, left__isnull=False)
    replaceable = rows.exclude(left__lt=F("entered"), entered__lte=row.rounds_made)
    names = replaceable.order_by("user__folded").values_list("user__username", flat=True)
    return list(names[:MAX_CHOICES])


def _why_not_start(row: Tournament, user: User) -> str:
    """Why a director can't start it now, and who of the players isn't here where that would help."""
    if row.start == Start.FULL and begins_at_once(row):
        names = {"names": missing(row, but=user)}
        return _("You can start it once all players are here. Not here yet: %(names)s.") % names
    if row.start == Start.FULL:
        return _(
            "Its players have entered for a later date, so it can't start before that, unless it is full."
        )
    return _("Its players have entered for a later date, so it can't start before that.")


def _longer(row: Tournament, *, timed: bool) -> datetime:
    """A day more than there is; an arena ends within a day."""
    now = clock.now()
    present = None if timed and row.status == Status.RUNNING else selectors.deadline_of(row)
    return max(present or now, now) + 24 * HOUR


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
    rows = Pairing.objects.filter(round__tournament=row, round__number=held, bye="").order_by("table")
    names = rows.values_list("first__user__username", "second__user__username")
    return "\n".join(f"{first} – {second}" for first, second in names)


def _tables(row: Tournament) -> list[Table]:
    """The pairings of the latest rounds, those with open games first, until they have enough games."""
    games = PairingGame.objects.filter(replaced=False).exclude(game_id=None)
    going_on = games.filter(pairing=OuterRef("pk"), first_points=None)
    rows = Pairing.objects.filter(
        round__tournament=row, round__number__gt=row.rounds_made - LATEST_ROUNDS, bye=""
    )
    in_order = rows.annotate(is_open=Exists(going_on)).order_by("-is_open", "-round__number", "table")
    shown = in_order.values_list(
        "pk", "round__number", "table", "first__user__username", "second__user__username"
    )[:MAX_TABLES]
    latest = _latest_games(games, [key for key, *_ in shown])
    tables: list[Table] = []
    count = 0
    for key, number, table, first, second in shown:
        count += len(latest[key])
        if count > MAX_GAMES and tables:
            break
        tables.append(Table(number, table, first, second, games=latest[key]))
    return tables


def _latest_games(games: QuerySet[PairingGame], pairings: list[int]) -> dict[int, list[tuple[int, str]]]:
    """The latest games of each pairing, and those in progress: their numbers and ids."""
    latest: dict[int, list[tuple[int, str]]] = {key: [] for key in pairings}
    there = games.filter(pairing__in=pairings).order_by("-number")
    for key, number, game_id, points in there.values_list("pairing", "number", "game_id", "first_points"):
        if game_id and (points is None or len(latest[key]) < LATEST_GAMES):
            latest[key].append((number, game_id))
    return {key: found[::-1] for key, found in latest.items()}
