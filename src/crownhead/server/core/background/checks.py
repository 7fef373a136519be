"""What apps know of how their records must fit together: `crownhead check` asks them all."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that does not fit together: a sentence with the ids that it is about."""

    sentence: str
    is_repaired: bool = False

    def __str__(self) -> str:
        """The sentence, and whether it is still true."""
        return f"{self.sentence} Repaired." if self.is_repaired else self.sentence


Check = Callable[[bool], Iterator[Finding]]
_checks: dict[str, Check] = {}


def check(name: str) -> Callable[[Check], Check]:
    """Register a function of whether to repair, for an app's `jobs.py`.

    It reads rows some at a time, and repairs only what follows from other records.
    """

    def register(function: Check) -> Check:
        _checks[name] = function
        return function

    return register


def checks() -> dict[str, Check]:
    """All checks by name."""
    return dict(_checks)
