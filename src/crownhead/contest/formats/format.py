"""The interface of a contest format: its options, the next step, and the tables."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from crownhead.contest.errors import BadField, BadOption, BadRound
from crownhead.contest.model import Contest, Options, Player, Round, Step, Table
from crownhead.contest.options import Choices, Option
from crownhead.contest.tie_breaks import TIE_BREAKS


class Format(ABC):
    """A contest format. It keeps no state: each answer depends only on the ``Contest``."""

    key: ClassVar[str]
    name: ClassVar[str]  # for people, in English
    summary: ClassVar[str]  # one sentence for people, in English
    options: ClassVar[tuple[Option, ...]]
    least: ClassVar[int] = 2  # players
    most: ClassVar[int] = 1000
    live: ClassVar[bool] = False  # only with live clocks
    late: ClassVar[bool] = False  # whether players may enter after the start
    ponders: ClassVar[bool] = False  # whether pairing a large round takes seconds

    @abstractmethod
    def next_step(self, contest: Contest) -> Step:
        """Return what comes next; raises ``ContestError`` for invalid options or rounds."""

    @abstractmethod
    def standings(self, contest: Contest) -> tuple[Table, ...]:
        """Return the current tables: the whole contest first, then sections, newest first."""

    @abstractmethod
    def planned_rounds(self, contest: Contest) -> int | None:
        """Return the expected number of rounds, or None if it cannot be known."""

    def check(self, options: Options, players: Sequence[Player]) -> None:
        """Raise ``BadOption`` or ``BadField`` if a contest cannot start with these."""
        choices = Choices(self.options, options)
        if any(option.key == "tie_breaks" for option in self.options):
            self.tie_break_keys(choices)
        keys = [player.key for player in players if player.plays_in(1)]
        if len(set(keys)) != len(keys):
            twice = sorted({key for key in keys if keys.count(key) > 1})
            raise BadField(f"expected each player once, got {', '.join(map(repr, twice))} more than once")
        if not self.least <= len(keys) <= self.most:
            raise BadField(f"expected {self.least} to {self.most} players for {self.key}, got {len(keys)}")

    def check_round(self, contest: Contest, made: Round) -> None:
        """Raise ``BadRound`` if a manually paired round cannot be the next one."""
        if made.number != len(contest.rounds) + 1:
            raise BadRound(f"expected round {len(contest.rounds) + 1}, got round {made.number}")
        known = {player.key: player for player in contest.players}
        seen: set[str] = set()
        for pairing in made.pairings:
            for key in pairing.players:
                if key not in known:
                    raise BadRound(f"expected players of the contest in round {made.number}, got {key!r}")
                if not known[key].plays_in(made.number):
                    raise BadRound(f"expected players who are in, got {key!r} in round {made.number}")
                if key in seen and not pairing.section:
                    raise BadRound(f"expected everybody once in round {made.number}, got {key!r} twice")
                seen.add(key)

    def choices(self, contest: Contest) -> Choices:
        """Return the options of a contest with defaults filled in."""
        return Choices(self.options, contest.options)

    def tie_break_keys(self, choices: Choices) -> tuple[str, ...]:
        """Return the chosen tie-breaks in order; raises ``BadOption`` if one is unknown."""
        chosen = choices.text("tie_breaks")
        keys = tuple(key for key in (part.strip() for part in chosen.split(",")) if key)
        for key in keys:
            if key not in TIE_BREAKS:
                raise BadOption("tie_breaks", f"keys out of {', '.join(TIE_BREAKS)}", key)
        return keys
