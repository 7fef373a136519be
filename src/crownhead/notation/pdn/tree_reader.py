"""Reading game trees: a visitor collects the record with its variations, which is then replayed."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field

from crownhead.notation import fen
from crownhead.notation.numberings import Numbering
from crownhead.notation.pdn.conventions import Conventions
from crownhead.notation.pdn.game_type import variant_tags
from crownhead.notation.pdn.reader import PdnError, PdnWarning, Reader, replayed
from crownhead.notation.pdn.replay import (
    ReplayError,
    Steps,
    UnresolvedMove,
    choose,
    ended,
    game_before,
    start_of,
)
from crownhead.notation.pdn.source import Source, checked
from crownhead.notation.pdn.start import start_fen
from crownhead.notation.pdn.tree import GameTree, Node
from crownhead.notation.pdn.visitor import Finding, GameRecord
from crownhead.notation.pdn.writer import single_blanks
from crownhead.rules.errors import CrownheadError, NotationError
from crownhead.rules.lookup import AUTO
from crownhead.rules.position import Position
from crownhead.rules.schema import Variant

_LOOKAHEAD = 400  # steps considered to resolve an ambiguous one


@dataclass(slots=True)
class _Step:
    """A move or a FEN, with its annotations."""

    text: str
    at: int
    is_setup: bool = False
    strength: str = ""
    nags: list[int] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    before: list[str] = field(default_factory=list)
    variations: list[list[_Step]] = field(default_factory=list)


@dataclass(slots=True)
class _Line:
    """A line being read; ``leading`` holds the comments before its first step."""

    steps: list[_Step] = field(default_factory=list)
    leading: list[str] = field(default_factory=list)


@dataclass(slots=True)
class TreeRecord(GameRecord):
    """Collects a whole record with unparsed moves; ``moves`` are those of the main line."""

    lines: list[_Line] = field(default_factory=lambda: [_Line()])  # the open lines, innermost last
    wants_variations = True

    def move(self, text: str, at: int) -> None:
        """Add the move to its line."""
        if len(self.lines) == 1:
            self.moves.append((text, at))
        self._add(_Step(text, at))

    def strength(self, text: str, at: int) -> None:  # noqa: ARG002
        """Set the annotation of the last move."""
        if self.lines[-1].steps:
            self.lines[-1].steps[-1].strength = text

    def nag(self, number: int, at: int) -> None:  # noqa: ARG002
        """Add the NAG to the last move."""
        if self.lines[-1].steps:
            self.lines[-1].steps[-1].nags.append(number)

    def comment(self, text: str, at: int) -> None:  # noqa: ARG002
        """Add the comment with normalised white space."""
        line = self.lines[-1]
        (line.steps[-1].comments if line.steps else line.leading).append(" ".join(text.split()))

    def setup(self, fen: str, at: int) -> None:
        """Add the position as a step, or use it as the start if no move was played."""
        if len(self.lines) == 1 and not self.lines[0].steps:
            self.tags["FEN"] = fen
        else:
            self._add(_Step(fen, at, is_setup=True))

    def begin_variation(self, at: int) -> None:
        """Open a new line."""
        if not self.lines[-1].steps:
            self.warn(NotationError("a move before its variation", "("), at)
        self.lines.append(_Line())

    def end_variation(self, at: int) -> None:  # noqa: ARG002
        """Close the line; without moves it becomes a comment."""
        line, around = self.lines.pop(), self.lines[-1]
        if not around.steps:
            around.leading += line.leading
        elif line.steps:
            around.steps[-1].variations.append(line.steps)
        else:
            around.steps[-1].comments += line.leading

    def _add(self, step: _Step) -> None:
        line = self.lines[-1]
        if len(self.lines) > 1 and not line.steps:
            step.before, line.leading = line.leading, []
        line.steps.append(step)


def read_trees(
    source: Source,
    *,
    variant: str | Variant = AUTO,
    numbering: Numbering = Numbering.NATIVE,
    on_error: Callable[[PdnError], object] | None = None,
    on_warning: Callable[[PdnWarning], object] | None = None,
) -> Reader[GameTree]:
    """Read the games of a PDN file as trees with comments and variations; otherwise like ``read``.

    A variation with an illegal move is kept up to that move, with a warning.
    """
    return trees_read(source, Conventions.of(variant, numbering), on_error=on_error, on_warning=on_warning)


def trees_read(
    source: Source,
    conventions: Conventions,
    *,
    on_error: Callable[[PdnError], object] | None,
    on_warning: Callable[[PdnWarning], object] | None = None,
) -> Reader[GameTree]:
    """Read trees with conventions that several sources share."""
    origin = checked(source)

    def trees(reader: Reader[GameTree]) -> Generator[GameTree, None, None]:
        return replayed(origin, reader, TreeRecord, tree_of, conventions=conventions)

    return Reader(trees, on_error=on_error, on_warning=on_warning)


def tree_of(record: TreeRecord, default: Variant, numbering: Numbering = Numbering.NATIVE) -> GameTree:
    """The tree of a record; raises ``ReplayError``."""
    try:
        return _tree_of(record, default, numbering)
    except ReplayError as fault:
        put_up = [step.at for step in record.lines[0].steps if step.is_setup]
        fault.game = game_before(record, min([fault.at, *put_up]), default, numbering)
        raise


def _tree_of(record: TreeRecord, default: Variant, numbering: Numbering) -> GameTree:
    if record.fault is not None:
        raise ReplayError(record.fault, record.fault_at)
    start = start_of(record, default, numbering)
    kept, result = ended(record)
    main = record.lines[0]
    is_cut = len(kept) < len(record.moves)  # the last move was actually the result
    steps = main.steps[:-1] if is_cut else main.steps
    line = _nodes(start, steps, record.findings, numbering, leading=main.leading)
    tags = {name: single_blanks(value) for name, value in record.tags.items()}
    if not tags.get("Result", "").strip(" ?"):
        tags["Result"] = result or "*"
    tags |= variant_tags(start.variant, tags)
    if tags.get("FEN", "").strip():
        tags["FEN"] = start_fen(tags["FEN"], start, recorded_in=numbering)
    return GameTree(start.variant, start, tags, main.leading, line)


def _nodes(
    position: Position,
    steps: Sequence[_Step],
    findings: list[Finding],
    numbering: Numbering,
    *,
    leading: list[str] | None = None,
) -> list[Node]:
    """Return the nodes of a line; at an illegal step the main line raises ``ReplayError``, others are cut.

    The main line is the one with ``leading``. If an ambiguous step cannot be resolved, the rest of
    the line is kept as a comment.
    """
    texts, nodes, index = [(step.text, step.at) for step in steps], list[Node](), 0
    ends, rest = _segments(steps), ""
    while index < len(steps):
        before, coming = position, texts[index : min(ends[index], index + _LOOKAHEAD)]
        try:
            node, used = _next(position, steps[index], coming, findings, numbering)
        except UnresolvedMove as unresolved:
            findings.append(unresolved.finding(is_last=index + 1 == len(steps)))
            rest = _as_comment(steps[index:])
            break
        except ReplayError as fault:
            if leading is not None:
                raise
            findings.append(Finding(fault.cause, fault.at))
            break
        position = node.position
        for part in steps[index : index + used]:
            _annotate(node, part, before, findings, numbering)
        nodes.append(node)
        index += used
    comments = nodes[-1].comments if nodes else leading
    if rest and comments is not None:
        comments.append(rest)
    return nodes


def _next(
    position: Position, step: _Step, upcoming: Steps, findings: list[Finding], numbering: Numbering
) -> tuple[Node, int]:
    """Return the node for a step and the number of steps used; raises ``ReplayError``."""
    if step.is_setup:
        try:
            setup = fen.read(step.text, position.variant, numbering)
            return Node(Position.from_setup(setup), before=step.before), 1
        except CrownheadError as error:
            raise ReplayError(error, step.at) from error
    move, used = choose(position, upcoming, 0, findings, numbering)
    return Node(position.play(move), move, before=step.before), used


def _as_comment(steps: Sequence[_Step]) -> str:
    """Return steps with all their annotations as the text of one comment."""
    words: list[str] = []
    for step in steps:
        words += [f"({comment})" for comment in step.before]
        words += [step.text + step.strength, *(f"${nag}" for nag in step.nags)]
        words += [
            f"({comment.replace('[%', '[')})" for comment in step.comments
        ]  # must not be read as a clock of the last move
        words += [f"({_as_comment(variation)})" for variation in step.variations]
    return " ".join(words)


def _segments(steps: Sequence[_Step]) -> list[int]:
    """Return, for each step, the index of the next mid-game setup, or the end."""
    ends, end = [], len(steps)
    for index in range(len(steps) - 1, -1, -1):
        ends.append(end)
        if steps[index].is_setup:
            end = index
    return ends[::-1]


def _annotate(
    node: Node, step: _Step, before: Position, findings: list[Finding], numbering: Numbering
) -> None:
    """Add the annotations of a step to its node; ``before`` is the position before the move."""
    node.strength = step.strength or node.strength
    node.nags += step.nags
    node.comments += step.comments
    lines = (_nodes(before, variation, findings, numbering) for variation in step.variations)
    node.variations += [line for line in lines if line]
