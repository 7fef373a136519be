"""What people want to be told, by which way and when: the club's usual, written down anew, or their own."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

SITE, MAIL, PUSH = "site", "mail", "push"
WAYS = (SITE, MAIL, PUSH)
NOW, AWAY, DAILY, NEVER = "now", "away", "daily", "never"
URGENCY = (NOW, AWAY, DAILY, NEVER)

Wishes = Mapping[tuple[str, str], str]  # by kind and way

# By e-mail and by push message, where nobody has chosen; on the site all but messages and news.
_USUAL = {
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
KINDS = tuple(_USUAL)

# Somebody says it: who ignores him hears nothing.
PERSONAL = frozenset({"draw", "take-back", "chat", "invited", "answered", "team", "message"})
# True until the player has acted, or the game is over.
BEFORE_THE_MOVE = ("turn", "half", "fifth", "two-hours")
OFFERS = ("draw", "take-back")


def usual() -> dict[tuple[str, str], str]:
    """What holds for who has chosen nothing."""
    found = {}
    for kind, (mail, push) in _USUAL.items():
        found[kind, SITE] = NEVER if kind in {"message", "news"} else NOW
        found[kind, MAIL], found[kind, PUSH] = mail, push
    return found


def all_alike(mail: str, push: str) -> dict[tuple[str, str], str]:
    """Everything at the same time by a way, and all of it on the site."""
    times = {SITE: NOW, MAIL: mail, PUSH: push}
    return {(kind, way): times[way] for kind in KINDS for way in WAYS}


def picky(dice: Random) -> dict[tuple[str, str], str]:
    """Something else for each kind and way."""
    return {
        (kind, way): dice.choice((NOW, NOW, NEVER) if way == SITE else URGENCY)
        for kind in KINDS
        for way in WAYS
    }
