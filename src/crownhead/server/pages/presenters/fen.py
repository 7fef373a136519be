"""The FEN of an address."""

from __future__ import annotations

from django.http import QueryDict
from django.utils.translation import gettext as _

from crownhead import VARIANTS, CrownheadError, Position, Variant
from crownhead.server.analysis.studies.services import LONGEST_FEN
from crownhead.server.core.problems import Unprocessable
from crownhead.server.play.problems.reasons import refusal


def fen_of(query: QueryDict) -> str:
    """The FEN in a query, empty if there is none; raises ``Unprocessable`` if it is too long."""
    text = query.get("fen", "").strip()
    if len(text) > LONGEST_FEN:
        raise Unprocessable(_("The FEN is too long: at most %(count)s characters.") % {"count": LONGEST_FEN})
    return text


def position_of(query: QueryDict, variant: Variant | None = None) -> Position:
    """The position in a query, or that in which games of its variant begin; raises ``Unprocessable``."""
    text, game = fen_of(query), variant or query.get("variant", next(iter(VARIANTS)))
    try:
        return Position.from_fen(text, game) if text else Position.start(game)
    except CrownheadError as error:
        raise refusal(error) from error
