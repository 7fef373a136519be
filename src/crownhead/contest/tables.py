"""Places by points and tie-breaks; who is equal to the end shares his place."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType

from crownhead.contest.model import Row, Table
from crownhead.contest.tally import Tallies
from crownhead.contest.tie_breaks import TIE_BREAKS, Around


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
    """The table of these tallies: by points, then by each column, then shared.

    Rows of the ``withdrawn`` are marked; those in ``last`` are placed behind all others.
    """
    groups = _groups(tallies, columns, frozenset(last))
    values = _values(tallies, columns)
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
    """Rows in the order of groups; those of a group share their place."""
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


def _groups(tallies: Tallies, columns: Sequence[str], last: frozenset[str]) -> list[list[str]]:
    """Players in order, those with equal places together, in the order of the tallies."""
    rounds = _rounds(tallies)
    groups = _parted(list(tallies), {key: (key not in last, tallies[key].points) for key in tallies})
    for column in columns:
        parted: list[list[str]] = []
        for group in groups:
            equals = frozenset(group)
            worth = {key: (TIE_BREAKS[column].value(key, Around(tallies, equals, rounds)),) for key in group}
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
    rounds = _rounds(tallies)
    by_points: dict[int, set[str]] = {}
    for key, tally in tallies.items():
        by_points.setdefault(tally.points, set()).add(key)
    equals = {points: frozenset(keys) for points, keys in by_points.items()}
    return {
        key: tuple(
            TIE_BREAKS[column].value(key, Around(tallies, equals[tally.points], rounds)) for column in columns
        )
        for key, tally in tallies.items()
    }


def _rounds(tallies: Tallies) -> int:
    return max((meeting.round for tally in tallies.values() for meeting in tally.meetings), default=0)
