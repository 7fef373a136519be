"""The exceptions that contests raise about their input, with the facts as attributes."""

from __future__ import annotations


class ContestError(ValueError):
    """Base class of all contest errors."""


class BadOption(ContestError):
    """An option of a format is unknown, of the wrong type, or out of range."""

    def __init__(self, key: str, expected: str, value: object) -> None:
        """``key``: the option; ``expected``: in words; ``value``: the actual value."""
        super().__init__(f"expected {expected} for the option {key!r}, got {value!r}")
        self.key = key
        self.expected = expected
        self.value = value

    def __reduce__(self) -> tuple[type, tuple[str, str, object]]:
        return type(self), (self.key, self.expected, self.value)


class BadField(ContestError):
    """The players do not suit the format: too few, too many, or a duplicate."""


class BadRound(ContestError):
    """A round is invalid: an unknown player, a player twice, or a player paired with themselves."""


class BadResult(ContestError):
    """A game has impossible points, or its players are not those of its pairing."""
