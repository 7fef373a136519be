"""Forced wins within some plies by brute force, without the engine."""

from __future__ import annotations

from crownhead import Position

WON = 1000


def forced(position: Position, plies: int) -> int | None:
    """``WON`` less the plies until a forced win within ``plies``, the negative for a loss; None: neither.

    The earliest win, or the latest loss.
    """
    outcome = position.outcome()
    if outcome is not None:
        return WON if outcome.winner is position.turn else -WON
    if plies == 0:
        return None
    answers = [forced(position.play(move), plies - 1) for move in position.legal_moves()]
    known = [-answer for answer in answers if answer is not None]
    best = max(known, default=-WON)
    if best > 0:
        return best - 1
    return best + 1 if len(known) == len(answers) else None
