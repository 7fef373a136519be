"""What the club's events set off here; and the number of unread notices in the menu."""

from __future__ import annotations

import crownhead.server.notices.game_handlers  # noqa: F401 - wires itself
from crownhead.server.accounts.selectors import User
from crownhead.server.notices.reading import unread_count
from crownhead.server.play.badges import badge


@badge("notices")
def _unread(user: User) -> int:
    return unread_count(user)
