"""Mining: problems found in the positions of games.

Each position of a game is searched briefly. Where one move alone seems to win or to draw, a larger search has
to say the same, then one that is ten times as large; the solution is then played on against the best defence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from crownhead.engine import Engine
from crownhead.engine.engine import MAX_PIECES_WITH_TABLES
from crownhead.engine.tables.available import available
from crownhead.engine.tables.folders import allows_tables
from crownhead.notation.moves import write_full
from crownhead.problems.games import Origin
from crownhead.problems.judging import LENIENT, Judge, Judgement, goal_of
from crownhead.problems.problem import Evidence, Problem, Proof, key_of
from crownhead.problems.solving import Solution, solution_of
from crownhead.problems.themes import themes_of
from crownhead.rules import Position
from crownhead.rules.errors import TooManyCaptures

TIMES_MORE = 10  # what the search that confirms a problem has more than the one that found it
_MIN_CHECKED = 50_000  # nodes that a proof counts for, where endgame tables have cut its search short
PIECES_OF_TABLES = 4  # with which problems are mined
_MIN_PLIES = 3  # of a solution that only a search has found
_MIN_APART = 12  # plies between two problems of a game


@dataclass(frozen=True, slots=True)
class Effort:
    """How hard to look.

    Nodes of the ``brief`` search of each position, of that by which one is ``judged``, and of those for each
    move that ``followed``; the most problems of a game, and the plies ``skipped`` at its start.
    """

    brief: int = 4_000
    judged: int = 100_000
    followed: int = 30_000
    most_in_game: int = 2
    skipped: int = 8  # plies at the start of a game


def mine(engine: Engine, games: Iterable[Origin], effort: Effort | None = None) -> Iterator[Problem]:
    """The problems of games of the engine's variant, each position once.

    The same games give the same problems every time. The first position of a game that does not begin at the
    start, such as a composed problem, is judged whatever a brief search says.
    """
    effort, judge, known = effort or Effort(), Judge(engine), set[str]()
    for game in games:
        engine.forget()
        count = 0
        next_ply = 0 if game.is_set_up else effort.skipped
        for ply, position in enumerate(game.positions):
            if count == effort.most_in_game:
                break
            if ply < next_ply or key_of(engine.variant.key, position.fen()) in known:
                continue
            is_composed = game.is_set_up and ply == 0
            if not is_composed and not _is_promising(engine, position, effort.brief):
                continue
            source = game.name if is_composed else f"{game.name}, ply {ply}"
            problem = _found(judge, position, source, effort)
            if problem is not None:
                known.add(problem.key)
                count, next_ply = count + 1, ply + _MIN_APART
                yield problem


def _found(judge: Judge, position: Position, source: str, effort: Effort) -> Problem | None:
    try:
        return problem_of(judge, position, source, nodes=effort.judged, followed=effort.followed)
    except TooManyCaptures:
        return None


def problem_of(judge: Judge, position: Position, source: str, *, nodes: int, followed: int) -> Problem | None:
    """The problem in a position: judged with so many ``nodes``, and again with ten times as many.

    None: there is none, or it is too easy.
    """
    found = judge.judge(position, nodes=nodes)
    if found is None or _is_plain(position, found):
        return None
    again = judge.judge(position, nodes=TIMES_MORE * nodes)
    if again is None or again.move != found.move or again.goal.is_level is not found.goal.is_level:
        return None
    solution = solution_of(judge, position, found.move, nodes=followed)
    if len(solution.moves) < _MIN_PLIES and again.evidence is Evidence.SEARCH:
        return None
    moves = tuple(write_full(*pair) for pair in zip(solution.positions, solution.moves, strict=False))
    return Problem(
        variant=position.variant_key,
        fen=position.fen(),
        goal=again.goal,
        line=moves,
        themes=themes_of(solution.positions, solution.moves),
        difficulty=difficulty_of(found, solution),
        proof=Proof(again.evidence, again.depth, found.nodes, again.nodes, again.best, again.second),
        source=source,
    )


def problem_if_it_stands(judge: Judge, position: Position, source: str, effort: Effort) -> Problem | None:
    """The problem in a position, if a search of ten times the nodes of its proof confirms it; else None."""
    problem = _found(judge, position, source, effort)
    if problem is None or not is_confirmed(judge, problem, nodes=nodes_to_check(problem)):
        return None
    return problem


def nodes_to_check(problem: Problem) -> int:
    """Ten times the nodes of its proof; more where endgame tables made do with a few."""
    return max(TIMES_MORE * problem.proof.checked, TIMES_MORE * _MIN_CHECKED)


def difficulty_of(found: Judgement, solution: Solution) -> int:
    """How hard a problem is, on the scale of ratings: an estimate.

    It grows with the depth from which a search prefers the move, the length of the solution and the number of
    moves to choose from. A first move that is no capture is harder to see, and more so if it gives a piece.
    """
    moves, choices = solution.moves, len(solution.positions[0].legal_moves())
    hidden = 0 if moves[0].captures else 100
    given = 100 if hidden and len(moves) > 1 and moves[1].captures else 0
    estimate = 800 + 60 * found.solved_at + 70 * (len(moves) // 2) + 12 * min(choices, 20) + hidden + given
    return min(2600, estimate)


def is_confirmed(judge: Judge, problem: Problem, *, nodes: int) -> bool:
    """Whether a search of so many nodes still finds the move of a problem the only one."""
    position = problem.position()
    found = judge.judge(position, nodes=nodes, margins=LENIENT)
    if found is None or found.move != position.parse(problem.line[0]):
        return False
    return found.goal.is_level is problem.goal.is_level


def awaits_tables(problem: Problem) -> bool:
    """Whether a search may fail to confirm a problem only because endgame tables are missing here.

    A problem is mined with tables of four pieces, where the laws allow any.
    """
    if len(problem.position().pieces) > MAX_PIECES_WITH_TABLES or not allows_tables(problem.variant):
        return False
    tables = available(problem.variant)
    return tables is None or tables.most < PIECES_OF_TABLES


def _is_promising(engine: Engine, position: Position, nodes: int) -> bool:
    try:
        if len(position.legal_moves()) < 2:
            return False
        return goal_of(engine.analyse(position, nodes=nodes, lines=2), LENIENT) is not None
    except TooManyCaptures:
        return False


def _is_plain(position: Position, found: Judgement) -> bool:
    """A capture that everybody sees: it takes most, and the shallowest search prefers it."""
    most = max(len(move.captures) for move in position.legal_moves())
    return 0 < len(found.move.captures) == most and found.solved_at <= 2
