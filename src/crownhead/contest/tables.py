"""Ranking players by points and tie-breaks; players who are still tied share a place."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType

from crownhead.contest.model import Row, Table
from crownhead.contest.tally import Tallies
from crownhead.contest.tie_breaks import TIE_BREAKS, TieBreakContext


def table(
    tallies: Tallies,
    columns: Sequence[str],
    *,
    number: int = 0,
    section: int = 0,
    withdrawn: Collection[str] = (),
    last: Collection[str] = (),
    unit: int = 2,
) -> Table:
    """Rank tallies by points, then by each tie-break column.

    Players in ``withdrawn`` are marked; those in ``last`` are placed after all others.
    """
    context = TieBreakContext.of(tallies)
    groups = _groups(context, columns, frozenset(last))
    values = _values(context, columns)
    return Table(
        placed(groups, tallies, values=values, withdrawn=withdrawn),
        tuple(columns),
        round=number,
        section=section,
        unit=unit,
    )


def placed(
    groups: Iterable[Sequence[str]],
    tallies: Tallies,
    *,
    values: Mapping[str, tuple[int, ...]] = MappingProxyType({}),
    out: Collection[str] = (),
    withdrawn: Collection[str] = (),
) -> tuple[Row, ...]:
    """Return rows in the order of the groups; the players of a group share a place."""
    rows: list[Row] = []
    for group in groups:
        place = len(rows) + 1
        for key in group:
            tally = tallies[key]
            rows.append(
                Row(
                    place,
                    key,
                    tally.points,
                    sharing=len(group),
                    played=tally.games,
                    wins=tally.wins,
                    draws=tally.draws,
                    losses=tally.losses,
                    values=values.get(key, ()),
                    out=key in out,
                    withdrawn=key in withdrawn,
                )
            )
    return tuple(rows)


def _groups(context: TieBreakContext, columns: Sequence[str], last: frozenset[str]) -> list[list[str]]:
    """Return players in order, grouped by place."""
    tallies = context.tallies
    groups = _parted(list(tallies), {key: (key not in last, tallies[key].points) for key in tallies})
    for column in columns:
        value = TIE_BREAKS[column].value
        parted: list[list[str]] = []
        for group in groups:
            equals = context.among(group)
            parted += _parted(group, {key: (value(key, equals),) for key in group})
        groups = parted
    return groups


def _parted(group: list[str], worth: Mapping[str, tuple[int, ...]]) -> list[list[str]]:
    """Split a group by value, highest first."""
    parts: dict[tuple[int, ...], list[str]] = {}
    for key in group:
        parts.setdefault(worth[key], []).append(key)
    return [parts[value] for value in sorted(parts, reverse=True)]


def _values(context: TieBreakContext, columns: Sequence[str]) -> dict[str, tuple[int, ...]]:
    """Return the values to show in the columns; direct encounter is among players with equal points."""
    by_points: dict[int, list[str]] = {}
    for key, tally in context.tallies.items():
        by_points.setdefault(tally.points, []).append(key)
    values = {}
    for group in by_points.values():
        equals = context.among(group)
        for key in group:
            values[key] = tuple(TIE_BREAKS[column].value(key, equals) for column in columns)
    return values
