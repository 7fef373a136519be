"""Pictures of how pieces move and take, made from what the laws allow in small positions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from crownhead import Colour, CrownheadError, Move, Piece, PieceKind, Position, Variant
from crownhead.rules.geometry import is_crown_square, squares
from crownhead.rules.schema import Crowning, Direction, Grid, Landing, Priority
from crownhead.rules.setup import Setup
from crownhead.server.play.presenters.board.diagrams import Diagram, Marks, draw_pieces
from crownhead.server.play.presenters.board.words import takes_itself_off

At = tuple[int, int]  # file and rank from 0 at White's lower left

_WAYS: Mapping[Direction, At] = {
    Direction.FORWARD: (0, 1),
    Direction.FORWARD_RIGHT: (1, 1),
    Direction.RIGHT: (1, 0),
    Direction.BACKWARD_RIGHT: (1, -1),
    Direction.BACKWARD: (0, -1),
    Direction.BACKWARD_LEFT: (-1, -1),
    Direction.LEFT: (-1, 0),
    Direction.FORWARD_LEFT: (-1, 1),
}
_MAN = Piece(Colour.WHITE)
_KING = Piece(Colour.WHITE, PieceKind.KING)
_THEIR_MAN = Piece(Colour.BLACK)
_THEIR_KING = Piece(Colour.BLACK, PieceKind.KING)


@dataclass(frozen=True, slots=True)
class Picture:
    """A small board and what it shows."""

    title: str
    diagram: Diagram


def pictures(variant: Variant) -> tuple[Picture, ...]:
    """What is worth a picture: steps and captures of each kind of piece, and what is particular."""
    return tuple(picture for make in _PICTURES for picture in make(_Table(variant)) if picture)


@dataclass(frozen=True, slots=True)
class _Table:
    """A variant's board to put pieces on, White being the side to move and at the bottom."""

    variant: Variant

    def number(self, at: At) -> int:
        """The square at a place; 0 where none is played on."""
        return self._numbers().get(at, 0)

    def centre(self, *, rank: float | None = None) -> At:
        """The played square nearest to the middle of the board, or of a rank."""
        board = self.variant.board
        file, height = (board.width - 1) / 2, (board.height - 1) / 2 if rank is None else rank
        return min(
            self._numbers(), key=lambda at: (abs(at[0] - file) + 2 * abs(at[1] - height), at[1], at[0])
        )

    def along(self, start: At, way: Direction) -> list[At]:
        """The squares of a line, from the one next to ``start`` on."""
        across, up = _WAYS[way]
        stride = 2 if self.variant.board.grid is Grid.CHECKERED and 0 in (across, up) else 1
        line: list[At] = []
        file, rank = start[0] + stride * across, start[1] + stride * up
        while self.number((file, rank)):
            line.append((file, rank))
            file, rank = file + stride * across, rank + stride * up
        return line

    def moves(self, pieces: Mapping[At, Piece], origin: At) -> list[Move]:
        """What the piece on ``origin`` may do at most; nothing where the laws know no such position."""
        placed = {self.number(at): piece for at, piece in pieces.items()}
        tried = ({}, *self._bystanders(frozenset(placed)))
        by_bystanders = (self._found(placed, bystanders) for bystanders in tried)
        here = self.number(origin)
        return max(([move for move in moves if move.origin == here] for moves in by_bystanders), key=_freedom)

    def _found(self, placed: Mapping[int, Piece], bystanders: Mapping[int, Piece]) -> Sequence[Move]:
        """The legal moves; none where the bystanders are drawn into them."""
        try:
            setup = Setup(self.variant, Colour.WHITE, {**bystanders, **placed})
            moves = Position.from_setup(setup).legal_moves()
        except CrownheadError:
            return ()
        return moves if all(bystanders.keys().isdisjoint(move.captures) for move in moves) else ()

    def picture(self, title: str, pieces: Mapping[At, Piece], moves: Iterable[Move]) -> Picture | None:
        """The pieces with everything known about their moves: targets, and the paths of captures."""
        pictured = list(moves)
        if not pictured:
            return None
        placed = {self.number(at): piece for at, piece in pieces.items()}
        marks = Marks(
            dots={move.target for move in pictured},
            arrows=[move.path for move in pictured if move.captures],
        )
        label = f"{title}. {self._description(pictured)}"
        return Picture(
            title,
            draw_pieces(self.variant, placed, bottom=Colour.WHITE, label=label, marks=marks, detailed=True),
        )

    def _description(self, moves: list[Move]) -> str:
        names = {at.number: at.name for at in squares(self.variant.board, self.variant.notation).values()}
        targets = ", ".join(names[square] for square in sorted({move.target for move in moves}))
        return _("From %(origin)s to %(targets)s") % {"origin": names[moves[0].origin], "targets": targets}

    def _bystanders(self, taken: frozenset[int]) -> Iterator[dict[int, Piece]]:
        """Pieces that keep the game going but stand out of the way, to be tried in turn."""
        start, marked = self.variant.start, self.variant.rules.marked
        keep = PieceKind.MULE if marked is PieceKind.MULE else None
        for black in sorted(start.black - taken, key=lambda at: (at in start.marked, at)):
            others = {black: _THEIR_MAN} if black not in start.marked else {}
            if keep:
                pairs = ((Colour.BLACK, start.black), (Colour.WHITE, start.white))
                others |= {
                    min((side & start.marked) - taken): Piece(colour, keep)
                    for colour, side in pairs
                    if (side & start.marked) - taken
                }
            if others:
                yield others

    def _numbers(self) -> dict[At, int]:
        return {
            (square.file, square.rank): square.number
            for square in squares(self.variant.board, self.variant.notation).values()
        }


def _freedom(moves: Sequence[Move]) -> tuple[int, int]:
    """How long the captures are, how many moves there are: a bystander in the way makes it less."""
    return max((len(move.captures) for move in moves), default=0), len(moves)


Pictures = Iterator[Picture | None]


def _steps(table: _Table) -> Pictures:
    here = table.centre()
    for piece, title in ((_MAN, _("A man moves")), (_KING, _("A king moves"))):
        if piece is _KING and not _has_kings(table.variant):
            continue
        pieces = {here: piece}
        yield table.picture(title, pieces, (move for move in table.moves(pieces, here) if not move.captures))


def _captures(table: _Table) -> Pictures:
    rules = table.variant.rules
    yield _taking(table, _MAN, _THEIR_MAN, rules.man_captures, _("A man takes"))
    if not _has_kings(table.variant):
        return
    yield _taking(table, _KING, _THEIR_MAN, rules.king_captures, _("A king takes"))
    if rules.landing is Landing.BEHIND_LAST_KING:
        yield _taking(table, _KING, _THEIR_KING, rules.king_captures, _("A king takes a king"))


def _taking(
    table: _Table, piece: Piece, victim: Piece, ways: Iterable[Direction], title: str
) -> Picture | None:
    """One piece in the middle and what it takes in every direction, each worked out by itself."""
    here = table.centre()
    victims: dict[At, Piece] = {}
    moves: list[Move] = []
    for way in sorted(ways):
        line = table.along(here, way)
        places = _victims(table, piece, line)
        alone = dict.fromkeys(places, victim)
        captures = [move for move in table.moves({here: piece, **alone}, here) if move.captures]
        if places and captures:
            victims |= alone
            moves += captures
    return table.picture(title, {here: piece, **victims}, moves)


def _victims(table: _Table, piece: Piece, line: list[At]) -> list[At]:
    """Where to put what is taken: next to a man, further off for a flying king."""
    rules = table.variant.rules
    if rules.jumps_only:
        return line[0 : max(len(line) - 1, 0) : 2]
    if piece.kind is PieceKind.KING and rules.flying_king and len(line) > 2:
        return [line[1]]
    return line[:1] if len(line) > 1 else []


def _quantity(table: _Table) -> Pictures:
    """One piece or two: the law leaves no choice."""
    rules = table.variant.rules
    if not {Priority.MAX_PIECES, Priority.MAX_VALUE} & set(rules.priority):
        return
    here = table.centre(rank=1)
    for two, one in _PAIRS:
        far, near = table.along(here, two), table.along(here, one)
        if {two, one} <= rules.man_captures and len(far) > 3 and len(near) > 1:
            pieces = {here: _MAN, far[0]: _THEIR_MAN, far[2]: _THEIR_MAN, near[0]: _THEIR_MAN}
            yield table.picture(_("You must take two, not one"), pieces, table.moves(pieces, here))
            return


_PAIRS = (
    (Direction.FORWARD_RIGHT, Direction.FORWARD_LEFT),
    (Direction.FORWARD_LEFT, Direction.FORWARD_RIGHT),
    (Direction.FORWARD, Direction.LEFT),
)


def _kings_first(table: _Table) -> Pictures:
    """A man and a king could take alike: the king must."""
    if Priority.WITH_KING not in table.variant.rules.priority:
        return
    man, king = table.centre(rank=1), table.centre(rank=table.variant.board.height - 3)
    near, far = table.along(man, Direction.FORWARD_LEFT), table.along(king, Direction.BACKWARD_RIGHT)
    if man == king or not near or not far:  # a small board
        return
    pieces = {man: _MAN, near[0]: _THEIR_MAN, king: _KING, far[0]: _THEIR_MAN}
    yield table.picture(_("The king must take, not the man"), pieces, table.moves(pieces, king))


def _lines(table: _Table) -> Pictures:
    if not table.variant.rules.lines_step:
        return
    here = table.centre(rank=1)
    ahead, aslant = table.along(here, Direction.FORWARD), table.along(here, Direction.FORWARD_RIGHT)
    pieces = dict.fromkeys((here, *ahead[:2], *aslant[:1]), _MAN)
    yield table.picture(_("A man jumps over its own men"), pieces, table.moves(pieces, here))


def _parachutists(table: _Table) -> Pictures:
    variant = table.variant
    if variant.rules.marked is not PieceKind.PARACHUTIST:
        return
    starts = variant.start.white & variant.start.marked
    places = [(square.file, square.rank) for square in squares(variant.board, variant.notation).values()]
    if not starts:
        return
    here = min((at for at in places if table.number(at) in starts), key=lambda at: abs(at[0] - 3))
    victims = [
        line[0]
        for way in (Direction.BACKWARD_LEFT, Direction.BACKWARD_RIGHT)
        if (line := table.along(here, way)) and len(line) > 1
    ]
    pieces = {here: Piece(Colour.WHITE, PieceKind.PARACHUTIST), **dict.fromkeys(victims, _THEIR_MAN)}
    yield table.picture(_("A parachutist takes and becomes a man"), pieces, table.moves(pieces, here))


def _removals(table: _Table) -> Pictures:
    """The pieces with which a game can begin that begins by taking one off."""
    start = Position.start(table.variant)
    off = [move.origin for move in start.legal_moves() if takes_itself_off(move)]
    if off:
        title = _("One of these is removed first")
        marks = Marks(rings=off)
        yield Picture(
            title,
            draw_pieces(
                table.variant, start.pieces, bottom=Colour.WHITE, label=title, marks=marks, detailed=True
            ),
        )


def _crown_squares(table: _Table) -> Pictures:
    """Where men are crowned, if not on the row that everybody expects."""
    variant = table.variant
    if variant.rules.crowning is Crowning.FAR_ROW and not variant.rules.one_way:
        return
    places = squares(variant.board, variant.notation).values()
    rings = [at.number for at in places if is_crown_square(variant.board, variant.rules, Colour.WHITE, at)]
    if rings:
        title = _("Where White's men are crowned")
        yield Picture(
            title, draw_pieces(variant, {}, bottom=Colour.WHITE, label=title, marks=Marks(rings=rings))
        )


def _has_kings(variant: Variant) -> bool:
    return variant.rules.crowning is not Crowning.NEVER


_PICTURES = (_removals, _steps, _captures, _quantity, _kings_first, _lines, _parachutists, _crown_squares)
