"""The planner's page: a separate board on which lines of conditional moves are built move by move."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _

import crownhead
from crownhead import Colour, CrownheadError
from crownhead.server.core.problems import Unprocessable
from crownhead.server.play.board.diagrams import bottom_of
from crownhead.server.play.board.legal import legal_moves
from crownhead.server.play.board.query import BoardQuery, bottom_side, hint
from crownhead.server.play.board.touch import touch
from crownhead.server.play.board.view import BoardPresenter, BoardView
from crownhead.server.play.board.words import side
from crownhead.server.play.plans.lines import Line, LinePresenter, PlanPresenter, parse_lines, present_line
from crownhead.server.play.presenters.games import my_colour
from crownhead.server.play.presenters.state import GameState


@dataclass(frozen=True, slots=True)
class Draft:
    """A line being built from the position after ``ply`` moves of the game."""

    game_id: str
    ply: int
    moves: Line
    record: crownhead.Game

    @classmethod
    def of(cls, query: QueryDict, replay: crownhead.Game, game_id: str) -> Draft:
        """Play the moves of a query on a separate board; raises ``Unprocessable`` if one is illegal."""
        ply = query.get("ply", "")
        if ply and ply != str(len(replay.moves)):
            raise Unprocessable(_("There is a new move: this is the current position."))
        lines = parse_lines([f"{query.get('line', '')} {query.get('move', '')}"])
        moves = lines[0] if lines else ()
        trial = crownhead.Game(replay.variant, start=replay.position.fen(), draw_rules="none")
        try:
            for move in moves:
                trial.push(move)
        except CrownheadError as error:
            raise Unprocessable(_("That move isn't possible there.")) from error
        return cls(game_id, len(replay.moves), trial.notations(), trial)

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
    board: BoardView
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
    board_query: BoardQuery
    lines: tuple[tuple[LinePresenter, str], ...]


def planner_page(state: GameState, draft: Draft, plan: PlanPresenter, board_query: BoardQuery) -> PlannerPage:
    """The page; the touched squares may complete a move, which is then added to the line."""
    mine = my_colour(state) or state.variant.start.first
    own = state.turn == state.viewer_seat
    table = _table(draft, mine, board_query)
    board, text = table.view(), table.touch.chosen_text
    made = text and not table.touch.targets
    count = len(draft.moves)
    task = _task(draft, mine, own=own)
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
        mine=side(mine, state.variant),
        board_query=board_query,
        lines=tuple(
            (line, draft.address(tuple(line.text.split()), flip=board_query.flip)) for line in plan.lines
        ),
    )


def _table(draft: Draft, mine: Colour, board_query: BoardQuery) -> BoardPresenter:
    record = draft.record
    return BoardPresenter(
        replay=record,
        bottom=bottom_side(bottom_of(record.variant, mine), board_query),
        ply=len(record.moves),
        touch=touch(legal_moves(record.position), board_query.at),
        at_once=True,
        mode="plan",
    )


def _task(draft: Draft, mine: Colour, *, own: bool) -> str:
    """What to do next on the planner's board."""
    record, count = draft.record, len(draft.moves)
    other = side(mine.opponent, record.variant)
    if record.outcome():
        return _("The game would be over here.")
    if record.turn is not mine:
        if count < 2:
            return _("Choose a move for %(side)s.") % {"side": other}
        return _("Save the line, or choose the next move for %(side)s.") % {"side": other}
    if own and not count:
        return _("Choose the move you intend to make. It won't be played for you.")
    return _("Choose your answer to %(move)s.") % {"move": draft.moves[-1]}
