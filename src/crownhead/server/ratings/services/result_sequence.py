"""Go through the results of a variant again, in order, and store the ratings that follow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, Max, Q

from crownhead.server.ratings.models import Change, PlayerRating, Score
from crownhead.server.ratings.selectors import strength
from crownhead.server.ratings.selectors.strength import PROVISIONAL_ABOVE, Strength
from crownhead.server.ratings.services import counting

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


@dataclass(slots=True)
class ResultSequence:
    """The changes of a variant after the key ``at``, as if the games in ``gone`` had never been played.

    ``standing``: the strength at that point of players whose history differs from their stored changes. A
    player who meets one of them is added from then on. Between the two changes of a game neither of its
    players meets anybody else, so the order of the keys is the order of the games for each of them.
    """

    variant: str
    gone: frozenset[str]
    at: int
    standing: dict[int, Strength] = field(default_factory=dict)
    _halves: dict[str, Change] = field(default_factory=dict)

    def advance(self, *, until: int | None = None) -> bool:
        """Rewrite the next changes that differ; False when there are no more."""
        rows = Change.objects.filter(variant=self.variant, id__gt=self.at).order_by("id")
        part = list((rows if until is None else rows.filter(id__lte=until))[:_CHUNK])
        written: list[Change] = []
        for change in part:
            other = self._halves.pop(change.game_id, None)
            if other is None:
                self._halves[change.game_id] = change
            else:
                written += self._met(other, change)
        Change.objects.bulk_create(
            written, update_conflicts=True, unique_fields=["id"], update_fields=_WRITTEN
        )
        if part:
            self.at = part[-1].pk
        return bool(part)

    def lock_touched(self, players: Iterable[int]) -> set[int]:
        """All whose ratings rest on those of some players from here on, their rows held; nobody plays on."""
        touched: set[int] = set()
        while (more := self._touched({*players, *self.standing})) != touched:
            hold(self.variant, more)
            touched = more
        return touched

    def _met(self, one: Change, two: Change) -> tuple[Change, ...]:
        had = [self.standing.get(change.user_id, strength.before(change)) for change in (one, two)]
        if one.game_id in self.gone:
            self.standing.update({one.user_id: had[0], two.user_id: had[1]})
            return ()
        if self.standing.keys().isdisjoint((one.user_id, two.user_id)):
            return ()
        counting.compute_change(one, had[0], had[1])
        counting.compute_change(two, had[1], had[0])
        self.standing.update({change.user_id: strength.after(change) for change in (one, two)})
        return one, two

    def _touched(self, found: set[int]) -> set[int]:
        later = Change.objects.filter(variant=self.variant, id__gt=self.at).order_by("id")
        for pair in later.values_list("user_id", "opponent_id").iterator():
            if not found.isdisjoint(pair):
                found.update(pair)
        return found


def hold(variant: str, user_ids: Iterable[int]) -> None:
    """Hold the ratings of some players until the transaction ends, in the order of the keys."""
    for part in _parts(user_ids):
        rows = PlayerRating.objects.filter(variant=variant, user_id__in=part).order_by("user_id")
        list(rows.select_for_update().values_list("pk", flat=True))


def store_changes(variant: str, user_ids: Iterable[int]) -> int:
    """Let the ratings of some players say what their changes say; how many were other than that."""
    return sum(_store(variant, part) for part in _parts(user_ids))


def other_ratings(variant: str, user_ids: list[int]) -> set[int]:
    """The ratings of some players that do not follow from their changes."""
    stored = {row.user_id: row for row in PlayerRating.objects.filter(variant=variant, user_id__in=user_ids)}
    due = {row.user_id: row for row in _due(variant, user_ids)}
    idle = {user_id for user_id, row in stored.items() if user_id not in due and not row.games}
    same = {user_id for user_id, row in due.items() if user_id in stored and _same(stored[user_id], row)}
    return (stored.keys() | due.keys()) - same - idle


def _store(variant: str, user_ids: list[int]) -> int:
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
    counting.set_strength(row, strength.after(last))
    if not last.user.is_active:
        row.listed_until = None
    return row


def _same(one: PlayerRating, two: PlayerRating) -> bool:
    """Whether they are equal, apart from when the player leaves the leaderboard."""
    return all(getattr(one, name) == getattr(two, name) for name in _COLUMNS if name != "listed_until")


def _parts(user_ids: Iterable[int]) -> Iterator[list[int]]:
    ordered = sorted(user_ids)
    for at in range(0, len(ordered), _CHUNK):
        yield ordered[at : at + _CHUNK]
