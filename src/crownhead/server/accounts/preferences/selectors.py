"""What there is to choose from among the preferences."""

from __future__ import annotations

from zoneinfo import available_timezones


def time_zones() -> list[str]:
    """Return the names of the time zones to choose from."""
    return sorted(name for name in available_timezones() if "/" in name and not name.startswith("Etc/"))
