"""Drawing pieces as discs: kings have two discs and a crown, special men an emblem."""

from __future__ import annotations

from functools import cache

from crownhead.notation.drawing.themes import Paint
from crownhead.rules.schema import PieceKind

_CROWN = "M-20 13 L-24 -13 L-11 -1 L0 -18 L11 -1 L24 -13 L20 13 Z"
_HORSESHOE = "M-12 14 L-12 -2 A12 12 0 0 1 12 -2 L12 14"
_CANOPY = "M-22 -2 A22 20 0 0 1 22 -2 Q14 -8 7 -2 Q0 -8 -7 -2 Q-14 -8 -22 -2 Z"
_LINES = "M-22 -2 L0 21 L22 -2 M-7 -2 L0 21 L7 -2"


@cache
def shape(kind: PieceKind, paint: Paint) -> str:
    """Draw a piece centred on the origin, 84 units wide."""
    disc = f'<circle r="40" fill="{paint.face}" stroke="{paint.rim}" stroke-width="4"/>'
    groove = f'<circle r="34" fill="none" stroke="{paint.groove}" stroke-width="2"/>'
    match kind:
        case PieceKind.MAN:
            inner = f'<circle r="24" fill="none" stroke="{paint.groove}" stroke-width="2"/>'
            return disc + groove + inner
        case PieceKind.KING:
            under = f'<circle cy="8" r="40" fill="{paint.face}" stroke="{paint.rim}" stroke-width="4"/>'
            return f'{under}{disc}{groove}<path d="{_CROWN}" fill="{paint.rim}"/>'
        case PieceKind.MULE:
            stroke = f'stroke="{paint.rim}" stroke-width="7" stroke-linecap="square"'
            return f'{disc}{groove}<path d="{_HORSESHOE}" fill="none" {stroke}/>'
        case PieceKind.PARACHUTIST:
            lines = f'<path d="{_LINES}" fill="none" stroke="{paint.rim}" stroke-width="2.5"/>'
            return f'{disc}{groove}{lines}<path d="{_CANOPY}" fill="{paint.rim}"/>'
