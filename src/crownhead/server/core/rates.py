"""Parses rates: `600/10m` is six hundred times in ten minutes."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime

UNLIMITED = "none"

_RATE = re.compile(r"(\d{1,9})/(\d{0,4})([smhd])", re.ASCII)
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


@dataclass(frozen=True, slots=True)
class Rate:
    """At most `times` in `seconds`."""

    times: int
    seconds: int

    def span(self, now: datetime) -> tuple[int, datetime]:
        """The number of the span of time that is counted together, and when it ends."""
        number = int(now.timestamp()) // self.seconds
        return number, datetime.fromtimestamp((number + 1) * self.seconds, UTC)


def parse_rate(text: str) -> Rate | None:
    """Read `600/10m` or `5/s`; None for `none`. Raises `ValueError`."""
    if text == UNLIMITED:
        return None
    match = _RATE.fullmatch(text)
    if not match or (match[2] and not int(match[2])):
        raise ValueError(f"expected a rate like 600/10m, 20/h or none, got {text!r}")
    return Rate(int(match[1]), int(match[2] or 1) * _UNITS[match[3]])
