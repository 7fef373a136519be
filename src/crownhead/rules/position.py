"""Positions: a legal arrangement of pieces with a side to move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import Any, Self

from crownhead import _kernel
from crownhead._kernel import Move
from crownhead.rules.errors import CrownheadError, IllegalMove, IllegalPosition, TooManyCaptures
from crownhead.rules.geometry import turned_numbers
from crownhead.rules.kernel import kernel_variant, row_of
from crownhead.rules.lookup import is_known, variant_of
from crownhead.rules.outcome import Outcome, Termination
from crownhead.rules.protocols import Arrows, Marks, ThemeLike, provider
from crownhead.rules.schema import Colour, PieceKind, Variant
from crownhead.rules.setup import KingRun, Piece, Setup

_MIN_ARGUMENTS = 6  # of the kernel: variant, side to move, men and kings of either side
_starts: dict[tuple[type, Variant], Any] = {}  # shared, because positions are immutable


class Position(_kernel.Position):
    """An immutable position; two are equal, with equal hashes, iff they count as a repetition.

    Squares are the variant's own numbers from 1. Playing a move returns a new position.
    ``legal_moves`` and ``perft`` raise ``TooManyCaptures`` if a crafted position exceeds the
    budget of the capture search.
    """

    __slots__ = ()

    def __init__(self, *arguments: Any, **named: Any) -> None:
        """Take what the kernel takes; programs use ``start``, ``from_fen`` or ``from_setup`` instead."""
        if len(arguments) + len(named) < _MIN_ARGUMENTS:
            raise TypeError(
                "expected Position.start(variant), Position.from_fen(fen, variant) or "
                f"Position.from_setup(setup), got Position(…) with {len(arguments) + len(named)} arguments"
            )
        super().__init__(*arguments, **named)

    @classmethod
    def start(cls, variant: str | Variant = "american") -> Self:
        """Return the start position of a variant; raises ``UnknownVariant`` and ``BadVariant``."""
        row = variant_of(variant)
        start: Self | None = _starts.get((cls, row))
        if start is None:
            array = row.start
            start = _starts[cls, row] = cls(
                kernel_variant(row),
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
        """Create a position from FEN (PDN 3.0); raises ``NotationError`` or ``IllegalPosition``."""
        row = variant_of(variant)
        plain = provider.notation.plain_squares(fen, row)
        if plain is not None:
            try:
                return cls(kernel_variant(row), *plain)
            except ValueError:
                plain = None  # the full parser reports what is wrong
        return cls.from_setup(provider.notation.read_fen(fen, row))

    @classmethod
    def from_setup(cls, setup: Setup) -> Self:
        """Create a position from a setup; raises ``IllegalPosition`` if it is not legal."""
        if not isinstance(setup, Setup):
            raise CrownheadError(f"expected a Setup, got {setup!r:.60}")
        row = setup.variant
        squares: dict[Piece, list[int]] = {piece: [] for piece in _pieces(row.rules.marked)}
        black_run, white_run = (setup.king_runs.get(colour, KingRun()) for colour in Colour)
        try:
            for square, piece in setup.pieces.items():
                squares[piece].append(square)
            men, kings, white_men, white_kings, marked, white_marked = squares.values()
            pieces = (men, kings, white_men, white_kings, marked, white_marked)
            return cls(kernel_variant(row), setup.turn is Colour.BLACK, *pieces, black_run, white_run)
        except KeyError as error:
            raise IllegalPosition(f"expected pieces that {row.name} has, got {error}") from error
        except (ValueError, OverflowError, TypeError) as error:
            text = f"expected a position of {row.name}: {error}"
            raise IllegalPosition(text, variant=row, fault=str(error)) from error

    @property
    def variant(self) -> Variant:
        """The variant of this position."""
        return row_of(self)

    @property
    def turn(self) -> Colour:
        """The side to move."""
        return Colour.BLACK if self.black_to_move else Colour.WHITE

    @property
    def pieces(self) -> Mapping[int, Piece]:
        """The pieces by square number, in ascending order."""
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
        """The king that each side moved last and how often in a row, in variants that limit this."""
        runs = {Colour.BLACK: KingRun(*self.black_king_run), Colour.WHITE: KingRun(*self.white_king_run)}
        return MappingProxyType({colour: run for colour, run in runs.items() if run.steps})

    def setup(self) -> Setup:
        """Return the pieces as a ``Setup``, which can be changed."""
        return Setup(self.variant, self.turn, self.pieces, self.king_runs)

    def legal_moves(self) -> tuple[Move, ...]:
        """Return all legal moves; empty if the side to move has none or the game is over.

        Captures with the same origin, target, captured pieces and crowning count as one
        move, whatever their path. Raises ``TooManyCaptures``.
        """
        try:
            return super().legal_moves()
        except _kernel.TooManyCaptures as error:
            raise TooManyCaptures(str(error)) from error

    def play(self, move: Move | str) -> Self:
        """Return the position after a legal move, given as a ``Move`` or as text; raises ``IllegalMove``."""
        chosen = self.parse(move) if isinstance(move, str) else move
        try:
            return super().play(chosen)
        except _kernel.TooManyCaptures as error:
            raise TooManyCaptures(str(error)) from error
        except ValueError as error:
            raise IllegalMove(str(chosen), self.fen()) from error
        except TypeError as error:
            raise CrownheadError(f"expected a move or its text, got {move!r:.60}") from error

    def perft(self, depth: int, bulk: bool = True) -> int:
        """Count the move sequences of ``depth`` plies (0 to 100); ``bulk``: do not play the last ply."""
        try:
            return super().perft(depth, bulk)
        except _kernel.TooManyCaptures as error:
            raise TooManyCaptures(str(error)) from error
        except ValueError as error:
            raise CrownheadError(str(error)) from error
        except TypeError as error:
            raise CrownheadError(f"expected a depth in plies, got {depth!r:.60}") from error

    def outcome(self) -> Outcome | None:
        """Return the outcome if this position decides the game, else None; draws are handled by ``Game``."""
        try:
            decided = super().ending()
        except _kernel.TooManyCaptures as error:
            raise TooManyCaptures(str(error)) from error
        return None if decided is None else _outcome(*decided)

    def parse(self, text: str) -> Move:
        """Return the legal move for a text such as ``22x8``, ``22x15x8``, ``22-18`` or ``c3:e5``.

        Raises ``NotationError``, ``IllegalMove`` or ``AmbiguousMove``.
        """
        return provider.notation.parse_move(self, text)

    def notation(self, move: Move) -> str:
        """Return a move in PDN notation: short, unless two legal moves share origin and target."""
        if not isinstance(move, Move):
            raise CrownheadError(f"expected a move, got {move!r:.60}")
        return provider.notation.write_move(self, move)

    def notations(self) -> Mapping[Move, str]:
        """Return all legal moves with their notation, ascending by path; the moves are generated once.

        Raises ``TooManyCaptures``.
        """
        return provider.notation.write_legal_moves(self)

    def fen(self) -> str:
        """Return the position as FEN (PDN 3.0)."""
        return provider.notation.write_fen(self)

    def mirror(self) -> Self:
        """Return the position as the other side sees it: colours swapped, and the board turned by 180°.

        Legal moves and results correspond; the mirror of a mirror is the position itself. Raises
        ``CrownheadError`` where the laws are not the same for both sides.
        """
        row = self.variant
        if row.rules.one_way:
            raise CrownheadError(f"expected laws that are the same for both sides, got {row.name}")
        turned = turned_numbers(row.board, row.notation)
        pieces = {
            turned[number]: replace(piece, colour=piece.colour.opponent)
            for number, piece in self.pieces.items()
        }
        runs = {
            colour.opponent: KingRun(turned[run.square], run.steps) for colour, run in self.king_runs.items()
        }
        setup = replace(self.setup(), turn=self.turn.opponent, pieces=pieces, king_runs=runs)
        return self.from_setup(setup)

    def svg(
        self,
        *,
        flip: bool = False,
        numbers: str = "inside",
        numbering: str = "native",
        last_move: Move | None = None,
        marks: Marks = (),
        arrows: Arrows = (),
        theme: ThemeLike | str = "light",
        size: int | None = None,
    ) -> str:
        """Return the board as an SVG document; ``crownhead.notation.svg.draw`` explains the options."""
        return provider.notation.svg_diagram(
            self,
            flip=flip,
            numbers=numbers,
            numbering=numbering,
            last_move=last_move,
            marks=marks,
            arrows=arrows,
            theme=theme,
            size=size,
        )

    def __str__(self) -> str:
        """Return the board as text."""
        return provider.notation.text_diagram(self)

    def __repr__(self) -> str:
        """Return an expression that recreates the position; a row of one's own stands in it as a word."""
        variant = repr(self.variant_key) if is_known(self.variant) else f"<{self.variant_key}, own rules>"
        return f"Position.from_fen({self.fen()!r}, {variant})"

    def _repr_svg_(self) -> str:
        return self.svg()


@cache
def _outcome(termination: str, black_wins: bool) -> Outcome:
    return Outcome(Colour.BLACK if black_wins else Colour.WHITE, Termination(termination))


@cache
def _pieces(marked: PieceKind | None) -> tuple[Piece, ...]:
    """Return the kinds of pieces in the order of the kernel's arguments."""
    plain = tuple(Piece(colour, kind) for colour in Colour for kind in (PieceKind.MAN, PieceKind.KING))
    return plain + tuple(Piece(colour, marked or PieceKind.MULE) for colour in Colour)
