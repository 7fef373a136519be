"""Whether one move alone wins or draws: the best two moves of a search, compared."""

from __future__ import annotations

from dataclasses import dataclass

from crownhead.engine import Engine, Report
from crownhead.engine.tables import Result
from crownhead.problems.problem import Evidence, Goal
from crownhead.rules import Move, Position

_MAX_DRAWN = 30  # hundredths of a man: a search calls a position level up to this score


@dataclass(frozen=True, slots=True)
class Margins:
    """Scores in hundredths of a man: what wins, what does no longer, and what is lost."""

    winning: int
    not_winning: int
    lost: int


STRICT = Margins(winning=150, not_winning=40, lost=-150)  # to accept a problem
LENIENT = Margins(winning=120, not_winning=80, lost=-120)  # what one that was accepted must keep


@dataclass(frozen=True, slots=True)
class Judgement:
    """The only good move of a position, and how well it is known.

    ``solved_at`` is the depth in plies from which on the search preferred this move by a clear margin.
    """

    move: Move
    goal: Goal
    evidence: Evidence
    best: int
    second: int
    depth: int
    nodes: int
    solved_at: int


class Judge:
    """Judges positions of one variant by searches of a fixed number of nodes; the same every time."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def judge(self, position: Position, *, nodes: int, margins: Margins = STRICT) -> Judgement | None:
        """The only move that wins or draws; None if there is none, or another does as well."""
        if len(position.legal_moves()) < 2:
            return None
        self.engine.forget()
        deeper: list[tuple[int, Move, int]] = []

        def note(report: Report) -> None:
            if len(report.lines) > 1:
                lead = report.lines[0].score.value - report.lines[1].score.value
                deeper.append((report.depth, report.lines[0].moves[0], lead))

        report = self.engine.analyse(position, nodes=nodes, lines=2, on_report=note)
        found = goal_of(report, margins)
        if found is None:
            return None
        goal, evidence = found
        best, second = (line.score.value for line in report.lines)
        move = report.expect_move()
        clear = (margins.winning - margins.not_winning) // 2
        solved_at = report.depth
        for depth, preferred, lead in reversed(deeper):
            if preferred != move or lead < clear:
                break
            solved_at = depth
        return Judgement(move, goal, evidence, best, second, report.depth, report.nodes, solved_at)

    def defence(self, position: Position, *, nodes: int) -> Move | None:
        """The best move of the other side; None where the game is over."""
        self.engine.forget()
        return self.engine.analyse(position, nodes=nodes).move


def goal_of(report: Report, margins: Margins) -> tuple[Goal, Evidence] | None:
    """What the best move of a report of two lines reaches and the second does not; None: nothing."""
    if len(report.lines) < 2:
        return None
    best, second = report.lines[0].score, report.lines[1].score
    result = None if report.verdict is None else report.verdict.result
    if best.value >= margins.winning and second.value <= margins.not_winning:
        if result is Result.WIN:
            return Goal.WIN, Evidence.TABLE
        return (Goal.WIN, Evidence.FORCED) if best.is_forced else (Goal.GAIN, Evidence.SEARCH)
    if abs(best.value) <= _MAX_DRAWN and second.value <= margins.lost:
        return (Goal.DRAW, Evidence.TABLE) if result is Result.DRAW else (Goal.HOLD, Evidence.SEARCH)
    return None
