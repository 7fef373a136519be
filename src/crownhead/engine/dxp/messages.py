"""The messages of DamExchange, version 1, as text and as values.

White is ``W`` and Black ``Z``, men are ``w`` and ``z``, kings the same in capitals, ``e`` is an empty square.
Source: DamExchange, layer 2 protocol description, www.mesander.nl/damexchange.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from types import MappingProxyType

from crownhead.rules.errors import CrownheadError
from crownhead.rules.lookup import variant_of
from crownhead.rules.schema import Colour, PieceKind, Variant
from crownhead.rules.setup import Piece, Setup

LONGEST = 127
_VERSION = "01"
_NAME = 32
_COLOURS = {"W": Colour.WHITE, "Z": Colour.BLACK}
_PIECES = {
    "w": Piece(Colour.WHITE),
    "z": Piece(Colour.BLACK),
    "W": Piece(Colour.WHITE, PieceKind.KING),
    "Z": Piece(Colour.BLACK, PieceKind.KING),
}
_LETTERS = {piece: letter for letter, piece in _PIECES.items()}


class DxpError(CrownheadError):
    """Not a message of the protocol, or not one that is expected now."""


class ConnectionClosed(DxpError):
    """The other program has closed the connection."""


class Reason(IntEnum):
    """Why the sender ends a game."""

    UNKNOWN = 0
    LOST = 1
    DRAWN = 2
    WON = 3


class Answer(IntEnum):
    """To the offer of a game."""

    ACCEPTED = 0
    WRONG_VERSION = 1
    REFUSED = 2


@dataclass(frozen=True, slots=True)
class GameRequest:
    """The offer of a game: ``colour`` is that of the receiver; ``moves`` 0: no limit.

    ``position`` is the colour to move and the squares; empty: the start.
    """

    name: str
    colour: Colour
    minutes: int
    moves: int = 0
    position: str = ""

    def __str__(self) -> str:
        start = f"B{self.position}" if self.position else "A"
        return f"R{_VERSION}{_padded(self.name)}{_letter(self.colour)}{self.minutes:03}{self.moves:03}{start}"


@dataclass(frozen=True, slots=True)
class Acceptance:
    """The answer to an offer."""

    name: str
    answer: Answer

    def __str__(self) -> str:
        return f"A{_padded(self.name)}{self.answer.value}"


@dataclass(frozen=True, slots=True)
class MoveMade:
    """A move, and the seconds that it took."""

    seconds: int
    origin: int
    target: int
    captures: tuple[int, ...] = ()

    def __str__(self) -> str:
        taken = "".join(f"{square:02}" for square in self.captures)
        seconds = min(max(self.seconds, 0), 9999)
        return f"M{seconds:04}{self.origin:02}{self.target:02}{len(self.captures):02}{taken}"


@dataclass(frozen=True, slots=True)
class GameEnd:
    """The end of a game as the sender sees it; ``stop``: they play no more games."""

    reason: Reason
    stop: bool = False

    def __str__(self) -> str:
        return f"E{self.reason.value}{int(self.stop)}"


@dataclass(frozen=True, slots=True)
class Chat:
    """A line of chat."""

    text: str

    def __str__(self) -> str:
        return f"C{self.text}"[:LONGEST]


@dataclass(frozen=True, slots=True)
class BackRequest:
    """A request to go back to a move, with this colour to move."""

    move: int
    colour: Colour

    def __str__(self) -> str:
        return f"B{self.move:03}{_letter(self.colour)}"


@dataclass(frozen=True, slots=True)
class BackAnswer:
    """The answer to it: 0 for yes, 1 where the program cannot, 2 for no."""

    code: int

    def __str__(self) -> str:
        return f"K{self.code}"


Message = GameRequest | Acceptance | MoveMade | GameEnd | Chat | BackRequest | BackAnswer


def read(text: str) -> Message:
    """The message of a text; raises ``DxpError``."""
    reader = _READERS.get(text[:1])
    if reader is None or len(text) > LONGEST:
        raise DxpError(f"expected a message of DamExchange, got {text[:40]!r}")
    try:
        return reader(text[1:])
    except (ValueError, KeyError, IndexError) as error:
        raise DxpError(f"expected a message of DamExchange, got {text[:40]!r}") from error


def position_text(setup: Setup) -> str:
    """A position as an offer carries it; raises ``DxpError`` for pieces that the protocol does not know."""
    squares = setup.variant.board.squares
    held = (setup.pieces.get(number) for number in range(1, squares + 1))
    try:
        return _letter(setup.turn) + "".join(_LETTERS[piece] if piece else "e" for piece in held)
    except KeyError as error:
        raise DxpError("expected men and kings, DamExchange knows no other pieces") from error


def setup_of(text: str, variant: str | Variant) -> Setup:
    """The position that an offer carries; raises ``DxpError``."""
    row = variant_of(variant)
    if len(text) != row.board.squares + 1 or text[0] not in _COLOURS or set(text[1:]) - {*_PIECES, "e"}:
        raise DxpError(f"expected W or Z and {row.board.squares} squares, got {text[:60]!r}")
    pieces = {number: _PIECES[letter] for number, letter in enumerate(text[1:], start=1) if letter != "e"}
    return Setup(row, _COLOURS[text[0]], MappingProxyType(pieces))


def _request(body: str) -> GameRequest:
    if body[:2] != _VERSION:
        raise ValueError("another version")
    name, rest = body[2 : 2 + _NAME], body[2 + _NAME :]
    position = rest[8:] if rest[7] == "B" else ""
    return GameRequest(name.rstrip(), _COLOURS[rest[0]], _number(rest[1:4]), _number(rest[4:7]), position)


def _move(body: str) -> MoveMade:
    seconds, origin, target, count = (_number(body[at:to]) for at, to in ((0, 4), (4, 6), (6, 8), (8, 10)))
    taken = body[10:]
    if len(taken) != 2 * count:
        raise ValueError("as many squares as were said")
    return MoveMade(
        seconds, origin, target, tuple(_number(taken[at : at + 2]) for at in range(0, 2 * count, 2))
    )


def _number(text: str) -> int:
    if not (text.isascii() and text.strip().isdigit()):
        raise ValueError("digits")
    return int(text)


def _padded(name: str) -> str:
    return name.strip()[:_NAME].ljust(_NAME)


def _letter(colour: Colour) -> str:
    return "W" if colour is Colour.WHITE else "Z"


_READERS: dict[str, Callable[[str], Message]] = {
    "R": _request,
    "A": lambda body: Acceptance(body[:_NAME].rstrip(), Answer(_number(body[_NAME : _NAME + 1]))),
    "M": _move,
    "E": lambda body: GameEnd(Reason(_number(body[0])), body[1:2] == "1"),
    "C": Chat,
    "B": lambda body: BackRequest(_number(body[:3]), _COLOURS[body[3]]),
    "K": lambda body: BackAnswer(_number(body[0])),
}
