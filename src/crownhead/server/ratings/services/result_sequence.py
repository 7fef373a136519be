"""Go through the results of a variant again, in order, and store the ratings that follow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

from django.db import transaction
from django.db.models import Count, Max, Q, QuerySet, Sum

from crownhead.server.core.batches import batched
from crownhead.server.ratings.models import Change, PlayerRating, Score
from crownhead.server.ratings.selectors import strength
from crownhead.server.ratings.selectors.strength import PROVISIONAL_ABOVE, Strength
from crownhead.server.ratings.services import counting

_CHUNK = 100  # changes or players: others write in between
_SUMMED = 2000  # changes of players whose ratings are stored in one transaction
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
_written = attrgetter(*_WRITTEN)


class _MoreTouchedError(Exception):
    """Others have met those who are held."""


@dataclass(slots=True)
class ResultSequence:
    """The changes of a variant after the key ``at``, as if the games in ``gone`` had never been played.

    ``standing``: the strength at that point of players whose history differs from their stored changes. A
    player who meets one of them is added from then on. Between the two changes of a game neither of its
    players meets anybody else, so the order of the keys is the order of the games for each of them.

    ``unstored``: those of them whose stored rating may be another. Everybody else's is what they have, and
    what they play from then on is counted right.
    """

    variant: str
    gone: frozenset[str]
    at: int
    standing: dict[int, Strength] = field(default_factory=dict)
    unstored: set[int] = field(default_factory=set)
    _halves: dict[str, Change] = field(default_factory=dict)

    def advance(self, *, until: int | None = None) -> bool:
        """Rewrite the next changes that differ; False when there are no more."""
        rows = self._later()
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

    def store(self, user_ids: Sequence[int]) -> None:
        """Store what their changes say of some players, though they may have met others since."""
        with transaction.atomic():
            hold(self.variant, user_ids)
            store_changes(self.variant, user_ids)
            rows = PlayerRating.objects.filter(variant=self.variant, user_id__in=user_ids)
            stored = {row.user_id: strength.strength_of(row) for row in rows}
        same = {user_id for user_id, has in stored.items() if has == self.standing.get(user_id)}
        self.unstored -= same  # the others have changes that were not gone through yet

    def touched(self, players: Iterable[int]) -> set[int]:
        """Some players, and all whose ratings may still become others: what they played later counts, too."""
        found = {*players, *self.unstored}
        met = found | self.standing.keys()
        for pair in self._later().values_list("user_id", "opponent_id").iterator():
            if not met.isdisjoint(pair):
                met.update(pair)
                found.update(pair)
        return found

    def lock_touched(self, players: Iterable[int]) -> set[int]:
        """The same, with their rows held: none of them plays on.

        They are taken in the order of the keys. If others are touched by then, these are released, and all
        taken again: no transaction that holds one of them may wait for another.
        """
        wanted = self.touched(players)
        while True:
            with suppress(_MoreTouchedError), transaction.atomic():
                hold(self.variant, wanted)
                before, wanted = wanted, self.touched(players)
                if not wanted <= before:
                    raise _MoreTouchedError
                return before

    def _met(self, one: Change, two: Change) -> list[Change]:
        had = [self.standing.get(change.user_id, strength.before(change)) for change in (one, two)]
        if one.game_id in self.gone:
            self.unstored.update((one.user_id, two.user_id))
            self.standing.update({one.user_id: had[0], two.user_id: had[1]})
            return []
        if self.standing.keys().isdisjoint((one.user_id, two.user_id)):
            return []
        stored = [_written(change) for change in (one, two)]
        counting.compute_change(one, had[0], had[1])
        counting.compute_change(two, had[1], had[0])
        changed = [row for row, was in zip((one, two), stored, strict=True) if _written(row) != was]
        self.unstored.update(row.user_id for row in changed)
        self.unstored.update({one.user_id, two.user_id} - self.standing.keys())
        self.standing.update({change.user_id: strength.after(change) for change in (one, two)})
        return changed

    def _later(self) -> QuerySet[Change]:
        return Change.objects.filter(variant=self.variant, id__gt=self.at).order_by("id")


def hold(variant: str, user_ids: Iterable[int]) -> None:
    """Hold the ratings of some players until the transaction ends, in the order of the keys."""
    for part in batched(sorted(user_ids), _CHUNK):
        rows = PlayerRating.objects.filter(variant=variant, user_id__in=part).order_by("user_id")
        list(rows.select_for_update().values_list("pk", flat=True))


def store_changes(variant: str, user_ids: Iterable[int]) -> int:
    """Let the ratings of some players say what their changes say; how many were other than that."""
    return sum(_store(variant, part) for part in batched(sorted(user_ids), _CHUNK))


def games_of(variant: str, user_ids: Iterable[int]) -> int:
    """How many games some players have been rated for: as many are summed up to store their ratings."""
    parts = (
        PlayerRating.objects.filter(variant=variant, user_id__in=part)
        for part in batched(sorted(user_ids), _CHUNK)
    )
    return sum(rows.aggregate(sum=Sum("games"))["sum"] or 0 for rows in parts)


def parts_by_games(variant: str, user_ids: Iterable[int]) -> Iterator[list[int]]:
    """Players in parts, each of so few games that their ratings are stored in a moment."""
    for part in batched(sorted(user_ids), _CHUNK):
        rows = PlayerRating.objects.filter(variant=variant, user_id__in=part)
        games = dict(rows.values_list("user_id", "games"))
        some: list[int] = []
        for user_id in part:
            if some and sum(games.get(key, 0) for key in (*some, user_id)) > _SUMMED:
                yield some
                some = []
            some.append(user_id)
        yield some


def other_ratings(variant: str, user_ids: Sequence[int]) -> set[int]:
    """The ratings of some players that do not follow from their changes."""
    stored = {row.user_id: row for row in PlayerRating.objects.filter(variant=variant, user_id__in=user_ids)}
    due = {row.user_id: row for row in _due(variant, user_ids)}
    idle = {user_id for user_id, row in stored.items() if user_id not in due and not row.games}
    same = {user_id for user_id, row in due.items() if user_id in stored and _same(stored[user_id], row)}
    return (stored.keys() | due.keys()) - same - idle


def _store(variant: str, user_ids: Sequence[int]) -> int:
    rows = PlayerRating.objects.filter(variant=variant, user_id__in=user_ids)
    stored = {row.user_id: row for row in rows}
    due = _due(variant, user_ids)
    other = [row for row in due if row.user_id not in stored or not _same(stored[row.user_id], row)]
    PlayerRating.objects.bulk_create(
        other, update_conflicts=True, unique_fields=["user", "variant"], update_fields=_COLUMNS
    )
    gone, _ = rows.exclude(user_id__in=[row.user_id for row in due]).delete()
    return len(other) + gone


def _due(variant: str, user_ids: Sequence[int]) -> list[PlayerRating]:
    """The rows that some players ought to have."""
    changes = Change.objects.filter(variant=variant, user_id__in=user_ids)
    sums: list[Any] = list(changes.values("user_id").annotate(**_SUMS))
    last = Change.objects.select_related("user").in_bulk([facts["last"] for facts in sums])
    return [_row(last[facts["last"]], facts) for facts in sums]


def _row(last: Change, facts: dict[str, Any]) -> PlayerRating:
    """The rating after somebody's last change, and the sums of all of them."""
    scores = {score.value: facts[score.value] for score in Score}
    row = PlayerRating(user=last.user, variant=last.variant, games=sum(scores.values()), **scores)
    row.peak = None if facts["highest"] is None else round(facts["highest"])
    counting.set_strength(row, strength.after(last))
    return row


def _same(one: PlayerRating, two: PlayerRating) -> bool:
    """Whether they are equal, apart from when the player leaves the leaderboard."""
    return all(getattr(one, name) == getattr(two, name) for name in _COLUMNS if name != "listed_until")
