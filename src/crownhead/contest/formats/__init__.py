"""The contest formats by key; a new one is a module here and a line in ``_ALL``."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from crownhead.contest.errors import BadOption
from crownhead.contest.formats.arena import Arena
from crownhead.contest.formats.double_elimination import DoubleElimination
from crownhead.contest.formats.format import TIE_BREAKS_OPTION, Bracket, Cells, Format
from crownhead.contest.formats.round_robin import RoundRobin
from crownhead.contest.formats.sections import Sections
from crownhead.contest.formats.single_elimination import SingleElimination
from crownhead.contest.formats.swiss import Swiss
from crownhead.contest.model import Contest, Step, Table

_ALL: tuple[Format, ...] = (
    Sections(),  # the first is chosen until a host chooses another
    RoundRobin(),
    Swiss(),
    SingleElimination(),
    DoubleElimination(),
    Arena(),
)

FORMATS: Mapping[str, Format] = MappingProxyType({made.key: made for made in _ALL})


def format_of(key: str) -> Format:
    """Return a format by its key; raises ``BadOption`` if there is none."""
    if key not in FORMATS:
        raise BadOption("format", f"one of {', '.join(FORMATS)}", key)
    return FORMATS[key]


def next_step(contest: Contest) -> Step:
    """Return what comes next in a contest: ``Pair``, ``Wait`` or ``Finished``."""
    return format_of(contest.format).next_step(contest)


def standings(contest: Contest) -> tuple[Table, ...]:
    """Return the current tables of a contest."""
    return format_of(contest.format).standings(contest)


__all__ = [
    "FORMATS",
    "TIE_BREAKS_OPTION",
    "Bracket",
    "Cells",
    "Format",
    "format_of",
    "next_step",
    "standings",
]
