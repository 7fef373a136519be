"""The sides that somebody who offers a game can choose from."""

from __future__ import annotations

from django.utils.translation import gettext as _

from crownhead import Colour, Variant
from crownhead.server.play.games.options import ColourChoice
from crownhead.server.play.presenters.board.words import side


def colour_names(variant: Variant, begins: Colour | None = None) -> dict[str, str]:
    """What the values of ``ColourChoice`` are called; ``begins`` is who moves first, if not as usual."""
    usual = variant.start.first
    sides = {ColourChoice.FIRST: usual, ColourChoice.SECOND: usual.opponent}
    names = {
        key.value: (_("%(side)s (first)") if colour is (begins or usual) else _("%(side)s (second)"))
        % {"side": side(colour, variant)}
        for key, colour in sides.items()
    }
    return names | {ColourChoice.RANDOM.value: _("Random")}
