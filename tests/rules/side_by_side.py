"""The kernel and the oracle side by side: a game in both, compared at each ply in all that can be seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from crownhead import Colour, Move, Outcome, Piece, PieceKind, Position, Setup, Termination
from crownhead.rules.schema import Variant
from crownhead.rules.setup import KingRun
from tests.reference import board
from tests.reference.captures import TooSlow
from tests.reference.endings import ending
from tests.reference.fen import to_fen
from tests.reference.moves import Identity, Moves, Route, legal_moves, play

ROUTES_TRIED = 8  # of each move, as texts


class Disagreement(AssertionError):
    """The kernel and the oracle differ: in what, who says what, and where."""

    def __init__(self, about: str, *, kernel: object, oracle: object, where: board.Arrangement) -> None:
        self.about = about
        super().__init__(
            f"{about} in {to_fen(where)} of {where.variant.key}, runs {named_runs(where)}:"
            f"\n  kernel: {kernel}\n  oracle: {oracle}"
        )


def play_side_by_side(
    start: board.Arrangement, choices: Iterable[int], *, texts: bool = True, row: Variant | None = None
) -> int:
    """Compare each position of the game; the number of plies compared. Raises ``Disagreement``.

    ``texts``: compare what is written and read as well. ``row``: what the kernel plays by, if that is not
    the oracle's row.
    """
    plies = 0
    for arrangement, position, moves in walk(start, choices, row):
        _compare_boards(arrangement, position)
        _compare_moves(arrangement, moves, position)
        _compare_endings(arrangement, moves, position)
        if texts:
            _compare_move_texts(arrangement, moves, position)
            _compare_fens(arrangement, position)
        plies += 1
    return plies


def walk(
    start: board.Arrangement, choices: Iterable[int], row: Variant | None = None
) -> Iterator[tuple[board.Arrangement, Position, Moves]]:
    """The positions of a game by ``choices`` among the sorted legal moves, in both implementations.

    It ends where there is no choice or no move left, or the oracle has no patience for the captures.
    """
    arrangement, position, choosing = start, position_of(start, row), iter(choices)
    while True:
        try:
            moves = legal_moves(arrangement)
        except TooSlow:
            return
        yield arrangement, position, moves
        choice = next(choosing, None)
        if choice is None or not moves:
            return
        ordered = sorted(moves, key=lambda move: (*move[:2], sorted(move.captures), move.crowned))
        chosen = ordered[choice % len(ordered)]
        position = position.play({_identity(move): move for move in position.legal_moves()}[chosen])
        arrangement = play(arrangement, chosen)


def position_of(arrangement: board.Arrangement, row: Variant | None = None) -> Position:
    """The library's position of an arrangement, by its own row or by another."""
    runs = {colour: KingRun(*run) for colour, run in named_runs(arrangement).items()}
    pieces = {square: Piece(*piece) for square, piece in _numbered(arrangement).items()}
    return Position.from_setup(Setup(row or arrangement.variant, arrangement.turn, pieces, runs))


def named_runs(arrangement: board.Arrangement) -> Mapping[Colour, tuple[int, int]]:
    """The runs of kings by square number."""
    variant = arrangement.variant
    return {
        colour: (board.number_of(variant, run.cell), run.steps) for colour, run in arrangement.runs.items()
    }


def sane(variant: Variant, turn: Colour, pieces: Mapping[int, tuple[Colour, PieceKind]]) -> board.Arrangement:
    """The arrangement of pieces, each as what it can be where it stands."""
    return board.arrange(
        variant, turn, {number: _fitting(variant, number, *piece) for number, piece in pieces.items()}
    )


def _fitting(variant: Variant, number: int, colour: Colour, kind: PieceKind) -> tuple[Colour, PieceKind]:
    """Men are kings where men are crowned, parachutists wait nowhere but on their far row."""
    cell = board.cell_of(variant, number)
    if kind is PieceKind.PARACHUTIST and board.is_far_row(variant, colour, cell):
        return colour, kind
    crowned = kind is not PieceKind.MULE and board.is_crowning_cell(variant, colour, cell)
    if crowned:
        return colour, PieceKind.KING
    return colour, PieceKind.MAN if kind is PieceKind.PARACHUTIST else kind


def _compare_boards(arrangement: board.Arrangement, position: Position) -> None:
    kernel = {square: (piece.colour, piece.kind) for square, piece in position.pieces.items()}
    oracle = {square: tuple(piece) for square, piece in _numbered(arrangement).items()}
    _agree("the pieces", kernel, oracle, arrangement)
    _agree("the side to move", position.turn, arrangement.turn, arrangement)
    runs = {colour: tuple(run) for colour, run in position.king_runs.items()}
    _agree("the runs of kings", runs, dict(named_runs(arrangement)), arrangement)


def _compare_moves(arrangement: board.Arrangement, moves: Moves, position: Position) -> None:
    legal = position.legal_moves()
    identities = {_identity(move) for move in legal}
    if identities != set(moves):
        only_kernel, only_oracle = identities - set(moves), set(moves) - identities
        raise Disagreement("the legal moves", kernel=only_kernel, oracle=only_oracle, where=arrangement)
    _agree("the number of legal moves", len(legal), len(moves), arrangement)
    paths = [move.path for move in legal]
    _agree("the order of moves", paths, sorted(paths), arrangement)
    for move in legal:
        route = Route(move.path, move.captures)
        if route not in moves[_identity(move)]:
            raise Disagreement("the route", kernel=route, oracle=moves[_identity(move)], where=arrangement)


def _compare_endings(arrangement: board.Arrangement, moves: Moves, position: Position) -> None:
    oracle = ending(arrangement, has_moves=bool(moves))
    expected = None if oracle is None else Outcome(oracle.winner, Termination(oracle.reason))
    _agree("the outcome", position.outcome(), expected, arrangement)


def _compare_move_texts(arrangement: board.Arrangement, moves: Moves, position: Position) -> None:
    """A move's own text means that move; any legal route to it, written in full, is understood."""
    for move in position.legal_moves():
        text = position.notation(move)
        _agree(f"the meaning of {text}", position.parse(text), move, arrangement)
    for identity, routes in moves.items():
        for route in routes[:ROUTES_TRIED]:
            found = {_identity(move) for move in position.find(route.path)}
            _agree(f"the move by {route.path}", found & {identity}, {identity}, arrangement)


def _compare_fens(arrangement: board.Arrangement, position: Position) -> None:
    again = Position.from_fen(position.fen(), position.variant)
    _agree(f"the position of {position.fen()}", again, position, arrangement)
    _agree("the FEN read and written", again.fen(), position.fen(), arrangement)
    if not arrangement.runs:
        plain = Position.from_fen(to_fen(arrangement), position.variant)
        _agree("the position of plain numbers", plain, position, arrangement)
        _agree("its hash", hash(plain), hash(position), arrangement)


def _agree(about: str, kernel: object, oracle: object, where: board.Arrangement) -> None:
    if kernel != oracle:
        raise Disagreement(about, kernel=kernel, oracle=oracle, where=where)


def _numbered(arrangement: board.Arrangement) -> dict[int, board.Piece]:
    return {board.number_of(arrangement.variant, cell): p for cell, p in arrangement.pieces.items()}


def _identity(move: Move) -> Identity:
    return Identity(move.origin, move.target, frozenset(move.captures), move.crowns)
