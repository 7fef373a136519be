"""The problems of a club: those of the package, and the host's own, which are files in the data folder."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from django.conf import settings

from crownhead import CrownheadError
from crownhead.problems.collection import shipped
from crownhead.problems.problem import Problem, read

_log = logging.getLogger(__name__)


@cache
def problems_of_the_club() -> Mapping[str, Problem]:
    """All problems by key, those of the package first; the files are read once in each process.

    A problem that does not replay, as of a house variant that is no longer there, is left out, and so is the
    rest of a file from a line on that holds no problem. The log says so.
    """
    found = dict(shipped())
    for path in sorted(settings.HOUSE_PROBLEMS.glob("*.jsonl")):
        for problem in _problems_in(path):
            found.setdefault(problem.key, problem)
    return MappingProxyType(found)


def _problems_in(path: Path) -> Iterator[Problem]:
    try:
        with path.open(encoding="utf-8") as file:
            for problem in read(file):
                try:
                    problem.positions()
                except CrownheadError as error:
                    _log.warning("%s: the problem %s is left out: %s", path, problem.fen, error)
                else:
                    yield problem
    except (CrownheadError, OSError, UnicodeError) as error:
        _log.warning("%s: %s; the rest of the file is left out", path, error)
