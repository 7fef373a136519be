"""A mistake of a reviewed game as a question: the position before it, and a better move to be found."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

import crownhead
from crownhead import Colour
from crownhead.rules.errors import CrownheadError
from crownhead.server.analysis.engine.selectors import first_plies
from crownhead.server.pages.presenters.review.moves import Reviewed
from crownhead.server.play.presenters.board.boards import GameBoard, hint
from crownhead.server.play.presenters.board.moves import touched
from crownhead.server.play.presenters.board.touch import BoardQuery, Touch
from crownhead.server.play.presenters.board.words import side


@dataclass(frozen=True, slots=True)
class Retry:
    """The question, and what there is to say of the move that was tried; ``ply`` is that of the mistake."""

    ply: int
    question: str
    feedback: str
    solved: bool
    chosen: str
    hint: str


def retry_of(
    replay: crownhead.Game,
    mistake: Reviewed,
    *,
    tried: str,
    board_query: BoardQuery,
    bottom: Colour,
) -> tuple[Retry, GameBoard]:
    """The question with its board. A move counts as found if the engine would have made it."""
    record = first_plies(replay, mistake.ply - 1)
    feedback, solved = _judge(record, mistake, tried.strip()) if tried.strip() else ("", False)
    table = GameBoard(
        replay=record,
        bottom=bottom,
        ply=mistake.ply - 1,
        touch=Touch() if solved else touched(record.position, board_query.at),
        at_once=True,
    )
    mover = side(record.position.turn, replay.variant)
    question = _("%(side)s to move. Find a better move than %(move)s.") % {
        "side": mover,
        "move": mistake.text,
    }
    return Retry(
        mistake.ply, question, feedback, solved, table.touch.chosen_text, hint(table, board_query)
    ), table


def _judge(record: crownhead.Game, mistake: Reviewed, tried: str) -> tuple[str, bool]:
    """What to say of a move, and whether it was the one looked for."""
    try:
        move = record.position.parse(tried)
    except CrownheadError:
        return _("%(move)s can't be played here.") % {"move": tried[:20]}, False
    text = record.position.notation(move)
    if text == mistake.better.partition(" ")[0]:
        return _("Right! The engine would have played %(move)s, too.") % {"move": text}, True
    if text == mistake.text:
        return _("%(move)s was played in the game. Find a better move.") % {"move": text}, False
    return _("%(move)s is not the engine's move. Try again.") % {"move": text}, False
