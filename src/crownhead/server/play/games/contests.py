"""What a game may belong to besides itself: a ladder, a tournament, a match of teams.

Those live in apps above this one, which start the games and handle their end. Here is only their name,
kept in the game's row, included in its events and shown beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from crownhead.server.core.problems import Unprocessable

_LONGEST = {"kind": 16, "key": 80, "name": 120, "link": 200}


@dataclass(frozen=True, slots=True)
class Contest:
    """``key``: the contest's public id, and after a colon the part of it: ``abc:r2:p5``.

    ``name`` is what people call it, ``link`` the path of its page.
    """

    kind: str
    key: str
    name: str
    link: str = ""

    @property
    def event(self) -> str:
        """The public id alone."""
        return self.key.partition(":")[0]


def columns_of(contest: Contest | None) -> dict[str, Any]:
    """The columns of a game of that contest; raises ``Unprocessable`` on what they cannot hold."""
    if contest is None:
        return {}
    for name, most in _LONGEST.items():
        length, least = len(getattr(contest, name)), 0 if name == "link" else 1
        if not least <= length <= most:
            raise Unprocessable(
                _("The %(name)s must have %(least)s to %(most)s characters, not %(length)s.")
                % {"name": name, "least": least, "most": most, "length": length},
                field="contest",
            )
    return {
        "contest_kind": contest.kind,
        "contest_event": contest.event,
        "contest_key": contest.key,
        "contest_name": contest.name,
        "contest_link": contest.link,
    }
