"""What games gave, as those see it whose records follow from them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from crownhead.server.play.choices import FORFEIT
from crownhead.server.play.models import Game, Seat, Status

_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Counted:
    """A game as a record of ``whose`` counts it: half points by seat, by the other one if ``turned``.

    ``points``: None in both, or None, where it does not count (yet).
    """

    whose: str
    game_id: str
    points: tuple[int | None, int | None] | None
    turned: bool = False


def counted_otherwise(games: Collection[Counted]) -> Iterator[str]:
    """A sentence for each of these games that does not exist or gave something else."""
    ids = [game.game_id for game in games]
    known, results = existing(ids), half_points_of(ids)
    for game in games:
        where, result = f"{game.whose}: game {game.game_id}", results.get(game.game_id)
        if game.game_id not in known:
            yield f"{where} does not exist."
        elif result is not None and game.points is not None and None not in game.points:
            right = result[::-1] if game.turned else result
            if game.points != right:
                yield f"{where} counts as {game.points} half points, not {right}."


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
