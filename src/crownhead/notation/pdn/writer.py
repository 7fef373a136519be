"""Writing a game as a PDN record for strict readers: escaped tags, short moves, lines of 80 columns.

Why records end with ``*``: docs/decisions/0006-pdn-terminator.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from crownhead.notation import fen, moves
from crownhead.notation.moves import Style
from crownhead.notation.pdn import results
from crownhead.notation.pdn.game_type import variant_tags
from crownhead.rules.errors import NotationError
from crownhead.rules.game import Game
from crownhead.rules.position import Position

_WIDTH = 80
_ROSTER = ("Event", "Site", "Date", "Round", "Black", "White")
_OURS = ("Result", "GameType", "Variant", "FEN", "SetUp", "Termination")  # written from the game itself
_NAME = re.compile(r"[A-Z][A-Za-z0-9_]*", re.ASCII)
_BLANKS = re.compile(r"[\s\x00-\x1f\x7f]+")


def write(game: Game, *, style: Style = Style.NATIVE, strict: bool = True) -> str:
    """Return the record of a game: its ``tags``, tags derived from the game, the moves and the terminator.

    Moves and the position are written in ``style``. ``1-0`` means that the side that begins the variant
    won. A ``strict`` record has the result only in its tag and ends with ``*``, as PDN 3.0 requires; others
    end with the result, where old readers expect it. Raises ``NotationError`` for a tag name that PDN does
    not allow.
    """
    result = _result(game)
    tags = "\n".join(escaped_tag(name, value) for name, value in _tags(game, result, style))
    end = results.UNFINISHED if strict else result
    return f"{tags}\n\n{wrapped([*_numbered(game, style), end])}\n"


def _result(game: Game) -> str:
    recorded = game.tags.get("Result", "").strip()
    if game.result == results.UNFINISHED and recorded == results.BOTH_LOST:
        return recorded
    return results.as_text(game.result, game.variant)


def _tags(game: Game, result: str, style: Style) -> Iterator[tuple[str, str]]:
    tags = game.tags
    yield from ((name, tags[name]) for name in _ROSTER if name in tags)
    yield "Result", result
    yield from variant_tags(game.variant, {}).items()
    if game.start != Position.start(game.variant):
        yield "FEN", fen.write(game.start.setup(), style.numbering)
    outcome = game.outcome()
    if outcome is not None and results.is_declared(outcome):
        yield "Termination", outcome.termination.value
    yield from ((name, value) for name, value in tags.items() if name not in (*_ROSTER, *_OURS))


def escaped_tag(name: str, value: str) -> str:
    """Return a tag in brackets; raises ``NotationError`` for an invalid name."""
    if not _NAME.fullmatch(name):
        raise NotationError("a tag name such as 'Event'", name)
    return f'[{name} "{_escaped(value)}"]'


def single_blanks(value: str) -> str:
    """Normalise white space, so that the text fits on one line."""
    return _BLANKS.sub(" ", value)


def _escaped(value: str) -> str:
    return single_blanks(value).replace("\\", "\\\\").replace('"', '\\"')


def _numbered(game: Game, style: Style) -> Iterator[str]:
    """Yield the moves, with a number before each move of the side that begins."""
    number, first = 1, game.variant.start.first
    if game.start.turn is not first and game.moves:
        yield "1..."
        number = 2
    for position, move in zip(game.positions, game.moves, strict=False):
        if position.turn is first:
            yield f"{number}."
            number += 1
        yield moves.write(position, move, style)


def wrapped(words: list[str]) -> str:
    """Wrap words to lines of 80 columns."""
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > _WIDTH:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return "\n".join(lines)
