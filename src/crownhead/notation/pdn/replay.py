"""From what a record says to a game: its variant, start, moves and result."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from crownhead._kernel import Move
from crownhead.notation import moves
from crownhead.notation.pdn import results
from crownhead.notation.pdn.lexer import Record
from crownhead.rules.errors import AmbiguousMove, CrownheadError, UnknownVariant
from crownhead.rules.game import Game
from crownhead.rules.position import Position
from crownhead.rules.schema import Variant
from crownhead.rules.variants import VARIANTS

UNTIL_THE_RECORD_ENDS = "none"  # draw rules: players have gone on after a draw by rule

_MOST_READINGS = 64  # readings of an ambiguous capture that are followed at a time
_NUMBER = re.compile(r"\s*0*(\d{1,4})(?!\d)", re.ASCII)

Steps = Sequence[tuple[str, int]]  # move texts and where they begin


class Fault(Exception):
    """What is wrong with a record, and the index in the text where that shows."""

    def __init__(self, cause: CrownheadError, at: int) -> None:
        super().__init__(str(cause))
        self.cause = cause
        self.at = at


def game_of(record: Record, default: Variant) -> Game:
    """The game of a record; ``default`` is its variant where it names none. Raises ``Fault``."""
    if record.fault is not None:
        raise Fault(record.fault, record.fault_at)
    try:
        variant = variant_named(record.tags, default)
        fen = record.tags.get("FEN", "")
        start = Position.from_fen(fen, variant) if fen.strip() else Position.start(variant)
    except CrownheadError as error:
        raise Fault(error, record.at) from error
    given = 0 if fen.strip() else variant.opening_plies
    game = _begin(start, record.moves[:given])
    game.tags.update(record.tags)
    _play(game, record.moves[given:])
    _conclude(game, record)
    return game


def variant_named(tags: Mapping[str, str], default: Variant) -> Variant:
    """The variant by the tag ``Variant`` if that is a key of ours, else by the number in ``GameType``.

    ``default`` where neither says anything. Raises ``UnknownVariant``.
    """
    key = tags.get("Variant", "").strip().lower()
    if key in VARIANTS:
        return VARIANTS[key]
    found = _NUMBER.match(tags.get("GameType", ""))
    if found is None:
        if key:
            raise UnknownVariant(tags["Variant"], tuple(VARIANTS))
        return default
    number = int(found[1])
    if default.notation.game_type == number:
        return default
    plainest = variant_of_type(number)
    if plainest is None:
        raise UnknownVariant(f"GameType {number}", tuple(VARIANTS))
    return plainest


def variant_of_type(number: int) -> Variant | None:
    """The first row of the table with a GameType number, which is the plainest."""
    return next((row for row in VARIANTS.values() if row.notation.game_type == number), None)


def _begin(start: Position, opening: Steps) -> Game:
    """A game whose first moves were drawn, not chosen."""
    trial = Game(start.variant, start=start, draw_rules=UNTIL_THE_RECORD_ENDS)
    if not opening:
        return trial
    _play(trial, opening)
    return Game(start.variant, start=start, draw_rules=trial.draw_rules, opening=trial.moves)


def _play(game: Game, steps: Steps) -> None:
    for index, (text, at) in enumerate(steps):
        try:
            try:
                game.push(text)
            except AmbiguousMove as error:
                game.push(_settled(game.position, steps[index:], error))
        except CrownheadError as error:
            raise Fault(error, at) from error


def _settled(position: Position, steps: Steps, error: AmbiguousMove) -> Move:
    """The one reading of an ambiguous first step after which all the others are legal."""
    lines = [(move, position.play(move)) for move in _found(position, steps[0][0])]
    for text, _ in steps[1:]:
        lines = [(first, here.play(move)) for first, here in lines for move in _found(here, text)]
        if len({first for first, _ in lines}) <= 1 or len(lines) > _MOST_READINGS:
            break
    firsts = {first for first, _ in lines}
    if len(firsts) != 1:
        raise error
    return firsts.pop()


def _found(position: Position, text: str) -> Sequence[Move]:
    return moves.find(position, moves.read_squares(text, position.variant))


def _conclude(game: Game, record: Record) -> None:
    """Declare the recorded result, unless the moves themselves decide."""
    tag = record.tags.get("Result", "").strip()
    text = tag if results.is_known(tag) else record.result
    outcome = results.outcome_of(text, variant=game.variant, termination=record.tags.get("Termination", ""))
    if outcome is not None and game.outcome() is None:
        game.end(outcome)
