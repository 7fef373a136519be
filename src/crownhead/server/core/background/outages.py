"""What apps do about a time in which nobody could play: each compensates for one in its own way.

A function gets the outage and the key of the last row that it has seen to. It sees to some more rows, few
enough for a short transaction, and returns the key of the last of them, or None once all are done. It is
called in the transaction that notes its answer, so that nothing is compensated for twice.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

ROWS_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class Outage:
    """When nobody could play: the site was away, or its clock jumped from ``begins`` to ``ends``.

    A clock that was set back ``ends`` before it ``begins``.
    """

    begins: datetime
    ends: datetime

    @property
    def length(self) -> timedelta:
        """How long it was; negative where the clock was set back."""
        return self.ends - self.begins

    @property
    def is_backward(self) -> bool:
        """Whether the clock was set back."""
        return self.ends < self.begins


Compensate = Callable[[Outage, int], int | None]
_steps: dict[str, Compensate] = {}


def compensation(name: str) -> Callable[[Compensate], Compensate]:
    """Register what an app does about an outage; for its `jobs.py`."""

    def register(step: Compensate) -> Compensate:
        _steps[name] = step
        return step

    return register


def steps() -> dict[str, Compensate]:
    """All that is done, by name, in order."""
    return dict(_steps)
