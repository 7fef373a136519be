"""The questions asked of ladders."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from crownhead.server.accounts.selectors import User
from crownhead.server.core.pagination import Page, page
from crownhead.server.ladders import access as rows
from crownhead.server.ladders.choices import Outcome, Style
from crownhead.server.ladders.models import Challenge, ChallengeGame, Ladder, Line, Member

__all__ = ["Challenge", "Ladder", "Line", "Member"]


def ladder(public_id: str) -> Ladder:
    """The ladder of a public id; raises ``NotFound``."""
    found = Ladder.objects.filter(public_id=public_id).first()
    if found is None:
        raise rows.no_such_ladder(public_id)
    return found


def open_ladders(variant: str | None = None) -> QuerySet[Ladder]:
    """All that are open, those of a variant together; ``variant``: a key to keep to."""
    found = Ladder.objects.filter(closed_at__isnull=True).order_by("variant", "style", "id")
    return found if variant is None else found.filter(variant=variant)


def leaders() -> dict[int, str]:
    """The name on the first place of each open ladder that has one, by the ladder's key."""
    firsts = Member.objects.filter(place=1, ladder__closed_at__isnull=True)
    return dict(firsts.values_list("ladder_id", "user__username"))


def memberships_of(user: User) -> QuerySet[Member]:
    """Where somebody stands, the ladders loaded along."""
    return Member.objects.filter(user=user).select_related("ladder").order_by("ladder__variant", "ladder_id")


def member_of(found: Ladder, user: User | None) -> Member | None:
    """Somebody's place on a ladder; None if he has none."""
    return None if user is None else rows.members(found).filter(user=user).first()


def standings(
    found: Ladder, *, cursor: str | None = None, start: int | None = None, limit: int = 50
) -> Page[Member]:
    """Some members, the highest first; ``start``: from this place, or step, on."""
    people = rows.members(found)
    if found.style == Style.PLACES:
        people = people if start is None else people.filter(place__gte=start)
        return page(people, order=("place",), cursor=cursor, limit=limit)
    people = people if start is None else people.filter(step__lte=start)
    return page(people, order=("-step", "id"), cursor=cursor, limit=limit)


def who_stands_on(found: Ladder) -> list[int]:
    """The keys of all on a ladder."""
    return list(Member.objects.filter(ladder=found).order_by("id").values_list("user_id", flat=True))


def whose_challenges_were_called_off(found: Ladder) -> set[int]:
    """The keys of those whose challenges were open when a ladder was closed."""
    rows = Challenge.objects.filter(ladder=found, outcome=Outcome.VOID, ended_at=found.closed_at)
    return {key for pair in rows.values_list("challenger_id", "challenged_id") for key in pair}


def open_challenges_of(user: User) -> QuerySet[Challenge]:
    """The challenges that somebody plays now, on all ladders, the latest first."""
    return _loaded(Challenge.objects.filter(_of(user), ended_at__isnull=True))


def games_with(found: Ladder, user: User) -> dict[int, str]:
    """The games that somebody plays on a ladder now, by the keys of the others: one with each."""
    running = ChallengeGame.objects.filter(
        Q(challenge__challenger=user) | Q(challenge__challenged=user),
        challenge__ladder=found,
        challenge__ended_at__isnull=True,
        over=False,
    )
    rows = running.order_by("-id").values_list(
        "challenge__challenger_id", "challenge__challenged_id", "game_id"
    )
    return {two if one == user.pk else one: game_id for one, two, game_id in rows}


def challenges(
    found: Ladder, *, user: User | None = None, cursor: str | None = None, limit: int = 50
) -> Page[Challenge]:
    """The challenges of a ladder, or of somebody there, the latest first."""
    kept = Challenge.objects.filter(ladder=found)
    return page(
        _loaded(kept if user is None else kept.filter(_of(user))), order=("-id",), cursor=cursor, limit=limit
    )


def history(found: Ladder, *, cursor: str | None = None, limit: int = 50) -> Page[Line]:
    """What has happened on a ladder, the latest first."""
    lines = Line.objects.filter(ladder=found).select_related("user", "other")
    return page(lines, order=("-id",), cursor=cursor, limit=limit)


def _of(user: User) -> Q:
    return Q(challenger=user) | Q(challenged=user)


def _loaded(found: QuerySet[Challenge]) -> QuerySet[Challenge]:
    people = found.select_related("ladder", "challenger", "challenged")
    return people.prefetch_related("games").order_by("-id")
