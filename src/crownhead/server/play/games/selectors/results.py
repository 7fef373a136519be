"""What games gave, as those see it whose records follow from them."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from crownhead.server.play.choices import FORFEIT
from crownhead.server.play.models import Game, Seat, Status

_AT_ONCE = 500


def existing(ids: Collection[str]) -> set[str]:
    """The public ids that belong to games."""
    return set(Game.objects.filter(public_id__in=ids).values_list("public_id", flat=True))


def first_seats(ids: Collection[str]) -> dict[str, int | None]:
    """The key of the user in the first seat of each game that exists; None for the computer or a guest."""
    return dict(Game.objects.filter(public_id__in=ids).values_list("public_id", "first_player_id"))


def half_points_of(ids: Collection[str]) -> dict[str, tuple[int, int] | None]:
    """What finished games with some public ids gave to their seats; None where a contest counts nothing."""
    rows = Game.objects.filter(public_id__in=ids, status=Status.FINISHED)
    return {game.public_id: _half_points(game) for game in rows}


def rated_results() -> Iterator[list[str]]:
    """The public ids of the games that count for ratings, some at a time."""
    after = 0
    rows = Game.objects.filter(status=Status.FINISHED, rated=True, annulled=False, hidden=False)
    rows = rows.exclude(termination=FORFEIT).order_by("pk")
    while part := list(rows.filter(pk__gt=after).values_list("pk", "public_id")[:_AT_ONCE]):
        yield [public_id for _, public_id in part]
        after = part[-1][0]


def _half_points(game: Game) -> tuple[int, int] | None:
    if game.annulled or game.termination == FORFEIT:
        return None
    if game.winner is None:
        return 1, 1
    return (2, 0) if game.winner == Seat.FIRST else (0, 2)
