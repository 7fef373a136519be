"""Turning a record into a game: variant, start position, moves and result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

from crownhead._kernel import Move
from crownhead.notation import moves
from crownhead.notation.numberings import Numbering
from crownhead.notation.pdn import results
from crownhead.notation.pdn.game_type import variant_from_tags
from crownhead.notation.pdn.start import start_position
from crownhead.notation.pdn.visitor import Finding, GameRecord
from crownhead.rules.errors import AmbiguousMove, CrownheadError, IllegalMove, NotationError
from crownhead.rules.game import Game
from crownhead.rules.position import Position
from crownhead.rules.schema import Variant

RECORD_DRAW_RULES = "none"  # draw rules: players have sometimes played on after a draw by rule

_MAX_AMBIGUOUS = 100  # findings up to which ambiguous steps are resolved; the most in practice is 3
_MAX_READINGS = 64  # alternative lines followed at the same time
_FARTHEST = 400  # plies for which they are followed
_MAX_HOPS = 40  # maximum jumps of one capture, written one by one

Steps = Sequence[tuple[str, int]]  # move texts and where they begin


class ReplayError(Exception):
    """A record cannot be replayed: the cause, its index in the text, and the game up to there."""

    def __init__(self, cause: CrownheadError, at: int, game: Game | None = None) -> None:
        super().__init__(str(cause))
        self.cause = cause
        self.at = at
        self.game = game  # None if its start position is not known


class UnresolvedMove(ReplayError):
    """A step matches several moves, and later moves do not resolve it; the game can be kept up to there."""

    def __init__(self, cause: AmbiguousMove, step: tuple[str, int], readings: Sequence[str]) -> None:
        """``readings`` are the matching moves."""
        super().__init__(cause, step[1])
        expected = f"later moves that distinguish {' from '.join(readings)} (the game is kept up to there)"
        self._error = NotationError(expected, step[0])

    def finding(self, *, is_last: bool) -> Finding:
        """Return the finding: a warning if later steps are lost, else an info message."""
        return Finding(self._error, self.at, is_info=is_last)


def game_of(record: GameRecord, default: Variant, numbering: Numbering = Numbering.NATIVE) -> Game:
    """Return the game of a record; ``default`` is used if it names no variant.

    Raises ``ReplayError`` with the game up to the fault.
    """
    if record.fault is not None:
        before = game_before(record, record.fault_at, default, numbering)
        raise ReplayError(record.fault, record.fault_at, before)
    start = start_of(record, default, numbering)
    steps, result = ended(record)
    game = Game(start.variant, start=start, draw_rules=RECORD_DRAW_RULES)
    game.tags.update(record.tags)
    try:
        _replay(game, steps, record.findings, numbering)
    except UnresolvedMove as unresolved:
        record.findings.append(unresolved.finding(is_last=unresolved.at == steps[-1][1]))
    except ReplayError as fault:
        fault.game = game
        raise
    conclude(game, record.tags, result)
    return game


def game_before(
    record: GameRecord, at: int, default: Variant, numbering: Numbering = Numbering.NATIVE
) -> Game | None:
    """Return the game of the moves before an index in the text, as far as they are legal.

    None if the start position is not known.
    """
    game: Game | None = None
    steps = [step for step in record.moves if step[1] < at]
    with suppress(ReplayError):
        start = start_of(record, default, numbering)
        game = Game(start.variant, start=start, draw_rules=RECORD_DRAW_RULES)
        game.tags.update(record.tags)
        _replay(game, steps, record.findings, numbering)
    return game


def start_of(record: GameRecord, default: Variant, numbering: Numbering = Numbering.NATIVE) -> Position:
    """Return the start position of a record; raises ``ReplayError``."""
    try:
        variant = variant_from_tags(record.tags, default)
        fen = record.tags.get("FEN", "")
        if not fen.strip():
            return Position.start(variant)
        position, corrected = start_position(fen, variant, numbering)
    except CrownheadError as error:
        raise ReplayError(error, record.at) from error
    if corrected is not None:
        record.findings.append(Finding(corrected, record.at, is_info=True))
    return position


def opened_by(variant: Variant, tags: Mapping[str, str]) -> int:
    """Return how many plies of a record belong to a drawn opening."""
    return 0 if tags.get("FEN", "").strip() else variant.opening_plies


def ended(record: GameRecord) -> tuple[Steps, str]:
    """Return the moves and terminator of a record; a last move such as ``4-6`` may be the result."""
    recorded = record.tags.get("Result", "").strip()
    if not record.terminator and record.moves and record.moves[-1][0] == recorded:
        text, at = record.moves[-1]
        record.findings.append(Finding(NotationError("a result such as '1-0' or '*'", text), at))
        return record.moves[:-1], text
    meanings = [results.meaning(text) for text in (recorded, record.terminator)]
    if None not in meanings and meanings[0] != meanings[1]:
        conflict = NotationError(f"the result {recorded!r} of the tag", record.terminator)
        record.findings.append(Finding(conflict, record.at, is_info=True))
    return record.moves, record.terminator


def choose(
    position: Position,
    steps: Steps,
    index: int,
    findings: list[Finding],
    numbering: Numbering = Numbering.NATIVE,
) -> tuple[Move, int]:
    """Return the move for a step, and the number of steps used (several if jumps are written one by one).

    If the step is ambiguous, later steps decide, and a finding reports that. Raises ``ReplayError``, and
    ``UnresolvedMove`` if they do not decide it.
    """
    text, at = steps[index]
    try:
        try:
            return moves.parse(position, text, numbering), 1
        except AmbiguousMove as error:
            if len(findings) >= _MAX_AMBIGUOUS:
                raise
            move = _settled(position, steps[index : index + _FARTHEST], error, numbering)
            findings.append(Finding(error, at, is_info=True))
            return move, 1
        except IllegalMove:
            joined = _joined(position, steps[index : index + _MAX_HOPS], numbering)
            if joined is None:
                raise
            return joined
    except CrownheadError as error:
        raise ReplayError(error, at) from error


def conclude(game: Game, tags: Mapping[str, str], result: str) -> None:
    """Declare the recorded result unless the moves decide the game; ``result`` is the terminator."""
    tag = tags.get("Result", "").strip()
    text = tag if results.is_known(tag) else result
    outcome = results.outcome_of(text, variant=game.variant, termination=tags.get("Termination", ""))
    if outcome is not None and game.outcome() is None:
        game.end(outcome)


def _replay(game: Game, steps: Steps, findings: list[Finding], numbering: Numbering) -> None:
    """Play the steps, the first of which may be a drawn opening."""
    given = opened_by(game.variant, game.tags)
    try:
        _play(game, steps[:given], findings, numbering)
    finally:
        game.opening_plies = len(game.moves)
    _play(game, steps[given:], findings, numbering)


def _play(game: Game, steps: Steps, findings: list[Finding], numbering: Numbering) -> None:
    index = 0
    while index < len(steps):
        text, at = steps[index]
        try:
            game.push(text if numbering is Numbering.NATIVE else moves.parse(game.position, text, numbering))
            index += 1
        except (AmbiguousMove, IllegalMove):
            move, used = choose(game.position, steps, index, findings, numbering)
            game.push(move)
            index += used
        except CrownheadError as error:
            raise ReplayError(error, at) from error


def _settled(position: Position, steps: Steps, error: AmbiguousMove, numbering: Numbering) -> Move:
    """Return the only meaning of an ambiguous first step after which all others are legal.

    Raises ``error`` if there is none, ``UnresolvedMove`` if there are several.
    """
    lines = [(move, position.play(move)) for move in moves.matching(position, steps[0][0], numbering)]
    for text, _ in steps[1:]:
        lines = [
            (first, here.play(move))
            for first, here in lines
            for move in moves.matching(here, text, numbering)
        ]
        if len({first for first, _ in lines}) <= 1 or len(lines) > _MAX_READINGS:
            break
    firsts = sorted({first for first, _ in lines}, key=lambda move: move.path)
    if not firsts:
        raise error
    if len(firsts) > 1:
        readings = [moves.write_full(position, move, numbering) for move in firsts]
        raise UnresolvedMove(error, steps[0], readings)
    return firsts[0]


def _joined(position: Position, steps: Steps, numbering: Numbering) -> tuple[Move, int] | None:
    """Return the capture whose jumps are written one by one, and the number of steps."""
    path: tuple[int, ...] = ()
    for used, (text, _) in enumerate(steps, start=1):
        try:
            hop = moves.read_squares(text, position.variant, numbering)
        except NotationError:
            return None
        if path and hop[0] != path[-1]:
            return None
        path = (*path, *hop[1:]) if path else hop
        found = [move for move in moves.find(position, path) if move.captures] if used > 1 else []
        if len(found) == 1:
            return found[0], used
    return None
