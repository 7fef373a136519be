"""Reviews that a reader's browser has made: looked through, shown to that reader, and kept nowhere."""

from __future__ import annotations

from typing import Annotated

from django.utils.translation import gettext as _
from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, TypeAdapter, ValidationError

from crownhead.engine.report import WON
from crownhead.server.analysis.choices import LONGEST_LINE, Progress
from crownhead.server.analysis.models import Review
from crownhead.server.analysis.reviews.services import Depth
from crownhead.server.core.problems import Unprocessable
from crownhead.server.play import selectors
from crownhead.server.play.selectors import Game

_LONGEST_MOVE = 120  # characters: squares that a capture goes over
_Notation = Annotated[str, Field(max_length=_LONGEST_MOVE, pattern=r"^[0-9a-z:x-]+$")]


class _Ply(BaseModel):
    """What ``reviews.steps`` keeps of a position."""

    model_config = ConfigDict(extra="forbid")

    score: Annotated[StrictInt, Field(ge=-WON, le=WON)]
    moves: Annotated[list[_Notation], Field(max_length=LONGEST_LINE)]
    path: Annotated[list[StrictInt], Field(max_length=_LONGEST_MOVE)]
    proven: StrictBool
    best: StrictBool


_PLIES = TypeAdapter(list[_Ply])


def review_from_browser(*, game: Game, depth: Depth, text: str) -> Review:
    """The review that a text of JSON holds, a report on each position of the game in turn; it is not stored.

    Raises ``Unprocessable`` where it is none of this game.
    """
    replay = selectors.replay_game(game)
    squares = range(1, replay.variant.board.squares + 1)
    try:
        plies = _PLIES.validate_json(text)
    except ValidationError:
        plies = []
    if len(plies) != len(replay.positions) or any(at not in squares for ply in plies for at in ply.path):
        raise Unprocessable("plies: " + _("This is no review of this game."))
    return Review(
        game_id=game.public_id,
        nodes=depth.value,
        progress=Progress.DONE,
        plies=[ply.model_dump() for ply in plies],
        total=len(plies),
    )
