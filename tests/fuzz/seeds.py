"""Initial inputs of every kind and variant."""

from __future__ import annotations

from collections.abc import Iterator

from crownhead import VARIANTS, Game, Position
from tests.fuzz.properties import KEYS
from tests.notation.files import SAMPLE

_RECORDS = (
    '[Event "x"]\n[Result "1-0"]\n1. 11-15! {good} 22-18?! (22-17 {or} 8-11 (9-13)) 2. 15x22 25x18 $1 1-0\n',
    '[FEN "B:W14,15,18,21,22,23,30:B6,7,8,10,12,13"]\n1. 10x26 30x23 *\n',
    '[FEN "B:W9,17,18,25,26,32:B6,14,27,28"]\n1. 14x30 {so} (28-32) 32x23 1/2-1/2\n',
    '[FEN "W:W18,K15,1:BK30,K26,2."]\n0-1\n',
    '% by me\n[Event "a \\"b\\""]\n1. 11-15* - - 22-18 . 2. [%clock w0:01:10 B0:01:05]\n',
    '1. 11-15 /FEN "B:WK5:B1,12"/ 12-16 (/FEN "W:WK5:B12"/ 5-1) {[%clk 1:02:03.5]} *\n',
    '[GameType "25"]\n1. gf4 fe5 2. cb4 ba5 {\u0448\u0430\u0448\u043a\u0438} 2-0\n',
    '[Event "one"]\n1. 1x10 10x19 *\n\n[Event "two"]\n[Result "4-6"]\n1. 9-13 4-6\n',
    '1. 9-13 22-17 13x22 1. 0-2 (Black wins) 1-1 ½–½\r\n\\r\\n[Empty]\n[ [Event "x"]\n[Round "11.1]\n',
)
_POSITIONS = ("W:W31-50:B1-20", "B:W21,K30:B1,K2:H0:F1", "W:WK46,36:BK5,15:+1+0", "?:WMa1:BKb2.", "W::.")


def seeds() -> Iterator[bytes]:
    """Inputs for ``properties.try_any``."""
    for record in _RECORDS:
        yield _input(0, "american", record)
    yield _input(0, "american", SAMPLE.read_text()[:2000])
    for text in _POSITIONS:
        for key in ("american", "international", "mule", "parachute", "frisian"):
            yield _input(2, key, text)
    for key in VARIANTS:
        game = Game(key, draw_rules="none")
        for ply in range(24):
            moves = game.position.legal_moves()
            if game.outcome() is not None or not moves:
                break
            game.push(moves[ply * 5 % len(moves)])
        yield _input(1, key, game.pdn())
        yield _input(2, key, game.position.fen())
        yield _input(2, key, Position.start(key).fen())
        yield _input(3, key, ",".join(game.notations()))


def _input(kind: int, variant: str, text: str) -> bytes:
    return bytes([kind, KEYS.index(variant)]) + text.encode()
