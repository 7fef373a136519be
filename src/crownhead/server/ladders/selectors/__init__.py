"""Queries about ladders."""

from __future__ import annotations

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from crownhead.server.accounts.selectors import User
from crownhead.server.core.pagination import Page, page
from crownhead.server.core.queries.prepared import Prepared
from crownhead.server.ladders import access
from crownhead.server.ladders.choices import Outcome, Style
from crownhead.server.ladders.models import Challenge, ChallengeGame, Ladder, Line, Member

__all__ = ["Challenge", "Ladder", "Line", "Member"]


def access_ladder(public_id: str) -> Ladder:
    """The ladder of a public id; all of them are public. Raises ``NotFound``."""
    ladder = Ladder.objects.filter(public_id=public_id).first()
    if ladder is None:
        raise access.no_such_ladder(public_id)
    return ladder


def open_ladders(variant: str | None = None) -> QuerySet[Ladder]:
    """All open ladders, by variant; ``variant``: only those of this one."""
    rows = Ladder.objects.filter(closed_at__isnull=True).order_by("variant", "style", "id")
    return rows if variant is None else rows.filter(variant=variant)


def all_open_ladders() -> list[Ladder]:
    """The same as rows, those of all variants."""
    return _OPEN.rows()


def leaders() -> dict[int, str]:
    """The names of the players on first place, by open ladder; of stairs, of who has been highest longest."""
    return {key: name for key, name in _LEADERS.rows() if name}


def memberships_of(user: User) -> list[Member]:
    """A user's memberships with their ladders."""
    return _MEMBERSHIPS.rows(user=user.pk)


def member_of(ladder: Ladder, user: User | None) -> Member | None:
    """A user's membership of a ladder; None if they have none."""
    return None if user is None else access.members(ladder).filter(user=user).first()


def standings(
    ladder: Ladder, *, cursor: str | None = None, start: int | None = None, limit: int = 50
) -> Page[Member]:
    """A page of members, the highest first; ``start``: from this place or step on.

    Without closed accounts that the worker has not come to yet.
    """
    people = access.members(ladder).filter(user__closed_at__isnull=True)
    if ladder.style == Style.PLACES:
        people = people if start is None else people.filter(place__gte=start)
        return page(people, order=("place",), cursor=cursor, limit=limit)
    people = people if start is None else people.filter(step__lte=start)
    return page(people, order=("-step", "id"), cursor=cursor, limit=limit)


def member_ids(ladder: Ladder) -> list[int]:
    """The users on a ladder."""
    return list(Member.objects.filter(ladder=ladder).order_by("id").values_list("user_id", flat=True))


def players_of_voided_challenges(ladder: Ladder) -> set[int]:
    """The users whose challenges were open when a ladder was closed; the worker may not have come to all."""
    voided = Q(outcome=Outcome.VOID, ended_at=ladder.closed_at) | Q(ended_at__isnull=True)
    rows = Challenge.objects.filter(voided, ladder=ladder)
    return {key for pair in rows.values_list("challenger_id", "challenged_id") for key in pair}


def open_challenges_of(user: User) -> QuerySet[Challenge]:
    """A user's open challenges on all ladders, the latest first."""
    going_on = Challenge.objects.filter(ended_at__isnull=True, ladder__closed_at__isnull=True)
    # Each side has its index; asked for both at once, SQLite would look through all challenges.
    keys = going_on.filter(challenger=user).values("pk").union(going_on.filter(challenged=user).values("pk"))
    return _loaded(Challenge.objects.filter(pk__in=keys))


def games_with(ladder: Ladder, user: User) -> dict[int, str]:
    """A user's open games on a ladder by opponent, one for each."""
    running = ChallengeGame.objects.filter(
        Q(challenge__challenger=user) | Q(challenge__challenged=user),
        challenge__ladder=ladder,
        challenge__ladder__closed_at__isnull=True,
        challenge__ended_at__isnull=True,
        over=False,
    )
    rows = running.order_by("-id").values_list(
        "challenge__challenger_id", "challenge__challenged_id", "game_id"
    )
    return {two if one == user.pk else one: game_id for one, two, game_id in rows}


def challenges(
    ladder: Ladder, *, user: User | None = None, cursor: str | None = None, limit: int = 50
) -> Page[Challenge]:
    """The challenges of a ladder, or of one user there, the latest first."""
    rows = Challenge.objects.filter(ladder=ladder)
    return page(
        _loaded(rows if user is None else rows.filter(_of(user))), order=("-id",), cursor=cursor, limit=limit
    )


def history(ladder: Ladder, *, cursor: str | None = None, limit: int = 50) -> Page[Line]:
    """The history of a ladder, the latest first."""
    lines = Line.objects.filter(ladder=ladder).select_related("user", "other")
    return page(lines, order=("-id",), cursor=cursor, limit=limit)


def _leaders() -> QuerySet[Ladder, tuple[int, str | None]]:
    people = Member.objects.filter(ladder=OuterRef("pk"))
    highest = people.filter(step__isnull=False, user__closed_at__isnull=True).order_by("-step", "id")
    firsts = people.filter(place=1, user__closed_at__isnull=True), highest
    names = Coalesce(*(Subquery(rows.values("user__username")[:1]) for rows in firsts))
    return open_ladders().order_by().annotate(leader=names).values_list("pk", "leader")


def _memberships(user: int) -> QuerySet[Member]:
    return Member.objects.filter(user=user).select_related("ladder").order_by("ladder__variant", "ladder_id")


_OPEN: Prepared[Ladder] = Prepared(open_ladders)
_LEADERS: Prepared[tuple[int, str | None]] = Prepared(_leaders)
_MEMBERSHIPS: Prepared[Member] = Prepared(_memberships, user=int)


def _of(user: User) -> Q:
    return Q(challenger=user) | Q(challenged=user)


def _loaded(rows: QuerySet[Challenge]) -> QuerySet[Challenge]:
    rows = rows.select_related("ladder", "challenger", "challenged")
    return rows.prefetch_related("games").order_by("-id")
