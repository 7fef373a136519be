"""Which names players can have, and which names look alike."""

import re

from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

SHORTEST, LONGEST = 3, 20
RESERVED = frozenset(
    {"admin", "administrator", "crownhead", "guest", "me", "moderator", "root", "staff", "system"}
)

COMPUTER = "computer-"  # and the number of its level: what the engine is called when it plays
CLOSED = "closed-account-"  # and a numeral: what a closed account is called

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{2,19}")
_SEPARATORS = str.maketrans("", "", "-_")
_TWINS = (("0", "o"), ("1", "l"), ("i", "l"), ("rn", "m"), ("vv", "w"))


def likeness(name: str) -> str:
    """Return the same text for all names that are easily mistaken for one another."""
    text = name.casefold().translate(_SEPARATORS)
    for look, alike in _TWINS:
        text = text.replace(look, alike)
    return text


def folded(name: str) -> str:
    """Return the name in the case by which it is compared."""
    return name.lower()


def is_reserved(name: str) -> bool:
    """Return whether a name, or a similar one, is reserved for the club."""
    text = likeness(name)
    return text in _RESERVED or text.startswith(_CLOSED) or _COMPUTERS.fullmatch(text) is not None


def display_name(name: str) -> str:
    """Return the name to display; a closed account has none."""
    return gettext("closed account") if name.startswith(CLOSED) else name


def computer_level(name: str) -> int | None:
    """Return the level of the computer with a name; None for the name of a person."""
    match = _COMPUTER.fullmatch(name)
    return int(match[1]) if match else None


def check_name(name: str) -> None:
    """Raise `ValidationError` unless a player can have this name."""
    if not _NAME.fullmatch(name):
        raise ValidationError(
            _("A name has 3 to 20 letters (a–z), digits, - or _, and begins with a letter or digit."),
            code="name",
        )


_RESERVED = frozenset(map(likeness, RESERVED))
_CLOSED = likeness(CLOSED)
_COMPUTER = re.compile(rf"{COMPUTER}(\d{{1,2}})")
_COMPUTERS = re.compile(rf"{likeness(COMPUTER)}[0-9lo]*")  # as digits look in a likeness
