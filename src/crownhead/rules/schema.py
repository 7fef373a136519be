"""The columns of the variant table: what a board, a rule set and a draw rule are made of.

Plain data that depends only on the standard library, because the build of the kernel reads it
before the package can be imported.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Colour(StrEnum):
    """A side, by its colour in official rules and FEN; red pieces are Black here.

    White always starts at the bottom of the board and moves up.
    """

    BLACK = "black"
    WHITE = "white"

    @property
    def opponent(self) -> Colour:
        """The other side."""
        return Colour.WHITE if self is Colour.BLACK else Colour.BLACK

    @property
    def letter(self) -> str:
        """``B`` or ``W``, as in FEN and PDN."""
        return self.value[0].upper()


class PieceKind(StrEnum):
    """The kind of a piece: men, kings, and the special men of some variants."""

    MAN = "man"
    KING = "king"
    MULE = "mule"  # moves like a man, is never crowned, affects the result of the game
    PARACHUTIST = "parachutist"  # waits on its far row; captures once, backward, and becomes a man


class Direction(StrEnum):
    """A direction, as the moving side sees the board."""

    FORWARD_LEFT = "forward-left"
    FORWARD = "forward"
    FORWARD_RIGHT = "forward-right"
    LEFT = "left"
    RIGHT = "right"
    BACKWARD_LEFT = "backward-left"
    BACKWARD = "backward"
    BACKWARD_RIGHT = "backward-right"


NOWHERE: frozenset[Direction] = frozenset()
DIAGONALLY_FORWARD = frozenset({Direction.FORWARD_LEFT, Direction.FORWARD_RIGHT})
DIAGONALLY_BACKWARD = frozenset({Direction.BACKWARD_LEFT, Direction.BACKWARD_RIGHT})
DIAGONALLY = DIAGONALLY_FORWARD | DIAGONALLY_BACKWARD
SIDEWAYS = frozenset({Direction.LEFT, Direction.RIGHT})
FORWARD_OR_SIDEWAYS = SIDEWAYS | {Direction.FORWARD}
ORTHOGONALLY = FORWARD_OR_SIDEWAYS | {Direction.BACKWARD}
ANYWHERE = DIAGONALLY | ORTHOGONALLY
_BACKWARD = DIAGONALLY_BACKWARD | {Direction.BACKWARD}


class Corner(StrEnum):
    """A corner of the board as White, at the bottom, sees it."""

    TOP_LEFT = "top-left"
    TOP_RIGHT = "top-right"
    BOTTOM_LEFT = "bottom-left"
    BOTTOM_RIGHT = "bottom-right"


class Priority(StrEnum):
    """A component of the sort key of captures; only those with the greatest key are legal."""

    MAX_PIECES = "most-pieces"  # the quantity law
    MAX_VALUE = "most-value"  # a king counts for just less than two men
    WITH_KING = "with-king"  # the capturing piece is a king
    MAX_KINGS = "most-kings"  # the quality law: kings taken
    KINGS_FIRST = "kings-first"  # the capture that takes a king earliest, then the next king …


class Promotion(StrEnum):
    """What happens when a man reaches the crown row during a capture."""

    STOP = "stop"  # is crowned, and the move ends
    PASS = "pass"  # continues as a man if it can; is crowned only if the capture ends there
    CONTINUE = "continue"  # is crowned at once and continues as a king


class Crowning(StrEnum):
    """Where men are crowned."""

    FAR_ROW = "far-row"
    FAR_CORNER = "far-corner"  # the two squares next to the unplayable corner of the far row
    NEVER = "never"


class Removal(StrEnum):
    """When captured pieces leave the board; until then they block the way."""

    AFTER_MOVE = "after-move"
    AT_ONCE = "at-once"


class Landing(StrEnum):
    """Where a flying king may land behind a captured piece."""

    ANYWHERE = "anywhere"
    BEHIND = "behind"  # directly
    BEHIND_LAST_KING = "behind-last-king"  # directly behind, if the last captured piece is a king


class Objective(StrEnum):
    """Who wins; most games end when the side to move has no pieces or no legal move."""

    OPPONENT_WINS = "opponent-wins"
    MOVER_WINS = "mover-wins"
    FIRST_KING = "first-king"  # the first side to crown a man; a side without a move before that loses


class Progress(StrEnum):
    """What resets a no-progress counter to zero."""

    CAPTURE = "capture"
    MAN_MOVE = "man-move"
    CROWNING = "crowning"


class Grid(StrEnum):
    """Which squares of a board are playable, and how they are connected."""

    # Squares of one colour. Sideways and straight ahead, the next such square is two files or ranks away.
    CHECKERED = "checkered"
    FULL = "full"  # every square
    LINES = "lines"  # every point; diagonals only through points of the corners' colour


@dataclass(frozen=True, slots=True)
class Board:
    """A board of ``width`` × ``height`` squares.

    ``left_corner``: the square at White's lower left is playable.
    """

    width: int
    height: int
    left_corner: bool = True
    grid: Grid = Grid.CHECKERED

    @property
    def squares(self) -> int:
        """The number of playable squares."""
        squares = self.width * self.height
        # Of an odd number, the corners' colour has one more.
        return (squares + (1 if self.left_corner else 0)) // 2 if self.grid is Grid.CHECKERED else squares

    def is_played(self, file: int, rank: int) -> bool:
        """Whether the square is playable; file and rank count from 0 at White's lower left."""
        return self.grid is not Grid.CHECKERED or ((file + rank) % 2 == 0) == self.left_corner


@dataclass(frozen=True, slots=True)
class Notation:
    """How squares and captures of a variant are written (PDN 3.0, gametype)."""

    game_type: int | None  # PDN GameType number; None if the standard has none
    first_square: Corner  # corner of square 1 as White sees it; numbers run along the rows
    algebraic: bool = False  # squares are written a1 … h8
    capture_sign: str = "x"
    a1: Corner = Corner.BOTTOM_LEFT  # corner of a1 as White sees it; letters run along the rows
    private_game_type: int | None = None  # a number used by a site, for reading


@dataclass(frozen=True, slots=True)
class Rules:
    """How pieces move, which captures are compulsory, and who wins.

    Directions are as the moving side sees them; sets of directions are symmetric left to right.
    """

    flying_king: bool
    promotion: Promotion = Promotion.STOP
    man_steps: frozenset[Direction] = DIAGONALLY_FORWARD
    man_captures: frozenset[Direction] = DIAGONALLY_FORWARD
    man_goes_on: frozenset[Direction] | None = (
        None  # for further captures in the same move; None: as for the first
    )
    king_steps: frozenset[Direction] = DIAGONALLY
    king_captures: frozenset[Direction] = DIAGONALLY
    man_captures_king: bool = True
    priority: tuple[Priority, ...] = ()  # lexicographic; empty: any capture
    removal: Removal = Removal.AFTER_MOVE
    landing: Landing = Landing.ANYWHERE
    may_reverse: bool = False  # whether a king may turn by 180° between two captures of a move
    crowning: Crowning = Crowning.FAR_ROW
    objective: Objective = Objective.OPPONENT_WINS
    marked: PieceKind | None = None  # the kind of special men, if any
    one_way: bool = False  # Black's men move in the same direction as White's
    lines_step: bool = False  # a man may move over an unbroken line of its own men to the square beyond
    rests_on_far_row: bool = False  # a man there can only capture
    # Every move is a capture in one line that may stop after any piece, except the first two moves, which
    # remove one of the mover's own pieces.
    jumps_only: bool = False
    king_run: int = 0  # how often in a row a side with men may move the same king; 0: no limit

    @property
    def man_captures_backward(self) -> bool:
        """Whether men can start a capture backward."""
        return bool(self.man_captures & _BACKWARD)

    @property
    def man_captures_again(self) -> frozenset[Direction]:
        """The directions in which men can continue a capture."""
        return self.man_captures if self.man_goes_on is None else self.man_goes_on


@dataclass(frozen=True, slots=True)
class RepetitionDraw:
    """A draw when a position, with the same side to move, occurs for the ``times``-th time."""

    times: int
    automatic: bool
    article: str


@dataclass(frozen=True, slots=True)
class NoProgressDraw:
    """A draw after ``moves_each`` moves by each side without any of ``resets``."""

    moves_each: int
    resets: frozenset[Progress]
    automatic: bool
    article: str


@dataclass(frozen=True, slots=True)
class MaterialDraw:
    """A draw after ``moves_each`` moves by each side with material ``strong`` against ``weak``.

    Material is written with kings first: ``KKM`` is two kings and a man; both sides have a king.
    Counting starts when material of these kinds arises; a change from one of them to another, such as a
    crowning, does not start it again. ``on_main_road``: only while the weak side, a single king, is on the
    long diagonal.
    """

    strong: frozenset[str]
    weak: frozenset[str]
    moves_each: int
    automatic: bool
    article: str
    on_main_road: bool = False


@dataclass(frozen=True, slots=True)
class BalanceDraw:
    """A draw after ``moves_each`` moves by each side, both with kings, without a change of material.

    Captures and crownings change it. ``pieces``: the minimum and maximum number of pieces on the board.
    """

    pieces: tuple[int, int]
    moves_each: int
    automatic: bool
    article: str


DrawRule = RepetitionDraw | NoProgressDraw | MaterialDraw | BalanceDraw


@dataclass(frozen=True, slots=True)
class DrawRules:
    """A named set of draw rules."""

    key: str
    name: str
    rules: tuple[DrawRule, ...]


@dataclass(frozen=True, slots=True)
class Start:
    """The start position, in the variant's own square numbers.

    ``marked`` are the squares in ``black`` and ``white`` with men of the kind ``Rules.marked``.
    """

    black: frozenset[int]
    white: frozenset[int]
    first: Colour
    marked: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Variant:
    """One row of the table."""

    key: str
    name: str
    summary: str  # the rules in one paragraph
    board: Board
    notation: Notation
    start: Start
    rules: Rules
    draws: DrawRules  # the official rules of its federation
    opening_plies: int = 0  # plies of the opening, drawn from a deck of ballots
    dark_name: str = "Black"  # the name of the darker side; "Red" in the American family

    def __hash__(self) -> int:
        # Rows are the keys of many caches; to hash every column would take longer than what is cached.
        return hash(self.key)
