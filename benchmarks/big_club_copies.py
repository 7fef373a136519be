"""Copies the games of a large club within the database, which takes a tenth of the time of making them.

A copy is played by neighbours: the lowest bits of the players' numbers are exchanged, so that those who play
much stay those who play much, and everybody has opponents and variants of their own.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping

from django.core.management.color import no_style
from django.db import connection, models, transaction

from big_club_people import FIRST_KEY
from crownhead.server.core.ids import ALPHABET
from crownhead.server.live.models import Outbox
from crownhead.server.notices.models import Delivery, Notice
from crownhead.server.play.models import ChatLine, Game, Note
from crownhead.server.ratings.models import Change, PlayerRating

_ROWS_AT_ONCE = 50_000
MOST = len(ALPHABET) - 1
_NEIGHBOURS = 64


def copy(times: int, members: int) -> None:
    """Add so many copies of all games there are, with what belongs to them."""
    tables: tuple[type[models.Model], ...] = (
        Game,
        Change,
        ChatLine,
        Note,
        Notice,
        Delivery,
        Outbox,
        PlayerRating,
    )
    lasts = {model: _last(model) for model in tables}
    for number in range(1, times + 1):
        began = time.monotonic()
        for model in tables:
            _copy(model, number, lasts, members - members % _NEIGHBOURS)
        sys.stdout.write(f"{number:>10,} copies, this one in {time.monotonic() - began:.0f} s\n")
        sys.stdout.flush()
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), list(tables)):
            cursor.execute(statement)


def _last(model: type[models.Model]) -> int:
    manager = model._meta.default_manager
    assert manager is not None
    return manager.aggregate(last=models.Max("pk"))["last"] or 0


def _copy(
    model: type[models.Model], number: int, lasts: Mapping[type[models.Model], int], members: int
) -> None:
    columns = [str(field.column) for field in model._meta.local_concrete_fields]
    other = {column: _other(column, number, members) for column in columns} | {
        "id": f"id + {number * lasts[model]}"
    }
    if model in {ChatLine, Note}:
        other["game_id"] = f"game_id + {number * lasts[Game]}"
    if model is Delivery:
        other["notice_id"] = f"notice_id + {number * lasts[Notice]}"
    if model is Outbox:
        other["position"] = "NULL"
    table, names = model._meta.db_table, ", ".join(f'"{column}"' for column in columns)
    values = ", ".join(other[column] or f'"{column}"' for column in columns)
    once = " ON CONFLICT DO NOTHING" if model is PlayerRating else ""
    for first in range(1, lasts[model] + 1, _ROWS_AT_ONCE):
        end = min(first + _ROWS_AT_ONCE, lasts[model] + 1)
        where = f"id >= {first} AND id < {end}"
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"INSERT INTO {table} ({names}) SELECT {values} FROM {table} WHERE {where}{once}")


def _other(column: str, number: int, members: int) -> str:
    """What a column has in a copy, as SQL; empty if it stays."""
    if column in {"creator_id", "first_player_id", "second_player_id", "user_id", "opponent_id"}:
        at = f"({column} - {FIRST_KEY})"
        turned = f"({at} | {number}) - ({at} & {number}) + {FIRST_KEY}"  # bits of the one or the other
        return f"CASE WHEN {at} < {members} THEN {turned} ELSE {column} END"
    end = f"'0{ALPHABET[number]}'"  # no other id has a zero
    if column == "public_id":
        return f"substr(public_id, 1, 10) || {end}"
    if column == "game_id":  # of a change of ratings, by the public id
        return f"substr(game_id, 1, 10) || {end}"
    if column == "about":
        return f"substr(about, 1, 15) || {end}"  # "game:" and the public id
    if column == "key":
        return f'"key" || {end}'
    return ""
