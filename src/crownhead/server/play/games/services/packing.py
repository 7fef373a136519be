"""Games that ended some days ago are packed: their moves and their start take a third of the bytes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.migrations.recorder import MigrationRecorder

from crownhead.server.core.background.one_by_one import one_by_one
from crownhead.server.core.batches import batched
from crownhead.server.core.queries.prepared import PreparedUpdate
from crownhead.server.play.models import Game, Status
from crownhead.server.play.models.packed import LEFT_AS_TEXT, SQUARES, pack, short_start

REST = timedelta(days=3)  # after its end, in which a game is read most
# Nothing is packed so soon after an upgrade: the version before, which reads text alone, may still serve.
SIDE_BY_SIDE = timedelta(days=1)
AT_ONCE = 100  # games in a transaction
MOST = 10_000  # games in one run; the next one goes on

_PACK = PreparedUpdate(
    lambda pk, as_read, moves, start: (
        Game.objects.filter(pk=pk, moves=as_read, status=Status.FINISHED, encoding=None),
        {"moves": moves, "start_fen": start, "encoding": SQUARES},
    ),
    pk=int,
    as_read=str,
    moves=str,
    start=str,
)


def pack_games(*, now: datetime, limit: int = MOST) -> int:
    """Pack up to ``limit`` games, those first that ended first, and return how many.

    Each is changed only if it is still as it was read, and only into what reads the same. Several workers
    may run this, and one that dies leaves every game in the one form or the other.
    """
    if is_new(now):
        return 0
    over = Game.objects.filter(status=Status.FINISHED, encoding=None, ended_at__lt=now - REST)
    keys = list(over.order_by("ended_at").values_list("pk", flat=True)[:limit])
    return one_by_one(batched(keys, AT_ONCE), _pack, failing="the games %s cannot be packed")


def is_new(now: datetime) -> bool:
    """Whether the tables were brought up to date only a short while ago."""
    recorder = MigrationRecorder(connection)
    upgrades = recorder.migration_qs.filter(app="play", applied__gt=now - SIDE_BY_SIDE)
    return recorder.has_table() and upgrades.exclude(name="0001_initial").exists()


def _pack(keys: Sequence[int]) -> int:
    games = list(Game.objects.filter(pk__in=keys).only("variant", "start_fen", "moves"))
    with transaction.atomic():
        return sum(map(_pack_one, games))


def _pack_one(game: Game) -> int:
    moves = pack(game.moves)
    if moves is None:
        row = Game.objects.filter(pk=game.pk, moves=game.moves, status=Status.FINISHED, encoding=None)
        return row.update(encoding=LEFT_AS_TEXT)
    start = short_start(game.variant, game.start_fen)
    return _PACK.run(pk=game.pk, as_read=game.moves, moves=moves, start=start)
