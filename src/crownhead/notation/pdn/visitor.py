"""Visitors, which are called for each token of a record while it is read."""

from __future__ import annotations

from dataclasses import dataclass, field

from crownhead.rules.errors import NotationError


class Visitor:
    """A visitor of one record; its methods are called for each token and do nothing here.

    ``at`` is the index of the token in the text. Moves are passed as text.
    """

    __slots__ = ()

    wants_variations = False  # otherwise they are skipped

    def begin(self, at: int) -> None:
        """Called at the start of the record."""

    def tag(self, name: str, value: str, at: int) -> None:
        """Called for a tag; a name can occur twice."""

    def move(self, text: str, at: int) -> None:
        """Called for a move, also within variations."""

    def strength(self, text: str, at: int) -> None:
        """Called for an annotation of the last move: ``!``, ``?!`` …."""

    def nag(self, number: int, at: int) -> None:
        """Called for a NAG of the last move: ``$7`` …."""

    def comment(self, text: str, at: int) -> None:
        """Called for a comment: in braces, after ``%`` or ``;`` on a line, or words in brackets."""

    def setup(self, fen: str, at: int) -> None:
        """Called for a mid-game setup; raise ``NotationError`` to reject it."""

    def begin_variation(self, at: int) -> None:
        """Called at the start of an alternative to the last move."""

    def end_variation(self, at: int) -> None:
        """Called at the end of a variation."""

    def result(self, text: str, at: int) -> None:
        """Called for the terminator of the game."""

    def warn(self, error: NotationError, at: int) -> None:
        """Called for a deviation from the standard; reading continues."""

    def fail(self, error: NotationError, at: int) -> None:
        """Called if the record cannot be read further."""

    def end(self, at: int) -> None:
        """Called at the end of the record."""


@dataclass(slots=True)
class Finding:
    """Something to report about a record, and its index in the text."""

    cause: Exception
    at: int
    is_info: bool = False  # nothing is wrong, but the reader made a choice


@dataclass(slots=True)
class GameRecord(Visitor):
    """Collects the tags, main line and result of a record."""

    at: int = 0
    tags: dict[str, str] = field(default_factory=dict)
    moves: list[tuple[str, int]] = field(default_factory=list)  # (text, index)
    terminator: str = ""
    findings: list[Finding] = field(default_factory=list)
    fault: NotationError | None = None
    fault_at: int = 0

    def begin(self, at: int) -> None:
        """Store the index of the record."""
        self.at = at

    def tag(self, name: str, value: str, at: int) -> None:  # noqa: ARG002
        """Store the tag; the first of each name wins."""
        self.tags.setdefault(name, value)

    def move(self, text: str, at: int) -> None:
        """Store the move."""
        self.moves.append((text, at))

    def setup(self, fen: str, at: int) -> None:  # noqa: ARG002
        """Use the position as the start; raises ``NotationError`` after a move."""
        if self.moves:
            raise NotationError("moves, because a position can be set up only once", fen)
        self.tags["FEN"] = fen

    def result(self, text: str, at: int) -> None:  # noqa: ARG002
        """Store the terminator."""
        self.terminator = text

    def warn(self, error: NotationError, at: int) -> None:
        """Store the finding."""
        self.findings.append(Finding(error, at))

    def fail(self, error: NotationError, at: int) -> None:
        """Store the failure."""
        self.fault, self.fault_at = error, at
