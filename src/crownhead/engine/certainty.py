"""How far ahead a result is certain, whatever the draw rules that a search leaves out of account."""

from __future__ import annotations

from collections import Counter

from crownhead.rules.draws import progress_of
from crownhead.rules.game import Game
from crownhead.rules.position import Position
from crownhead.rules.schema import (
    BalanceDraw,
    DrawRule,
    DrawRules,
    NoProgressDraw,
    PieceKind,
    Progress,
    RepetitionDraw,
)

COUNTED = {Progress.CAPTURE, Progress.MAN_MOVE}  # what sets the one counter back that the search has
_OF_FORCES = {Progress.CAPTURE, Progress.CROWNING}


def certain_plies(subject: Position | Game) -> int | None:
    """The plies within which no draw rule can end the game that the search does not count; None: none can.

    Where a rule asks which pieces are left it is taken to apply, as it may after a capture.
    """
    rules = subject.variant.draws if isinstance(subject, Position) else subject.draw_rules
    bounds = [_bound(rule, subject) for rule in rules.rules]
    return min((bound for bound in bounds if bound is not None), default=None)


def certain_wins(rules: DrawRules, pieces: int) -> int | None:
    """The plies within which no draw rule can overtake a win, from a game's beginning with so many pieces.

    None: none can, however long the win takes. Where a rule asks which pieces are left it is taken to apply.
    """
    bounds = [_bound_at_first(rule, pieces) for rule in rules.rules]
    return min((bound for bound in bounds if bound is not None), default=None)


def _bound_at_first(rule: DrawRule, pieces: int) -> int | None:
    if isinstance(rule, RepetitionDraw):
        return 0 if rule.times <= 2 else None
    if isinstance(rule, BalanceDraw) and rule.pieces[0] > pieces:
        return None
    return 2 * rule.moves_each


def _bound(rule: DrawRule, subject: Position | Game) -> int | None:
    position = subject if isinstance(subject, Position) else subject.position
    if isinstance(rule, RepetitionDraw):
        return 0 if _stood(subject) >= rule.times - 1 else None
    if isinstance(rule, NoProgressDraw) and rule.resets == COUNTED:
        return None
    if isinstance(rule, BalanceDraw) and rule.pieces[0] > len(position.pieces):
        return None
    resets = rule.resets if isinstance(rule, NoProgressDraw) else _OF_FORCES
    return max(0, 2 * rule.moves_each - plies_since(subject, set(resets)))


def _stood(subject: Position | Game) -> int:
    """How often any position of the game has stood that could come again."""
    if isinstance(subject, Position):
        return 1
    since = plies_since(subject, COUNTED)
    return max(Counter(subject.positions[len(subject.positions) - 1 - since :]).values())


def plies_since(subject: Position | Game, resets: set[Progress]) -> int:
    """The plies since the last move of a game that did one of these."""
    if isinstance(subject, Position):
        return 0
    since = 0
    for before, move in zip(reversed(subject.positions[:-1]), reversed(subject.moves), strict=True):
        if progress_of(move, by_man=before.pieces[move.origin].kind is not PieceKind.KING) & resets:
            break
        since += 1
    return since
