"""Queries about tournaments, and fetching one on behalf of a viewer."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery, Window
from django.db.models.functions import RowNumber
from django.urls import reverse

from crownhead.server.accounts.selectors import User
from crownhead.server.competitions.access import directs, format_of_tournament, no_such_tournament
from crownhead.server.competitions.choices import NOTICED
from crownhead.server.competitions.models import (
    Answer,
    Director,
    DirectorAction,
    Entrant,
    Invitation,
    Pairing,
    PairingGame,
    Round,
    Start,
    Status,
    Tournament,
    Trophy,
    Verb,
)
from crownhead.server.competitions.selectors.contest_rows import pairing_of
from crownhead.server.core.pagination import beside
from crownhead.server.core.queries.prepared import Prepared
from crownhead.server.live.selectors import is_here
from crownhead.server.play.selectors import Viewer

__all__ = [
    "Tournament",
    "TrophyInfo",
    "Winners",
    "access_tournament",
    "director_actions",
    "directs",
    "entrants",
    "existing",
    "has_tournaments_of",
    "invitations",
    "is_asked_to_direct",
    "may_direct",
    "my_invitations",
    "my_tournaments",
    "open_games",
    "open_invitation",
    "to_release",
    "tournaments",
    "trophies_of",
    "winners_of",
    "winning",
]

MAX_NAMED = 20  # winners of a tournament: very many can share the first place
INVITATIONS_ORDER = ("-answer", "id")  # "open" comes first


@dataclass(frozen=True, slots=True)
class TrophyInfo:
    """A trophy for profiles; ``link`` is the page of its tournament."""

    name: str
    place: int
    tournament: str
    variant: str
    link: str
    won_at: datetime


@dataclass(frozen=True, slots=True)
class Winners:
    """Who has won a tournament: some names, and the ``count`` of all winners."""

    names: tuple[str, ...] = ()
    count: int = 0


def existing(tournament_ids: Collection[str]) -> set[str]:
    """The ids that belong to tournaments; all of them are public."""
    return set(Tournament.objects.filter(public_id__in=tournament_ids).values_list("public_id", flat=True))


def has_tournaments_of(variant: str) -> bool:
    """Whether there is a tournament of the variant with this key."""
    return Tournament.objects.filter(variant=variant).exists()


def access_tournament(tournament_id: str) -> Tournament:
    """A tournament; all of them are public. Raises ``NotFound``."""
    rows = Tournament.objects.select_related("host").filter(public_id=tournament_id)
    tournament = rows.first()
    if tournament is None:
        raise no_such_tournament(tournament_id)
    return tournament


def tournaments(
    *, status: str | None = None, variant: str | None = None, team: str | None = None
) -> QuerySet[Tournament]:
    """All tournaments, or those that match, the newest first."""
    rows = Tournament.objects.select_related("host").defer("html").order_by("-pk")
    if status is not None:
        rows = rows.filter(status=status)
    if variant is not None:
        rows = rows.filter(variant=variant)
    return rows if team is None else rows.filter(team=team).exclude(team="")  # as the index has it


def my_tournaments(user: User) -> QuerySet[Tournament]:
    """Unfinished tournaments that the user plays in or hosts, the newest first."""
    mine = Entrant.objects.filter(user=user, left=None).values("tournament")
    rows = Tournament.objects.select_related("host").defer("html").filter(Q(pk__in=mine) | Q(host=user))
    return _unfinished(rows)


def my_invitations(user: User) -> QuerySet[Tournament]:
    """Tournaments with an unanswered invitation for the user: to play in them, or to direct them."""
    invited = Invitation.objects.filter(user=user, answer=Answer.OPEN).values("tournament")
    asked = Director.objects.filter(user=user, accepted=False).values("tournament")
    rows = Tournament.objects.select_related("host").defer("html").filter(Q(pk__in=invited) | Q(pk__in=asked))
    return _unfinished(rows)


def _unfinished(rows: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """A user's tournaments that go on, the newest first; found by the user, not among all that go on."""
    going_on = rows.alias(state=beside("status")).filter(state__in=[Status.ENTRY, Status.RUNNING])
    return going_on.order_by(beside("id").desc())


def invitations(tournament: Tournament) -> QuerySet[Invitation]:
    """The invitations of a tournament, those that wait for an answer first."""
    rows = Invitation.objects.filter(tournament=tournament).select_related("user", "by", "place__user")
    return rows.order_by(*INVITATIONS_ORDER)


def open_invitation(tournament: Tournament, user: User) -> Invitation | None:
    """The user's invitation to play in the tournament that waits for an answer."""
    return invitations(tournament).filter(user=user, answer=Answer.OPEN).first()


def is_asked_to_direct(tournament: Tournament, user: User) -> bool:
    """Whether the user was asked to direct the tournament, and has not answered."""
    return Director.objects.filter(tournament=tournament, user=user, accepted=False).exists()


def entrants(tournament: Tournament) -> QuerySet[Entrant]:
    """All entrants, also those who left, the strongest first."""
    rows = Entrant.objects.filter(tournament=tournament).select_related("user")
    return rows.order_by("-rating", "pk")


def entrant(tournament: Tournament, viewer: Viewer) -> Entrant | None:
    """The viewer's entrant, if there is one."""
    if not isinstance(viewer, User):
        return None
    return Entrant.objects.filter(tournament=tournament, user=viewer).first()


def may_direct(viewer: Viewer, tournament: Tournament) -> bool:
    """Whether the viewer directs the tournament."""
    return isinstance(viewer, User) and directs(viewer, tournament)


def director_actions(tournament: Tournament) -> QuerySet[DirectorAction]:
    """The log of its directors, the latest first."""
    return DirectorAction.objects.filter(tournament=tournament).select_related("by").order_by("-pk")


def rounds(tournament: Tournament) -> QuerySet[Round]:
    """The rounds of a tournament, the latest first."""
    return Round.objects.filter(tournament=tournament).order_by("-number")


def to_release(tournament: Tournament, now: datetime) -> list[Round]:
    """The rounds that a director can let start, in their order: the latest one, or all that begin together.

    They are on hold, or were released to start later, of which the log knows: after a pause, or an outage,
    one starts by itself.
    """
    rows = rounds(tournament).reverse()
    if not format_of_tournament(tournament).overlaps(tournament.options):
        rows = rows.filter(number=tournament.rounds_made)
    to_come = list(rows.filter(Q(starts_at=None) | Q(starts_at__gt=now)))
    if tournament.held_rounds or all(row.starts_at is None for row in to_come):
        return to_come
    released = director_actions(tournament).filter(verb=Verb.RELEASED, text__endswith=NOTICED)
    noticed = {text.partition(",")[0] for text in released.values_list("text", flat=True)}
    return [row for row in to_come if row.starts_at is None or str(row.number) in noticed]


def deadline_of(tournament: Tournament) -> datetime | None:
    """What directors can extend: the time to enter, that of an arena, or that for the latest appointments."""
    if tournament.status == Status.ENTRY:
        return tournament.starts_at if tournament.start != Start.HAND else None
    if tournament.ends_at is not None:
        return tournament.ends_at
    latest = rounds(tournament).first()
    return latest.deadline if latest else None


def round_numbered(tournament: Tournament, number: int) -> Round | None:
    """A round of a tournament, if there is one of that number."""
    return Round.objects.filter(tournament=tournament, number=number).first()


def pairings(row: Round, *, of: int | None = None) -> QuerySet[Pairing]:
    """The pairings of a round, or those ``of`` a user, by table."""
    rows = Pairing.objects.filter(round=row).select_related("first__user", "second__user", "round")
    if of is not None:
        rows = rows.filter(Q(first__user=of) | Q(second__user=of))
    return rows.prefetch_related("games", "appointments").order_by("table")


def appointed(tournament: Tournament, user_id: int) -> QuerySet[Pairing]:
    """The pairings of a user in rounds with appointments, the latest first."""
    rows = Pairing.objects.filter(Q(first__user=user_id) | Q(second__user=user_id), bye="")
    ours = rows.filter(
        round__tournament=tournament, round__deadline__isnull=False, round__starts_at__isnull=False
    )
    shown = ours.select_related("first__user", "second__user", "round")
    return shown.prefetch_related("games", "appointments").order_by("-round__number", "table")


def pairings_to_show(row: Round) -> QuerySet[Pairing]:
    """The pairings of a round, by table, with the names of their players; see ``games_in``."""
    games = PairingGame.objects.filter(pairing=OuterRef("pk"), replaced=False).order_by()
    counted = games.values("pairing").annotate(count=Count("pk")).values("count")
    rows = Pairing.objects.filter(round=row).select_related("first__user", "second__user")
    names = [f"{side}__{column}" for side in ("first", "second") for column in ("user_id", "user__username")]
    own = [field.name for field in Pairing._meta.concrete_fields]
    return rows.only(*own, *names).annotate(played=Subquery(counted)).order_by("table")


def games_in(pairing: Pairing, *, most: int | None = None) -> int:
    """How many games one of those pairings has, as far as they are shown; at least one, as it takes room."""
    played = vars(pairing)["played"] or 1
    return played if most is None else min(played, most)


def open_games(tournament: Tournament, user: User) -> list[str]:
    """The ids of the user's open games in the tournament."""
    rows = PairingGame.objects.filter(
        Q(pairing__first__user=user) | Q(pairing__second__user=user),
        pairing__round__tournament=tournament,
        first_points=None,
        replaced=False,
    )
    return [key for key in rows.order_by("pk").values_list("game_id", flat=True) if key]


_MAX_TROPHIES = 100
_TROPHIES = Prepared(
    lambda user: (
        Trophy.objects.filter(user=user)
        .select_related("tournament")
        .order_by("-won_at", "-pk")[:_MAX_TROPHIES]
    ),
    user=int,
)


def trophies_of(user_id: int) -> list[TrophyInfo]:
    """A user's trophies, the latest first."""
    return [
        TrophyInfo(
            name=row.name,
            place=row.place,
            tournament=row.tournament.name,
            variant=row.tournament.variant,
            link=reverse("competitions:tournament", args=[row.tournament.public_id]),
            won_at=row.won_at,
        )
        for row in _TROPHIES.rows(user=user_id)
    ]


def trophies_in(tournament: Tournament) -> QuerySet[Trophy]:
    """The trophies of a tournament, by place."""
    rows = Trophy.objects.filter(tournament=tournament).select_related("user")
    return rows.order_by("place", "user__username")


def winning(finished: Collection[Tournament]) -> QuerySet[Entrant]:
    """The winners of finished tournaments, as the contest said; by place if an older version ended it."""
    said = [key for row in finished for key in row.winners or ()]
    unsaid = [row.pk for row in finished if row.winners is None]
    return Entrant.objects.filter(Q(pk__in=said) | Q(tournament__in=unsaid, place=1, left=None))


def winners_of(tournaments: Iterable[Tournament]) -> dict[int, Winners]:
    """The winners of finished tournaments, by tournament: the names of a few, and how many they are."""
    finished = [row for row in tournaments if row.status == Status.FINISHED]
    said = [key for row in finished for key in (row.winners or ())[:MAX_NAMED]]
    counts = {row.pk: len(row.winners) for row in finished if row.winners is not None}
    names: dict[int, list[str]] = {}
    found = Entrant.objects.filter(pk__in=said).order_by("user__username")
    for key, name in found.values_list("tournament_id", "user__username") if said else ():
        names.setdefault(key, []).append(name)
    unsaid = [row for row in finished if row.winners is None]
    for key, count, name in _by_place(unsaid) if unsaid else ():
        counts[key] = count
        names.setdefault(key, []).append(name)
    return {key: Winners(tuple(there), max(counts[key], len(there))) for key, there in names.items()}


def _by_place(finished: Collection[Tournament]) -> QuerySet[Entrant, tuple[int, int, str]]:
    """The first winners of tournaments that an older version has ended, each with how many there are."""
    numbered = winning(finished).annotate(
        nth=Window(RowNumber(), partition_by=F("tournament"), order_by="pk"),
        count=Window(Count("pk"), partition_by=F("tournament")),
    )
    rows = numbered.filter(nth__lte=MAX_NAMED).order_by("user__username")
    return rows.values_list("tournament_id", "count", "user__username")


def begins_at(row: Round, pairing: Pairing) -> datetime | None:
    """When the games of a pairing start; None while the round is on hold."""
    if row.starts_at is None:
        return None
    if row.deadline is None:
        return row.starts_at
    return pairing.starts_at or row.deadline


def begins_by(row: Round, pairing: Pairing) -> datetime | None:
    """The latest time that both can agree on; None in a round without appointments.

    They don't put off a round beyond its end: of a game that is played again after it, what they agree on is
    earlier than its start.
    """
    if row.deadline is None or pairing.starts_at is None:
        return row.deadline
    return max(row.deadline, pairing.starts_at)


def awaited(pairing: Pairing, games: Iterable[PairingGame]) -> bool:
    """Whether a game of the pairing is to come, and none of its games is in progress."""
    counting = sorted((game for game in games if not game.replaced), key=lambda game: game.number)
    is_playing = any(game.first_points is None for game in counting)
    return not is_playing and not pairing_of(pairing, counting).over


def both_here(pairing: Pairing) -> bool:
    """Whether both players are here now, so that a live clock may run at once."""
    return all(is_here(entrant.user_id) for entrant in (pairing.first, pairing.second) if entrant)


def open_game_ids(tournament_id: str, user_id: int) -> list[str]:
    """The ids of a player's open games in a tournament."""
    rows = PairingGame.objects.filter(
        Q(pairing__first__user=user_id) | Q(pairing__second__user=user_id),
        pairing__round__tournament__public_id=tournament_id,
        first_points=None,
        replaced=False,
    )
    return [key for key in rows.values_list("game_id", flat=True) if key]
