"""Every rating follows from the results: they can be counted anew, all of them or those after a game.

When a game is annulled, it is as if it had never been played: the two get other ratings, so has everybody
whom they met since, and whom those met. A few such results are counted anew at once, many by the worker.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django.db import transaction
from django.db.models import Count, Max, Q, QuerySet

from crownhead.server.ratings import counting
from crownhead.server.ratings.models import Change, PlayerRating, Score, TakenBack
from crownhead.server.ratings.strength import PROVISIONAL_ABOVE, Strength

AT_ONCE = 1000  # games after the annulled one that somebody is kept waiting for
_CHUNK = 500
_WRITTEN = (
    "previous_at",
    "value_before",
    "deviation_before",
    "volatility_before",
    "opponent_value",
    "opponent_deviation",
    "value",
    "deviation",
    "volatility",
)
_COLUMNS = (
    "value",
    "deviation",
    "volatility",
    "points",
    "games",
    "won",
    "drawn",
    "lost",
    "peak",
    "updated_at",
    "listed_until",
)
_SUMS: dict[str, Any] = {
    "last": Max("id"),
    "highest": Max("value", filter=Q(deviation__lte=PROVISIONAL_ABOVE)),
    **{score.value: Count("id", filter=Q(score=score)) for score in Score},
}


def take_back(*, game_id: str, first_id: int, second_id: int) -> None:
    """Let a game count no more; doing so again, or for one that never counted, changes nothing."""
    with transaction.atomic():
        change = Change.objects.filter(game_id=game_id).order_by("id").first()
        if change is None:
            return
        counting.held(change.variant, first_id, second_id)
        taken, new = TakenBack.objects.get_or_create(
            game_id=game_id,
            defaults={
                "variant": change.variant,
                "since": change.pk,
                "first_id": first_id,
                "second_id": second_id,
            },
        )
        later = Change.objects.filter(variant=change.variant, id__gt=change.pk)[: 2 * AT_ONCE + 2]
        if new and later.count() <= 2 * AT_ONCE + 1:
            _without(taken)


def recount_waiting() -> int:
    """Take back what was left to the worker; how many games."""
    done = 0
    for key in list(TakenBack.objects.filter(recounted=False).values_list("pk", flat=True)):
        with transaction.atomic():
            taken = TakenBack.objects.select_for_update().filter(pk=key, recounted=False).first()
            if taken is not None:
                _without(taken)
                done += 1
    return done


def recalculate(*, variant: str) -> int:
    """Count all results of a variant anew; how many ratings were other than their results say."""
    with transaction.atomic():
        players = set(_users(PlayerRating.objects.filter(variant=variant).order_by("user_id")))
        _hold(variant, players)
        players |= set(_users(Change.objects.filter(variant=variant)))
        _count_anew(variant, since=0, standing={user_id: Strength() for user_id in players})
        return _put_down(variant, players)


def _without(taken: TakenBack) -> None:
    """As if the game had never been played."""
    touched = _hold_all_touched(taken)
    changes = list(Change.objects.filter(game_id=taken.game_id))
    Change.objects.filter(game_id=taken.game_id).delete()
    standing = {change.user_id: counting.before(change) for change in changes}
    _count_anew(taken.variant, since=taken.since, standing=standing)
    _put_down(taken.variant, touched)
    TakenBack.objects.filter(pk=taken.pk).update(recounted=True)


def _hold_all_touched(taken: TakenBack) -> set[int]:
    """Everybody whose rating rests on the game, their rows held; none of them plays on meanwhile."""
    touched: set[int] = set()
    while (found := _touched(taken)) != touched:
        _hold(taken.variant, found)
        touched = found
    return touched


def _touched(taken: TakenBack) -> set[int]:
    found = {taken.first_id, taken.second_id}
    later = Change.objects.filter(variant=taken.variant, id__gt=taken.since).order_by("id")
    for pair in later.values_list("user_id", "opponent_id").iterator():
        if not found.isdisjoint(pair):
            found.update(pair)
    return found


def _hold(variant: str, user_ids: Iterable[int]) -> None:
    for part in _parts(user_ids):
        rows = PlayerRating.objects.filter(variant=variant, user_id__in=part).order_by("user_id")
        list(rows.select_for_update().values_list("pk", flat=True))


def _count_anew(variant: str, *, since: int, standing: dict[int, Strength]) -> None:
    """Write all later changes anew that rest on somebody in ``standing``: what he has at that point.

    Whoever meets one of them stands there too, from then on. Between the two changes of a game neither of
    its players meets anybody else, so the order of the keys is the order of the games for each of them.
    """
    halves: dict[str, Change] = {}
    for part in _in_order(variant, since):
        written: list[Change] = []
        for change in part:
            other = halves.pop(change.game_id, None)
            if other is None:
                halves[change.game_id] = change
            elif not standing.keys().isdisjoint((change.user_id, other.user_id)):
                written += _met(other, change, standing)
        Change.objects.bulk_create(
            written, update_conflicts=True, unique_fields=["id"], update_fields=_WRITTEN
        )


def _met(one: Change, two: Change, standing: dict[int, Strength]) -> tuple[Change, Change]:
    had = [standing.get(change.user_id, counting.before(change)) for change in (one, two)]
    counting.write(one, had[0], had[1])
    counting.write(two, had[1], had[0])
    standing.update({change.user_id: counting.after(change) for change in (one, two)})
    return one, two


def _in_order(variant: str, since: int) -> Iterator[list[Change]]:
    rows = Change.objects.filter(variant=variant).order_by("id")
    while part := list(rows.filter(id__gt=since)[:_CHUNK]):
        yield part
        since = part[-1].pk


def _put_down(variant: str, user_ids: Iterable[int]) -> int:
    """Let the ratings say what their changes say; how many were other than that."""
    return sum(_put_down_part(variant, part) for part in _parts(user_ids))


def _put_down_part(variant: str, user_ids: list[int]) -> int:
    rows = PlayerRating.objects.filter(variant=variant, user_id__in=user_ids)
    stored = {row.user_id: row for row in rows}
    due = _due(variant, user_ids)
    other = [row for row in due if row.user_id not in stored or not _same(stored[row.user_id], row)]
    PlayerRating.objects.bulk_create(
        other, update_conflicts=True, unique_fields=["user", "variant"], update_fields=_COLUMNS
    )
    gone, _ = rows.exclude(user_id__in=[row.user_id for row in due]).delete()
    return len(other) + gone


def _due(variant: str, user_ids: list[int]) -> list[PlayerRating]:
    """The rows that some players ought to have."""
    changes = Change.objects.filter(variant=variant, user_id__in=user_ids)
    sums: list[Any] = list(changes.values("user_id").annotate(**_SUMS))
    last = Change.objects.select_related("user").in_bulk([facts["last"] for facts in sums])
    return [_row(last[facts["last"]], facts) for facts in sums]


def _row(last: Change, facts: dict[str, Any]) -> PlayerRating:
    """The rating after somebody's last change, and the sums of all of them."""
    scores = {score.value: facts[score.value] for score in Score}
    row = PlayerRating(user_id=last.user_id, variant=last.variant, games=sum(scores.values()), **scores)
    row.peak = None if facts["highest"] is None else round(facts["highest"])
    counting.put(row, counting.after(last))
    if not last.user.is_active:
        row.listed_until = None
    return row


def _same(one: PlayerRating, two: PlayerRating) -> bool:
    """They say the same; when somebody leaves the leaderboard, his row is told so later."""
    return all(getattr(one, name) == getattr(two, name) for name in _COLUMNS if name != "listed_until")


def _users(rows: QuerySet[Any]) -> Iterator[int]:
    return rows.values_list("user_id", flat=True).distinct().iterator()


def _parts(user_ids: Iterable[int]) -> Iterator[list[int]]:
    ordered = sorted(user_ids)
    for at in range(0, len(ordered), _CHUNK):
        yield ordered[at : at + _CHUNK]
