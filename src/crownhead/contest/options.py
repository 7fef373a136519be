"""The options of a contest, each with a default, a range and a description."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from crownhead.contest.errors import BadOption
from crownhead.contest.model import Options, OptionValue


@dataclass(frozen=True, slots=True)
class Option:
    """An option of the type of its ``default``: number, text or boolean."""

    key: str
    default: OptionValue
    text: str  # for people, in English
    least: int = 0  # of a number
    most: int = 0
    choices: tuple[str, ...] = ()  # of a text; empty: any

    def checked(self, value: object) -> OptionValue:
        """Return the value if it is valid; raises ``BadOption``."""
        if isinstance(self.default, bool):
            if isinstance(value, bool):
                return value
            raise BadOption(self.key, "true or false", value)
        if isinstance(self.default, int):
            if isinstance(value, int) and not isinstance(value, bool) and self.least <= value <= self.most:
                return value
            raise BadOption(self.key, f"a whole number from {self.least} to {self.most}", value)
        if isinstance(value, str) and (not self.choices or value in self.choices):
            return value
        raise BadOption(self.key, f"one of {', '.join(self.choices)}" if self.choices else "a text", value)


class Choices:
    """The options of one contest with defaults filled in, accessible by type."""

    def __init__(self, offered: Sequence[Option], chosen: Options) -> None:
        """Raises ``BadOption`` for an unknown key or an invalid value."""
        known = {option.key: option for option in offered}
        for key, value in chosen.items():
            if key not in known:
                raise BadOption(key, f"one of the options {', '.join(known) or '(none)'}", value)
        self._values = {key: option.checked(chosen.get(key, option.default)) for key, option in known.items()}

    def number(self, key: str) -> int:
        """Return the value of a number option."""
        return int(self._values[key])

    def text(self, key: str) -> str:
        """Return the value of a text option."""
        return str(self._values[key])

    def yes(self, key: str) -> bool:
        """Return the value of a boolean option."""
        return bool(self._values[key])
