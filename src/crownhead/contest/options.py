"""What a host may choose about a contest: named values with a default, a range and a sentence each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from crownhead.contest.errors import BadOption
from crownhead.contest.model import Options, OptionValue


@dataclass(frozen=True, slots=True)
class Option:
    """One thing to choose, of the kind of its ``default``: a number, a text, yes or no."""

    key: str
    default: OptionValue
    text: str  # for people, in English
    least: int = 0  # of a number
    most: int = 0
    choices: tuple[str, ...] = ()  # of a text; empty: any

    def checked(self, value: object) -> OptionValue:
        """The value, if it may be chosen; raises ``BadOption``."""
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
    """The options of one contest, the defaults filled in; each read as what it is."""

    def __init__(self, offered: Sequence[Option], chosen: Options) -> None:
        """Raises ``BadOption`` on a key that is not offered, or a value that may not be chosen."""
        known = {option.key: option for option in offered}
        for key, value in chosen.items():
            if key not in known:
                raise BadOption(key, f"one of the options {', '.join(known) or '(none)'}", value)
        self._values = {key: option.checked(chosen.get(key, option.default)) for key, option in known.items()}

    def number(self, key: str) -> int:
        """A number that was chosen."""
        return int(self._values[key])

    def text(self, key: str) -> str:
        """A text that was chosen."""
        return str(self._values[key])

    def yes(self, key: str) -> bool:
        """Whether something was chosen."""
        return bool(self._values[key])
