"""A legal arrangement with a side to move: what can be played in it and what follows."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, Self

from crownhead import _kernel
from crownhead._kernel import Move
from crownhead.rules.errors import CrownheadError, IllegalMove, IllegalPosition, TooManyCaptures
from crownhead.rules.lookup import variant_of
from crownhead.rules.outcome import Outcome, Termination
from crownhead.rules.protocols import provider
from crownhead.rules.schema import Colour, PieceKind, Variant
from crownhead.rules.setup import KingRun, Piece, Setup
from crownhead.rules.variants import VARIANTS

_starts: dict[tuple[type, str], Any] = {}  # positions do not change: one serves all who ask


class Position(_kernel.Position):
    """An immutable position; two are equal, and hash alike, iff they repeat under the laws.

    Squares are the variant's own numbers from 1. Playing gives a new position. The kernel does the
    work; ``legal_moves`` and ``perft`` raise ``TooManyCaptures`` where a crafted board exceeds the
    budget of a capture search.
    """

    __slots__ = ()

    @classmethod
    def start(cls, variant: str | Variant = "american") -> Self:
        """The start array of a variant; raises ``UnknownVariant``."""
        key = variant_of(variant).key
        start: Self | None = _starts.get((cls, key))
        if start is None:
            array = variant_of(key).start
            start = _starts[cls, key] = cls(
                key,
                array.first is Colour.BLACK,
                sorted(array.black - array.marked),
                (),
                sorted(array.white - array.marked),
                (),
                sorted(array.black & array.marked),
                sorted(array.white & array.marked),
            )
        return start

    @classmethod
    def from_fen(cls, fen: str, variant: str | Variant = "american") -> Self:
        """A position from FEN (PDN 3.0); raises ``NotationError`` or ``IllegalPosition``."""
        key = variant_of(variant).key
        plain = provider.notation.plain_squares(fen, key)
        if plain is not None:
            try:
                return cls(key, *plain)
            except ValueError:
                plain = None  # reading it with care tells what is wrong
        return cls.from_setup(provider.notation.read_fen(fen, key))

    @classmethod
    def from_setup(cls, setup: Setup) -> Self:
        """The position of an arrangement; raises ``IllegalPosition`` where it cannot be one."""
        row = variant_of(setup.variant_key)
        squares: dict[Piece, list[int]] = {piece: [] for piece in _pieces(row.rules.marked)}
        black_run, white_run = (setup.king_runs.get(colour, KingRun()) for colour in Colour)
        try:
            for square, piece in setup.pieces.items():
                squares[piece].append(square)
            men, kings, white_men, white_kings, marked, white_marked = squares.values()
            pieces = (men, kings, white_men, white_kings, marked, white_marked)
            return cls(row.key, setup.turn is Colour.BLACK, *pieces, black_run, white_run)
        except KeyError as error:
            raise IllegalPosition(f"expected pieces that {row.name} has, got {error}") from error
        except (ValueError, OverflowError, TypeError) as error:
            raise IllegalPosition(f"expected a position of {row.name}: {error}") from error

    @property
    def variant(self) -> Variant:
        """The row of the table that this position belongs to."""
        return VARIANTS[self.variant_key]

    @property
    def turn(self) -> Colour:
        """The side to move."""
        return Colour.BLACK if self.black_to_move else Colour.WHITE

    @property
    def pieces(self) -> Mapping[int, Piece]:
        """What stands where, by square number, ascending."""
        squares = (
            self.black_men,
            self.black_kings,
            self.white_men,
            self.white_kings,
            self.black_marked,
            self.white_marked,
        )
        kinds = _pieces(self.variant.rules.marked)
        placed = {square: piece for piece, stood in zip(kinds, squares, strict=True) for square in stood}
        return MappingProxyType(dict(sorted(placed.items())))

    @property
    def king_runs(self) -> Mapping[Colour, KingRun]:
        """Of each side that may not step with the same king for ever: which it moved last, how often."""
        runs = {Colour.BLACK: KingRun(*self.black_king_run), Colour.WHITE: KingRun(*self.white_king_run)}
        return MappingProxyType({colour: run for colour, run in runs.items() if run.steps})

    def setup(self) -> Setup:
        """The arrangement, to be changed and judged again."""
        return Setup(self.variant_key, self.turn, self.pieces, self.king_runs)

    def legal_moves(self) -> tuple[Move, ...]:
        """All legal moves; empty when the side to move is stuck or the position decides the game.

        A move is its origin, target, set of pieces taken and whether it crowns: routes that agree in
        these are one move. Raises ``TooManyCaptures``.
        """
        try:
            return super().legal_moves()
        except _kernel.TooManyCaptures as error:
            raise TooManyCaptures(str(error)) from error

    def play(self, move: Move | str) -> Self:
        """The position after a legal move, given as such or as text; raises ``IllegalMove``."""
        chosen = self.parse(move) if isinstance(move, str) else move
        try:
            return super().play(chosen)
        except _kernel.TooManyCaptures as error:
            raise TooManyCaptures(str(error)) from error
        except ValueError as error:
            raise IllegalMove(str(chosen), self.fen()) from error

    def perft(self, depth: int, bulk: bool = True) -> int:
        """The number of move sequences of ``depth`` plies, 0 to 100; ``bulk`` counts the last ply unmade."""
        try:
            return super().perft(depth, bulk)
        except _kernel.TooManyCaptures as error:
            raise TooManyCaptures(str(error)) from error
        except ValueError as error:
            raise CrownheadError(str(error)) from error

    def outcome(self) -> Outcome | None:
        """How the game stands decided by this position alone; draws belong to ``Game``."""
        try:
            decided = super().ending()
        except _kernel.TooManyCaptures as error:
            raise TooManyCaptures(str(error)) from error
        return None if decided is None else _outcome(*decided)

    def parse(self, text: str) -> Move:
        """The legal move a text means: ``22x8``, ``22x15x8``, ``22-18``, ``c3:e5``.

        Raises ``NotationError``, ``IllegalMove`` or ``AmbiguousMove``.
        """
        return provider.notation.parse_move(self, text)

    def notation(self, move: Move) -> str:
        """The move as PDN writes it here: short, unless two legal moves share origin and target."""
        return provider.notation.write_move(self, move)

    def fen(self) -> str:
        """The position as FEN (PDN 3.0)."""
        return provider.notation.write_fen(self)

    def svg(self, **options: Any) -> str:
        """The board as an SVG document; options as of ``crownhead.notation.svg``."""
        return provider.notation.svg_diagram(self, **options)

    def __str__(self) -> str:
        """The board drawn with characters."""
        return provider.notation.text_diagram(self)

    def __repr__(self) -> str:
        """An expression that makes the position again."""
        return f"Position.from_fen({self.fen()!r}, {self.variant_key!r})"

    def _repr_svg_(self) -> str:
        return self.svg()


@cache
def _outcome(termination: str, black_wins: bool) -> Outcome:
    return Outcome(Colour.BLACK if black_wins else Colour.WHITE, Termination(termination))


@cache
def _pieces(marked: PieceKind | None) -> tuple[Piece, ...]:
    """In the order in which the kernel takes their squares."""
    plain = tuple(Piece(colour, kind) for colour in Colour for kind in (PieceKind.MAN, PieceKind.KING))
    return plain + tuple(Piece(colour, marked or PieceKind.MULE) for colour in Colour)
