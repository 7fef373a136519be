"""What this room raises about its input: one root, lower case, with the facts as attributes."""

from __future__ import annotations


class ContestError(ValueError):
    """The root of everything that a contest raises about what it is given."""


class BadOption(ContestError):
    """An option of a format is unknown, of the wrong kind, or out of its range."""

    def __init__(self, key: str, expected: str, value: object) -> None:
        """``key``: the option; ``expected``: in words; ``value``: what came."""
        super().__init__(f"expected {expected} for the option {key!r}, got {value!r}")
        self.key = key
        self.expected = expected
        self.value = value

    def __reduce__(self) -> tuple[type, tuple[str, str, object]]:
        return type(self), (self.key, self.expected, self.value)


class BadField(ContestError):
    """The players do not fit a format: too few, too many, or one twice."""


class BadRound(ContestError):
    """A round cannot belong to its contest: an unknown player, one player twice, a pairing with oneself."""


class BadResult(ContestError):
    """A game's points are none that a game can have, or its players are not those of its pairing."""
