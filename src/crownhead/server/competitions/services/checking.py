"""Whether tournaments fit together with their games; their tables follow from these results."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Count, F

from crownhead.contest import ResultKind
from crownhead.server.competitions.models import PairingGame, Tournament
from crownhead.server.core.background.checks import Finding
from crownhead.server.play.games.selectors.results import Counted, counted_otherwise

AT_ONCE = 500


def findings(repair: bool) -> Iterator[Finding]:
    """What does not fit together."""
    counted = Tournament.objects.annotate(entered=Count("entrants")).exclude(size=F("entered"))
    for tournament in counted.order_by("pk").iterator(AT_ONCE):
        if repair:
            Tournament.objects.filter(pk=tournament.pk).update(size=tournament.entered)
        yield Finding(
            f"Tournament {tournament.public_id}: "
            f"it has {tournament.entered} entrants, not {tournament.size}.",
            repair,
        )
    after = 0
    rows = (
        PairingGame.objects.exclude(game_id=None).select_related("pairing__round__tournament").order_by("pk")
    )
    while part := list(rows.filter(pk__gt=after)[:AT_ONCE]):
        yield from _of_games(part)
        after = part[-1].pk


def _of_games(rows: list[PairingGame]) -> Iterator[Finding]:
    games = [
        Counted(
            f"Tournament {row.pairing.round.tournament.public_id}",
            row.game_id or "",
            (row.first_points, row.second_points) if _is_counted(row) else None,
        )
        for row in rows
    ]
    yield from map(Finding, counted_otherwise(games))


def _is_counted(row: PairingGame) -> bool:
    return row.first_points is not None and row.how == ResultKind.PLAYED.value and not row.replaced
