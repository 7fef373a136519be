"""The planner's page: a separate board on which lines of conditional moves are built move by move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _

import crownhead
from crownhead import Colour, CrownheadError
from crownhead.server.core.problems import Unprocessable
from crownhead.server.pages.presenters.analysis_data import rules_in_the_browser
from crownhead.server.play.plans.presenters import LinePresenter, PlanPresenter, present_line
from crownhead.server.play.plans.selectors.lines import Line, parse_lines
from crownhead.server.play.presenters.board.boards import BoardPresenter, GameBoard, hint
from crownhead.server.play.presenters.board.diagrams import bottom_of
from crownhead.server.play.presenters.board.moves import crowned_under_way, touched
from crownhead.server.play.presenters.board.touch import BoardQuery, bottom_side
from crownhead.server.play.presenters.board.words import move_texts, side
from crownhead.server.play.presenters.games import my_colour
from crownhead.server.play.presenters.state import GameState
from crownhead.server.play.problems.reasons import play_typed


@dataclass(frozen=True, slots=True)
class Draft:
    """A line being built from the position after ``ply`` moves of the game."""

    game_id: str
    ply: int
    moves: Line
    record: crownhead.Game
    refused: str = ""  # why the move that was typed is not played

    @classmethod
    def of(cls, query: QueryDict, replay: crownhead.Game, game_id: str) -> Draft:
        """Play the moves of a query on a separate board.

        Raises ``Unprocessable`` if one is illegal, but for the one just typed.
        """
        ply = query.get("ply", "")
        if ply and ply != str(len(replay.moves)):
            raise Unprocessable(_("There is a new move: this is the current position."))
        lines = parse_lines([query.get("line", "")])
        moves = lines[0] if lines else ()
        trial = crownhead.Game(replay.variant, start=replay.position.fen(), draw_rules="none")
        try:
            for move in moves:
                trial.push(move)
            refused = play_typed(trial, query.get("move", "").strip())
        except CrownheadError as error:
            raise Unprocessable(_("That move isn't possible here.")) from error
        return cls(game_id, len(replay.moves), trial.notations(), trial, refused)

    @property
    def text(self) -> str:
        """The moves as a form carries them."""
        return " ".join(self.moves)

    def address(self, moves: Line | None = None, *, flip: bool) -> str:
        """The planner with other moves on its board."""
        line = " ".join(self.moves if moves is None else moves)
        values = {"ply": str(self.ply), "line": line, "flip": "1" if flip else ""}
        query = urlencode({name: value for name, value in values.items() if value})
        return f"{reverse('pages:plan', args=[self.game_id])}?{query}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannerPage:
    """What the planner shows.

    ``onward``: where the move on the board leads; ``complete``: the line can be saved.
    """

    draft: Draft
    board: BoardPresenter
    dark_side: str
    line: LinePresenter
    plan: PlanPresenter
    task: str
    hint: str
    spoken: str
    chosen: str
    onward: str
    complete: bool
    back: str
    again: str
    flip: str
    mine: str
    other: str
    board_query: BoardQuery
    lines: tuple[tuple[LinePresenter, str], ...]


def planner_page(state: GameState, draft: Draft, plan: PlanPresenter, board_query: BoardQuery) -> PlannerPage:
    """The page; the touched squares may complete a move, which is then added to the line."""
    mine = my_colour(state) or state.variant.start.first
    own = state.turn == state.viewer_seat
    table = _table(draft, mine, board_query)
    board, text = table.presenter(), table.touch.chosen_text
    made = text and not table.touch.targets
    count = len(draft.moves)
    colours = side(mine, state.variant), side(mine.opponent, state.variant)
    last = draft.moves[-1] if count else ""
    task = _tasks(colours[1])[_task(draft, mine, own=own)].replace("{move}", last)
    return PlannerPage(
        draft=draft,
        board=board,
        dark_side=board.dark_side,
        line=present_line(draft.moves, own=own),
        plan=plan,
        task=task,
        hint=hint(table, board_query),
        spoken=f"{table.last_sentence if count else ''} {task}".strip(),
        chosen=text,
        onward=draft.address((*draft.moves, text), flip=board_query.flip) if made else "",
        complete=count >= 2 + own and count % 2 == own,
        back=draft.address(draft.moves[:-1], flip=board_query.flip) if count else "",
        again=draft.address((), flip=board_query.flip) if count else "",
        flip=draft.address(flip=not board_query.flip),
        mine=colours[0],
        other=colours[1],
        board_query=board_query,
        lines=tuple(
            (line, draft.address(tuple(line.text.split()), flip=board_query.flip)) for line in plan.lines
        ),
    )


def _table(draft: Draft, mine: Colour, board_query: BoardQuery) -> GameBoard:
    record = draft.record
    return GameBoard(
        replay=record,
        bottom=bottom_side(bottom_of(record.variant, mine), board_query),
        ply=len(record.moves),
        touch=touched(record.position, board_query.at),
        at_once=True,
        mode="plan",
    )


def planner_data(page: PlannerPage, state: GameState) -> dict[str, Any]:
    """What the script of the page knows; gaps in the texts are written ``{name}``."""
    draft, variant = page.draft, page.draft.record.variant
    return {
        "start": draft.record.start.fen(),
        "own": state.turn == state.viewer_seat,
        "ply": draft.ply,
        "longest": page.plan.longest,
        "address": reverse("pages:plan", args=[draft.game_id]),
        **rules_in_the_browser(variant),
        "crowning": crowned_under_way(variant),
        "kingRun": variant.rules.king_run,
        "texts": {
            **move_texts(),
            **_tasks(page.other),
            "empty": _("Your line appears here."),
            "too-long": _("This line can't be any longer."),
            "if": _("if"),
            "then": _("then"),
            "after": _("after"),
        },
    }


def _tasks(other: str) -> dict[str, str]:
    """What there may be to do on the planner's board."""
    return {
        "over": _("The game would be over here."),
        "condition": _("Choose a move for %(side)s.") % {"side": other},
        "save": _("Save the line, or choose the next move for %(side)s.") % {"side": other},
        "intend": _("Choose the move you intend to make. It won't be played for you."),
        "answer": _("Choose your answer to %(move)s.") % {"move": "{move}"},
    }


def _task(draft: Draft, mine: Colour, *, own: bool) -> str:
    """The key of what there is to do next."""
    record, count = draft.record, len(draft.moves)
    if record.outcome():
        return "over"
    if record.turn is not mine:
        return "condition" if count < 2 else "save"
    return "intend" if own and not count else "answer"
