"""What there is to choose from among the preferences."""

from __future__ import annotations

from functools import cache
from zoneinfo import available_timezones


@cache  # each look goes through some hundred files
def time_zones() -> tuple[str, ...]:
    """Return the names of the time zones to choose from."""
    names = (name for name in available_timezones() if "/" in name and not name.startswith("Etc/"))
    return tuple(sorted(names))
