"""Places by points and tie-breaks; who is equal to the end shares his place."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from crownhead.contest.model import Row, Table
from crownhead.contest.tally import Tallies
from crownhead.contest.tie_breaks import TIE_BREAKS, Around


def table(
    tallies: Tallies,
    columns: Sequence[str],
    *,
    number: int = 0,
    section: int = 0,
    out: Collection[str] = (),
    withdrawn: Collection[str] = (),
    last: Collection[str] = (),
) -> Table:
    """The table of these tallies: by points, then by each column, then shared.

    ``out`` and ``withdrawn`` mark rows; those in ``last`` are placed behind all others.
    """
    rows: list[Row] = []
    values = _values(tallies, columns)
    for group in _groups(tallies, columns, frozenset(last)):
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
                    values=values[key],
                    out=key in out,
                    withdrawn=key in withdrawn,
                )
            )
    return Table(tuple(rows), tuple(columns), round=number, section=section)


def _groups(tallies: Tallies, columns: Sequence[str], last: frozenset[str]) -> list[list[str]]:
    """Players in order, those with equal places together, in the order of the tallies."""
    groups = _parted(list(tallies), {key: (key not in last, tallies[key].points) for key in tallies})
    for column in columns:
        parted: list[list[str]] = []
        for group in groups:
            equals = frozenset(group)
            worth = {key: (TIE_BREAKS[column].value(key, Around(tallies, equals)),) for key in group}
            parted += _parted(group, worth)
        groups = parted
    return groups


def _parted(group: list[str], worth: Mapping[str, tuple[int, ...]]) -> list[list[str]]:
    """A group split by what each is worth, the highest first."""
    parts: dict[tuple[int, ...], list[str]] = {}
    for key in group:
        parts.setdefault(worth[key], []).append(key)
    return [parts[value] for value in sorted(parts, reverse=True)]


def _values(tallies: Tallies, columns: Sequence[str]) -> dict[str, tuple[int, ...]]:
    """What the columns show: a direct encounter among those with equal points, the rest by itself."""
    by_points: dict[int, set[str]] = {}
    for key, tally in tallies.items():
        by_points.setdefault(tally.points, set()).add(key)
    equals = {points: frozenset(keys) for points, keys in by_points.items()}
    return {
        key: tuple(TIE_BREAKS[column].value(key, Around(tallies, equals[tally.points])) for column in columns)
        for key, tally in tallies.items()
    }
