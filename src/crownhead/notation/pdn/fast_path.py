"""The fast path for simple records, which the kernel reads and replays.

The first record that is not simple is left in the window for the full reader, which gives the same results
for the records before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, partial
from typing import cast

from crownhead._kernel import Move, read_records, replay_records
from crownhead.notation.numberings import Numbering, names
from crownhead.notation.pdn.conventions import Conventions
from crownhead.notation.pdn.replay import RECORD_DRAW_RULES, ReplayError, conclude, opened_by, start_of
from crownhead.notation.pdn.source import decoded
from crownhead.notation.pdn.visitor import GameRecord
from crownhead.notation.pdn.window import Window
from crownhead.rules.game import Game
from crownhead.rules.position import Position
from crownhead.rules.schema import Variant

_AT_A_TIME = 32  # games per batch, to limit memory
_Found = tuple[int, str, Position, tuple[Move, ...], tuple[Position, ...]]
_TAG = re.compile(rb'\s*\[(\w+)[ \t]+"([^"\n]*)"[ \t]*\]', re.ASCII)


def count_plain(window: Window, conventions: Conventions) -> Iterator[int]:
    """Yield the number of valid games in each batch."""
    start = partial(_start, conventions)
    while window.is_text and conventions.is_native:
        end, games, _, is_cut = replay_records(window.text, window.at, window.is_all, start)
        window.advance_to(end)
        yield games
        if not window.has_more(is_cut=is_cut):
            return


def plain_games(window: Window, conventions: Conventions) -> Iterator[Game]:
    """Yield the valid games one by one."""
    start = partial(_start, conventions)
    while window.is_text and conventions.is_native:
        text = window.text
        end, found, is_cut = read_records(text, window.at, window.is_all, start, _AT_A_TIME)
        window.advance_to(end)
        for begin, result, origin, moves, positions in cast(list[_Found], found):
            game = _game(_tags(text, begin), origin, moves, positions)
            conclude(game, game.tags, result)
            yield game
        if len(found) < _AT_A_TIME and not window.has_more(is_cut=is_cut):
            return


def _game(
    tags: dict[str, str], start: Position, moves: tuple[Move, ...], positions: tuple[Position, ...]
) -> Game:
    game = Game(start.variant, start=start, draw_rules=RECORD_DRAW_RULES)
    game.extend(moves, positions)
    game.opening_plies = min(opened_by(game.variant, tags), len(moves))
    game.tags = tags
    return game


def _tags(text: bytes, begin: int) -> dict[str, str]:
    """Return the tags at ``begin``, the first of each name."""
    tags: dict[str, str] = {}
    while found := _TAG.match(text, begin):
        tags.setdefault(found[1].decode(), decoded(found[2]))
        begin = found.end()
    return tags


def _start(conventions: Conventions, game_type: str, key: str, fen: str) -> tuple[Position, list[str]] | None:
    """Return the start position and square names for these tags; None if there is something to report."""
    record = GameRecord(tags={"GameType": game_type, "Variant": key, "FEN": fen})
    if conventions.needs_variant(record):
        return None
    try:
        position = start_of(record, conventions.default)
    except ReplayError:
        return None
    return None if record.findings else (position, _names(position.variant))


@cache
def _names(variant: Variant) -> list[str]:
    return list(names(variant, Numbering.ALGEBRAIC).values())
