"""Notification settings: when each kind is sent by each channel, by default or by random choice."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

SITE, MAIL, PUSH = "site", "mail", "push"
CHANNELS = (SITE, MAIL, PUSH)
NOW, AWAY, DAILY, NEVER = "now", "away", "daily", "never"
URGENCY = (NOW, AWAY, DAILY, NEVER)

Timings = Mapping[tuple[str, str], str]  # by kind and channel

# The defaults for e-mail and push; on the site everything except messages and news.
_DEFAULTS = {
    "turn": (AWAY, NOW),
    "half": (NEVER, NEVER),
    "fifth": (AWAY, AWAY),
    "two-hours": (NOW, NOW),
    "draw": (AWAY, NOW),
    "take-back": (AWAY, AWAY),
    "chat": (AWAY, AWAY),
    "ended": (AWAY, AWAY),
    "appeal": (NOW, AWAY),
    "invited": (AWAY, NOW),
    "answered": (AWAY, AWAY),
    "paired": (AWAY, NOW),
    "challenged": (AWAY, NOW),
    "tournament": (AWAY, AWAY),
    "trophy": (DAILY, NEVER),
    "team": (AWAY, AWAY),
    "message": (AWAY, NOW),
    "report": (AWAY, NEVER),
    "staff": (AWAY, NEVER),
    "news": (NEVER, NEVER),
}
KINDS = tuple(_DEFAULTS)

# Caused by another member: nothing arrives from blocked members.
PERSONAL = frozenset({"draw", "take-back", "chat", "invited", "answered", "team", "message"})
# Valid until the player has moved or the game is over.
BEFORE_THE_MOVE = ("turn", "half", "fifth", "two-hours")
OFFERS = ("draw", "take-back")


def default_timings() -> dict[tuple[str, str], str]:
    """The defaults."""
    found = {}
    for kind, (mail, push) in _DEFAULTS.items():
        found[kind, SITE] = NEVER if kind in {"message", "news"} else NOW
        found[kind, MAIL], found[kind, PUSH] = mail, push
    return found


def same_timings(mail: str, push: str) -> dict[tuple[str, str], str]:
    """The same timing for every kind, and everything on the site."""
    times = {SITE: NOW, MAIL: mail, PUSH: push}
    return {(kind, channel): times[channel] for kind in KINDS for channel in CHANNELS}


def random_timings(dice: Random) -> dict[tuple[str, str], str]:
    """A random timing for every kind and channel."""
    return {
        (kind, channel): dice.choice((NOW, NOW, NEVER) if channel == SITE else URGENCY)
        for kind in KINDS
        for channel in CHANNELS
    }
