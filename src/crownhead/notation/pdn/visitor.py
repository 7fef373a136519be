"""Who is told what a record says while it is read: take what you need, the rest costs little."""

from __future__ import annotations

from dataclasses import dataclass, field

from crownhead.rules.errors import NotationError


class Visitor:
    """Told of one record, token by token; the methods of this class do nothing.

    ``at`` is the index in the text where a token begins. Moves come as texts.
    """

    __slots__ = ()

    wants_variations = False  # else they are passed over

    def begin(self, at: int) -> None:
        """The record begins."""

    def tag(self, name: str, value: str, at: int) -> None:
        """A tag; a name may come twice."""

    def move(self, text: str, at: int) -> None:
        """A move, of a variation where one is open."""

    def strength(self, text: str, at: int) -> None:
        """``!``, ``?!`` …, of the last move."""

    def nag(self, number: int, at: int) -> None:
        """``$7`` …, of the last move."""

    def comment(self, text: str, at: int) -> None:
        """What stands in braces, behind ``%`` or ``;`` on a line, or words in brackets."""

    def setup(self, fen: str, at: int) -> None:
        """A position put up within the moves; raises ``NotationError`` where that cannot be."""

    def begin_variation(self, at: int) -> None:
        """Other moves instead of the last one follow."""

    def end_variation(self, at: int) -> None:
        """They are over."""

    def result(self, text: str, at: int) -> None:
        """What ends the game."""

    def warn(self, error: NotationError, at: int) -> None:
        """Something is not as the standard has it, but reading goes on."""

    def fail(self, error: NotationError, at: int) -> None:
        """The record cannot be read further."""

    def end(self, at: int) -> None:
        """The record is over."""


@dataclass(slots=True)
class Finding:
    """Something to be told of a record that was read, and where in the text."""

    cause: Exception
    at: int
    is_info: bool = False  # nothing is wrong, but a choice was made


@dataclass(slots=True)
class GameRecord(Visitor):
    """What one game of a file says: its tags, main line and result."""

    at: int = 0
    tags: dict[str, str] = field(default_factory=dict)
    moves: list[tuple[str, int]] = field(default_factory=list)  # texts, and where they begin
    terminator: str = ""
    findings: list[Finding] = field(default_factory=list)
    fault: NotationError | None = None
    fault_at: int = 0

    def begin(self, at: int) -> None:
        """Note where."""
        self.at = at

    def tag(self, name: str, value: str, at: int) -> None:  # noqa: ARG002
        """Keep the first of a name."""
        self.tags.setdefault(name, value)

    def move(self, text: str, at: int) -> None:
        """Keep it."""
        self.moves.append((text, at))

    def setup(self, fen: str, at: int) -> None:  # noqa: ARG002
        """Take it for the start."""
        if self.moves:
            raise NotationError("moves, the position being set up once only,", fen)
        self.tags["FEN"] = fen

    def result(self, text: str, at: int) -> None:  # noqa: ARG002
        """Keep it."""
        self.terminator = text

    def warn(self, error: NotationError, at: int) -> None:
        """Keep it."""
        self.findings.append(Finding(error, at))

    def fail(self, error: NotationError, at: int) -> None:
        """Keep it."""
        self.fault, self.fault_at = error, at
