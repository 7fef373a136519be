"""Problems as pages show them: the board, the goal, the line so far, how a member does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

import crownhead
from crownhead import CrownheadError, Move, Position, Variant
from crownhead.problems.problem import Evidence, Goal, Problem, ProblemTheme
from crownhead.rules.lookup import variant_of
from crownhead.server.analysis.access import Requester
from crownhead.server.core.problems import TooMany
from crownhead.server.play.presenters import games
from crownhead.server.play.presenters.board.boards import BoardPresenter, GameBoard, hint
from crownhead.server.play.presenters.board.diagrams import Diagram, bottom_of, diagram
from crownhead.server.play.presenters.board.moves import crowned_under_way, touched
from crownhead.server.play.presenters.board.touch import BoardQuery, Touch, bottom_side
from crownhead.server.play.presenters.board.words import move_texts, side
from crownhead.server.play.presenters.games import Row
from crownhead.server.problems import selectors
from crownhead.server.problems.models import Attempt
from crownhead.server.problems.selectors.barred import BarredProblems

_THEMES: dict[ProblemTheme, str | Promise] = {
    ProblemTheme.SHOT: gettext_lazy("Shot"),
    ProblemTheme.BREAKTHROUGH: gettext_lazy("Breakthrough"),
    ProblemTheme.BRIDGE: gettext_lazy("Bridge"),
    ProblemTheme.OPPOSITION: gettext_lazy("Opposition"),
    ProblemTheme.ENDING: gettext_lazy("Ending"),
}
_GOALS: dict[Goal, str | Promise] = {
    Goal.WIN: gettext_lazy("%(side)s to move and win."),
    Goal.GAIN: gettext_lazy("%(side)s to move and gain a decisive advantage."),
    Goal.DRAW: gettext_lazy("%(side)s to move and draw."),
    Goal.HOLD: gettext_lazy("%(side)s to move and hold the game. Only one move does."),
}
_FAILURES: dict[Goal, str | Promise] = {
    Goal.WIN: gettext_lazy("%(move)s doesn't win."),
    Goal.GAIN: gettext_lazy("%(move)s doesn't gain a decisive advantage."),
    Goal.DRAW: gettext_lazy("%(move)s doesn't draw."),
    Goal.HOLD: gettext_lazy("%(move)s doesn't hold the game."),
}


@dataclass(frozen=True, slots=True)
class ProblemCard:
    """A problem as a small board with its goal."""

    key: str
    variant: Variant
    diagram: Diagram
    goal: str
    themes: tuple[str, ...]
    difficulty: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemPage:
    """A problem on its page.

    ``moves`` is the beginning of the solution that has been played, as forms carry it; ``chosen`` the move
    that is touched so far; ``feedback`` what came of the last move; ``refuted`` the wrong move that was just
    tried, for a script that looks for the best answer to it.
    """

    problem: Problem
    variant: Variant
    board: BoardPresenter
    goal: str
    themes: tuple[str, ...]
    rows: tuple[Row, ...]
    moves: str
    chosen: str
    hint: str
    feedback: str
    refuted: Mapping[str, Any] | None
    spoken: str
    over: bool
    proof: str
    attempt: Attempt | None
    board_query: BoardQuery
    flip: str
    again: str
    analysis: str


@dataclass(frozen=True, slots=True)
class PracticePage:
    """The page of problems that the browser judges: the first of them, and the data of its script."""

    variant: Variant
    board: BoardPresenter
    first: Problem
    goal: str
    count: int
    others: str
    data: Mapping[str, Any]


def theme_name(theme: ProblemTheme) -> str:
    """What a theme is called."""
    return str(_THEMES[theme])


def goal_sentence(problem: Problem) -> str:
    """What is to be reached, and by whom."""
    position = problem.position()
    return str(_GOALS[problem.goal]) % {"side": side(position.turn, position.variant)}


def card(problem: Problem) -> ProblemCard:
    """A problem for a list, or for the front page."""
    position = problem.position()
    return ProblemCard(
        key=problem.key,
        variant=position.variant,
        diagram=diagram(position, bottom=bottom_of(position.variant, position.turn)),
        goal=goal_sentence(problem),
        themes=tuple(theme_name(theme) for theme in problem.themes),
        difficulty=problem.difficulty,
    )


def address(problem: Problem, played: Sequence[str], **values: str) -> str:
    """The address of a problem after some moves of its solution."""
    query = {"moves": " ".join(played), **values}
    asked = urlencode({name: value for name, value in query.items() if value})
    return reverse("problems:problem", args=[problem.key]) + (f"?{asked}" if asked else "")


def daily_card(now: datetime, player: Requester) -> ProblemCard | None:
    """The problem of the day, as ``problems/daily.html`` shows it on any page.

    None where a running game of the player bars it, or there are too many of them to say so at once.
    """
    problem = selectors.daily(now)
    try:
        return None if problem in BarredProblems(player) else card(problem)
    except TooMany:
        return None


def problem_page(
    problem: Problem,
    played: Sequence[str],
    board_query: BoardQuery,
    *,
    wrong: str = "",
    revealed: bool = False,
    attempt: Attempt | None = None,
    plays_here: bool = False,
) -> ProblemPage:
    """The page after some moves of the solution; ``wrong`` is a move that was none, just tried."""
    variant, flip = variant_of(problem.variant), "1" if board_query.flip else ""
    record = crownhead.Game(variant, start=problem.fen, draw_rules="none")
    for move in played:
        record.push(move)
    over = len(played) == len(problem.line)
    table = GameBoard(
        replay=record,
        bottom=bottom_side(bottom_of(variant, record.start.turn), board_query),
        ply=len(played),
        touch=Touch() if over else touched(record.position, board_query.at),
        at_once=True,
    )
    tried = None if over else _legal(record.position, wrong)
    feedback = _feedback(played, over=over, revealed=revealed)
    if tried is not None:
        feedback = _refusal(problem, record.position, tried)
    return ProblemPage(
        problem=problem,
        variant=variant,
        board=table.presenter(),
        goal=goal_sentence(problem),
        themes=tuple(theme_name(theme) for theme in problem.themes),
        rows=games.rows(record, record.notations(), ply=len(played)),
        moves=" ".join(played),
        chosen=table.touch.chosen_text,
        hint=hint(table, board_query),
        feedback=feedback,
        refuted=None if tried is None else _refuted(problem, record.position, tried, plays_here=plays_here),
        spoken=f"{table.last_sentence} {feedback}".strip(),
        over=over,
        proof=_proof(problem),
        attempt=attempt,
        board_query=board_query,
        flip=address(problem, played, flip="" if flip else "1"),
        again=address(problem, (), flip=flip) if played else "",
        analysis=f"{reverse('pages:analysis')}?{urlencode({'variant': problem.variant, 'fen': problem.fen})}",
    )


def practice_page(
    found: Sequence[Problem], others: Mapping[str, str], *, plays_here: bool = False
) -> PracticePage:
    """Problems of one variant and side to move, at least one; ``others``: the query of other ones."""
    first = found[0]
    variant = variant_of(first.variant)
    record = crownhead.Game(variant, start=first.fen, draw_rules="none")
    table = GameBoard(
        replay=record,
        bottom=bottom_of(variant, record.start.turn),
        ply=0,
        touch=touched(record.position),
        at_once=True,
    )
    data = {
        **_engine_data(variant, plays_here=plays_here),
        "startsLate": record.start.turn is not variant.start.first,
        "texts": {**move_texts(), **_answer_texts(), **_practice_texts(len(found))},
        "problems": [
            {
                "fen": problem.fen,
                "goal": goal_sentence(problem),
                "failure": _failure(problem, "{move}"),
                "line": problem.line,
                "difficulty": problem.difficulty,
                "link": address(problem, ()),
            }
            for problem in found
        ],
    }
    return PracticePage(
        variant=variant,
        board=table.presenter(),
        first=first,
        goal=goal_sentence(first),
        count=len(found),
        others=f"{reverse('problems:practice')}?{urlencode(others)}",
        data=data,
    )


def _engine_data(variant: Variant, *, plays_here: bool) -> dict[str, Any]:
    """What a script needs to play a variant, and to look for the best answer to a wrong move.

    ``guard``: where it asks first whether the reader plays such a position; empty for who has no games here.
    """
    api = f"/api/v1/variants/{variant.key}"
    return {
        "variant": variant.key,
        "rules": f"{api}/rules",
        "weights": f"{api}/weights",
        "guard": reverse("pages:analysis_guard") if plays_here else "",
        "crowning": crowned_under_way(variant),
        "kingRun": variant.rules.king_run,
    }


def _refuted(problem: Problem, position: Position, tried: Move, *, plays_here: bool) -> dict[str, Any]:
    """A wrong move, and what a script needs to show the best answer to it."""
    return {
        **_engine_data(position.variant, plays_here=plays_here),
        "fen": position.fen(),
        "path": tried.path,
        "captures": tried.captures,
        "failure": _failure(problem, position.notation(tried)),
        "texts": {**move_texts(), **_answer_texts()},
    }


def _answer_texts() -> dict[str, str]:
    """What a script says of the answer to a wrong move; gaps are written ``{name}``."""
    return {
        "answers": _("%(side)s answers %(move)s.") % {"side": "{side}", "move": "{move}"},
        "looking": _("Looking for the best answer …"),
        "choose-again": _("Choose a piece to try again."),
        "again": _("Try again."),
    }


def _practice_texts(count: int) -> dict[str, str]:
    """What the script says; gaps are written ``{name}``."""
    return {
        "right": _("Right! Go on."),
        "solved": _("Solved!"),
        "shown": _("This is the solution."),
        "number": _("Problem {number} of %(count)s") % {"count": count},
        "count": _("Solved on the first try: {count}"),
        "no-such-move": _("{move} is not a legal move here."),
        "unavailable": _(
            "This browser can't check solutions by itself. Follow the link to solve this problem."
        ),
    }


def _feedback(played: Sequence[str], *, over: bool, revealed: bool) -> str:
    if over:
        return _("This is the solution.") if revealed else _("Solved!")
    return _("Right! Go on.") if played else ""


def _legal(position: Position, text: str) -> Move | None:
    """The move that a text means; None where it means no legal one."""
    try:
        return position.parse(text) if text else None
    except CrownheadError:
        return None


def _failure(problem: Problem, move: str) -> str:
    """What a move that is not the solution doesn't reach."""
    return str(_FAILURES[problem.goal]) % {"move": move}


def _refusal(problem: Problem, position: Position, tried: Move) -> str:
    """That a move doesn't do, with the answer to it if there is only one: no page is made by thinking."""
    said = [_failure(problem, position.notation(tried))]
    after = position.play(tried)
    if len(answers := after.legal_moves()) == 1:
        facts = {"side": side(after.turn, after.variant), "move": after.notation(answers[0])}
        said.append(_("%(side)s must answer %(move)s.") % facts)
    return " ".join((*said, _("Try again.")))


def _proof(problem: Problem) -> str:
    proof = problem.proof
    if proof.evidence is Evidence.TABLE:
        return _("Proven by endgame tables.")
    facts = {"depth": proof.depth, "nodes": f"{proof.checked:,}"}
    if proof.evidence is Evidence.FORCED:
        return _("Proven: every defence loses; a search of %(nodes)s positions found it.") % facts
    return _("Checked by a search of %(nodes)s positions, %(depth)s plies deep.") % facts
