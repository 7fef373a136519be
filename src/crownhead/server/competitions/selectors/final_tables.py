"""The tables of tournaments that are over, as stored: rows are lists in the order of their fields."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from crownhead.contest import Row, Table
from crownhead.server.competitions.models import FinalTables, Tournament

FORM = 1  # to be raised whenever rows or tables get other fields, or places come about in another way


def written(tables: Iterable[Table], size: int) -> dict[str, Any]:
    """The columns of a row with the tables of a tournament of that size."""
    return {"form": FORM, "size": size, "tables": [_written(table) for table in tables]}


def stored(tournament: Tournament) -> tuple[tuple[Table, ...], int] | None:
    """The tables of a tournament, and its size; None if none of its present version are stored."""
    rows = FinalTables.objects.filter(tournament=tournament, version=tournament.version, form=FORM)
    row = rows.first()
    return None if row is None else (tuple(map(_read, row.tables)), row.size)


def _written(table: Table) -> dict[str, Any]:
    return {
        "round": table.round,
        "section": table.section,
        "unit": table.unit,
        "columns": table.columns,
        "rows": [
            (
                *(
                    row.place,
                    row.player,
                    row.points,
                    row.sharing,
                    row.played,
                    row.wins,
                    row.draws,
                    row.losses,
                ),
                row.values,
                int(row.out),
                int(row.withdrawn),
            )
            for row in table.rows
        ],
    }


def _read(table: dict[str, Any]) -> Table:
    return Table(
        rows=tuple(map(_row, table["rows"])),
        columns=tuple(table["columns"]),
        round=table["round"],
        section=table["section"],
        unit=table["unit"],
    )


def _row(row: list[Any]) -> Row:
    *plain, values, out, withdrawn = row
    fields = [*plain, tuple(values), bool(out), bool(withdrawn)]
    return Row(*fields)
