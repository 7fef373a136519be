"""Whether tournaments fit together with their games; their tables follow from these results."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Count, F

from crownhead.contest import ResultKind
from crownhead.server.competitions.models import PairingGame, Tournament
from crownhead.server.core.background.checks import Finding
from crownhead.server.play.games.selectors.results import existing, half_points_of

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
    ids = [row.game_id for row in rows if row.game_id is not None]
    known, results = existing(ids), half_points_of(ids)
    for row in rows:
        where = f"Tournament {row.pairing.round.tournament.public_id}: game {row.game_id}"
        points = (row.first_points, row.second_points)
        result = results.get(row.game_id or "")
        if row.game_id not in known:
            yield Finding(f"{where} does not exist.")
        elif _is_counted(row) and result is not None and points != result:
            yield Finding(f"{where} counts as {points} half points, not {result}.")


def _is_counted(row: PairingGame) -> bool:
    return row.first_points is not None and row.how == ResultKind.PLAYED.value and not row.replaced
