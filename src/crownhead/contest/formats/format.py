"""The interface of a contest format: its options, how it is shown, the next step, and the tables."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import ClassVar

from crownhead.contest.errors import BadField, BadOption, BadRound
from crownhead.contest.model import Bye, Contest, Options, Player, Round, Step, Table
from crownhead.contest.options import Choices, Option
from crownhead.contest.tie_breaks import TIE_BREAKS

TIE_BREAKS_OPTION = "tie_breaks"  # the key of the option that names tie-breaks, parted by commas


class Cells(StrEnum):
    """What a table shows beside the points of a player, where there is room for it."""

    NONE = "none"
    OPPONENTS = "opponents"  # a result against each other player: a cross table; rounds, where it is too wide
    ROUNDS = "rounds"  # a result in each round


@dataclass(frozen=True, slots=True)
class Bracket:
    """A section whose rounds are shown side by side.

    ``halving``: each round has half as many tables as the one before, so rounds to come can be drawn.
    """

    title: str  # for people, in English
    halving: bool = False


class Format(ABC):
    """A contest format. It keeps no state: each answer depends only on the ``Contest``."""

    key: ClassVar[str]
    name: ClassVar[str]  # for people, in English
    summary: ClassVar[str]  # one sentence for people, in English
    order: ClassVar[str] = ""  # likewise, on the table of the whole contest where points do not rank it
    options: ClassVar[tuple[Option, ...]]
    least: ClassVar[int] = 2  # players
    most: ClassVar[int] = 1000
    live: ClassVar[bool] = False  # only with live clocks: players have to be there
    timed: ClassVar[bool] = False  # no rounds: players come and go until time is up
    late: ClassVar[bool] = False  # whether players may enter after the start
    all_play_all: ClassVar[bool] = False  # each further player is a further game for everybody
    ponders: ClassVar[bool] = False  # whether the next step may take long
    scheduled: ClassVar[bool] = False  # rounds follow from the players, and what those who left had played
    odd_bye: ClassVar[Bye] = Bye.ODD  # of the player left over where their number is odd
    cells: ClassVar[Cells] = Cells.NONE  # of the table of the whole contest
    section_cells: ClassVar[Cells] = Cells.OPPONENTS  # of the table of a section
    brackets: ClassVar[Mapping[int, Bracket]] = MappingProxyType({})  # by section; 0: it has none

    @abstractmethod
    def next_step(self, contest: Contest) -> Step:
        """Return what comes next; raises ``ContestError`` for invalid options or rounds."""

    @abstractmethod
    def standings(self, contest: Contest) -> tuple[Table, ...]:
        """Return the current tables: the whole contest first, then sections, newest first."""

    @abstractmethod
    def planned_rounds(self, contest: Contest) -> int | None:
        """Return the expected number of rounds, or None if it cannot be known."""

    @property
    def plain_options(self) -> tuple[Option, ...]:
        """The options that are a number, yes or no, or one of a few words: all but the tie-breaks."""
        return tuple(option for option in self.options if option.key != TIE_BREAKS_OPTION)

    @property
    def usual_tie_breaks(self) -> tuple[str, ...] | None:
        """The tie-breaks that count unless others are chosen; None where there are none to choose."""
        for option in self.options:
            if option.key == TIE_BREAKS_OPTION:
                return tuple(str(option.default).split(","))
        return None

    def byes_to_ask_for(self, options: Options) -> int:  # noqa: ARG002 - where there are any, the host chooses
        """For how many rounds a player may ask for a bye beforehand."""
        return 0

    def overlaps(self, options: Options) -> bool:  # noqa: ARG002 - where rounds may overlap, the host chooses
        """Whether a round begins whatever is open of those before it."""
        return False

    def check(self, options: Options, players: Sequence[Player]) -> None:
        """Raise ``BadOption`` or ``BadField`` if a contest cannot start with these."""
        choices = Choices(self.options, options)
        if self.usual_tie_breaks is not None:
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
        chosen = choices.text(TIE_BREAKS_OPTION)
        keys = tuple(key for key in (part.strip() for part in chosen.split(",")) if key)
        for key in keys:
            if key not in TIE_BREAKS:
                raise BadOption(TIE_BREAKS_OPTION, f"keys out of {', '.join(TIE_BREAKS)}", key)
        return keys
