"""What the page of a game needs to show a move that the stream reports: words, and what is there already."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

import crownhead
from crownhead import Colour
from crownhead.server.play.board.words import move_texts, turn_sentence
from crownhead.server.play.games.replay import seat_of
from crownhead.server.play.presenters.state import GameState


def news_data(state: GameState, record: crownhead.Game) -> dict[str, Any]:
    """The data of the page of a game in progress; gaps in the words are written ``{name}``."""
    seats = {colour: seat_of(state.variant, colour).value for colour in Colour}
    return {
        "version": state.version,
        "startsLate": record.start.turn is not state.variant.start.first,
        "seat": state.viewer_seat or "",
        "seats": {colour.value: seat for colour, seat in seats.items()},
        "turns": {colour.value: _turn_text(state, colour, seat) for colour, seat in seats.items()},
        "moves": move_texts(),
        "left": _("%(time)s left.") % {"time": "{time}"},
        "moment": _("less than a minute"),
    }


def _turn_text(state: GameState, colour: Colour, seat: str) -> str:
    if seat == state.viewer_seat:
        return _("Your turn.")
    return turn_sentence(colour, state.variant)
