"""The problems that come with the package: mined from games and taken from classical collections.

They are kept as lines of JSON, sorted by variant and key; the file is read once, when it is first asked for.
"""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from crownhead.problems.problem import Problem, read

SHIPPED = Path(__file__).parent / "collection.jsonl.gz"


@cache
def shipped() -> Mapping[str, Problem]:
    """All problems by key, in the order of the file."""
    with gzip.open(SHIPPED, "rt", encoding="utf-8") as file:
        return MappingProxyType({problem.key: problem for problem in read(file)})
