"""The columns of the variant table: what a board, a rule set and a draw rule are made of.

Plain data with no dependency beyond the standard library: the kernel's build reads it
before anything of the package can be imported.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Colour(StrEnum):
    """A side, by the colour federations and FEN give it; red pieces are Black here.

    White always starts at the bottom of the board as the table draws it and moves up.
    """

    BLACK = "black"
    WHITE = "white"

    @property
    def opponent(self) -> Colour:
        """The other side."""
        return Colour.WHITE if self is Colour.BLACK else Colour.BLACK

    @property
    def letter(self) -> str:
        """``B`` or ``W``, as FEN and PDN write it."""
        return self.value[0].upper()


class PieceKind(StrEnum):
    """What stands on a square; besides men and kings, the men that some variants mark."""

    MAN = "man"
    KING = "king"
    MULE = "mule"  # moves as a man, is never crowned, decides the game otherwise (S4)
    PARACHUTIST = "parachutist"  # waits on its far row; takes once, backwards, and is a man from then on


class Direction(StrEnum):
    """Where a piece may go, as the side that moves it looks at the board."""

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
    """One component of the sort key that captures compete by, the greatest alone being legal."""

    MOST_PIECES = "most-pieces"  # the quantity law
    MOST_VALUE = "most-value"  # a king counts for just less than two men
    WITH_KING = "with-king"  # the capturing piece is a king
    MOST_KINGS = "most-kings"  # the quality law: kings taken
    KINGS_FIRST = "kings-first"  # the line that meets a king earliest, then the next king …


class Promotion(StrEnum):
    """What happens when a man reaches the crown row inside a capture."""

    STOP = "stop"  # crowned, the move ends
    PASS = "pass"  # goes on as a man if it can; crowned only if the capture ends there
    CONTINUE = "continue"  # crowned at once, goes on as a king


class Crowning(StrEnum):
    """Where men are crowned."""

    FAR_ROW = "far-row"
    FAR_CORNER = "far-corner"  # the two squares beside the far row's corner that is not played on
    NEVER = "never"


class Removal(StrEnum):
    """When taken pieces leave the board; until then they stand in the way."""

    AFTER_MOVE = "after-move"
    AT_ONCE = "at-once"


class Landing(StrEnum):
    """Where a flying king may stop behind a piece it takes."""

    ANYWHERE = "anywhere"
    BEHIND = "behind"  # directly
    BEHIND_LAST_KING = "behind-last-king"  # directly, if the last piece taken is a king


class Objective(StrEnum):
    """Who wins: most games end when the side to move has no piece or no legal move."""

    OPPONENT_WINS = "opponent-wins"
    MOVER_WINS = "mover-wins"
    FIRST_KING = "first-king"  # who crowns a man first; a side that is stuck before that loses


class Progress(StrEnum):
    """What sets a no-progress counter back to nought."""

    CAPTURE = "capture"
    MAN_MOVE = "man-move"
    CROWNING = "crowning"


class Grid(StrEnum):
    """Which squares of a board are played on, and what leads from one to the next."""

    # Squares of one colour. Sideways and straight ahead lead to the next of them, two files or ranks away.
    CHECKERED = "checkered"
    FULL = "full"  # every square
    LINES = "lines"  # every point; diagonals lead through those of one colour, that of the corners, alone


@dataclass(frozen=True, slots=True)
class Board:
    """A board of ``width`` × ``height`` squares.

    ``left_corner``: the square at White's lower left is played on.
    """

    width: int
    height: int
    left_corner: bool = True
    grid: Grid = Grid.CHECKERED

    @property
    def squares(self) -> int:
        """How many squares are played on."""
        return self.width * self.height // (2 if self.grid is Grid.CHECKERED else 1)

    def is_played(self, file: int, rank: int) -> bool:
        """Whether pieces stand on the square; file and rank from 0 at White's lower left."""
        return self.grid is not Grid.CHECKERED or ((file + rank) % 2 == 0) == self.left_corner


@dataclass(frozen=True, slots=True)
class Notation:
    """How squares and captures of a variant are written (PDN 3.0, gametype)."""

    game_type: int | None  # PDN GameType number; None where the standard has none
    first_square: Corner  # where number 1 lies as White sees it; numbers run along the rows
    algebraic: bool = False  # squares are written a1 … h8
    capture_sign: str = "x"
    a1: Corner = Corner.BOTTOM_LEFT  # where a1 lies as White sees it; letters run along the rows
    private_game_type: int | None = None  # a number that a house gave it, for reading


@dataclass(frozen=True, slots=True)
class Rules:
    """How pieces move, what must be captured and what a stuck side means.

    Directions are those of the side that moves; a set of them is the same to the left and to the right.
    """

    flying_king: bool
    promotion: Promotion = Promotion.STOP
    man_steps: frozenset[Direction] = DIAGONALLY_FORWARD
    man_captures: frozenset[Direction] = DIAGONALLY_FORWARD
    man_goes_on: frozenset[Direction] | None = None  # to capture again in the same move; None: as at first
    king_steps: frozenset[Direction] = DIAGONALLY
    king_captures: frozenset[Direction] = DIAGONALLY
    man_captures_king: bool = True
    priority: tuple[Priority, ...] = ()  # lexicographic; empty: any capture
    removal: Removal = Removal.AFTER_MOVE
    landing: Landing = Landing.ANYWHERE
    may_reverse: bool = False  # between two captures of a move, turn round by 180°
    crowning: Crowning = Crowning.FAR_ROW
    objective: Objective = Objective.OPPONENT_WINS
    marked: PieceKind | None = None  # the kind of the men that are marked, where there are such
    one_way: bool = False  # Black's men go the way of White's
    lines_step: bool = False  # a man may pass over an unbroken line of its own men to the square ahead of it
    rests_on_far_row: bool = False  # a man there does not step any more
    # A capture keeps to one line and may end after any piece taken; nothing else is ever played, but
    # that the first two moves take a piece of one's own from the board.
    jumps_only: bool = False
    king_run: int = 0  # steps in a row that a side with men may make with the same king; 0: any number

    @property
    def man_captures_backward(self) -> bool:
        """Whether men can begin a capture backward."""
        return bool(self.man_captures & _BACKWARD)

    @property
    def man_captures_again(self) -> frozenset[Direction]:
        """Where men can capture once they have captured."""
        return self.man_captures if self.man_goes_on is None else self.man_goes_on


@dataclass(frozen=True, slots=True)
class RepetitionDraw:
    """A draw when a position, with the same side to move, stands for the ``times``-th time."""

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
    """A draw after ``moves_each`` moves by each side while one had ``strong`` left and the other ``weak``.

    Forces are written as the articles do, kings first: ``KKM`` two kings and a man; each has a king.
    Counted from the move that brought them about, and anew after any of ``resets``.
    ``on_main_road``: only while the weak side, a single king, stands on the long diagonal.
    """

    strong: frozenset[str]
    weak: frozenset[str]
    moves_each: int
    automatic: bool
    article: str
    resets: frozenset[Progress] = frozenset()
    on_main_road: bool = False


@dataclass(frozen=True, slots=True)
class BalanceDraw:
    """A draw after ``moves_each`` moves by each side with kings on both and no change in their balance.

    A capture or a crowning changes it. ``pieces``: the fewest and the most that both have together.
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
    """The start array, as square numbers of the variant's own numbering.

    ``marked`` are the squares among ``black`` and ``white`` whose men are of the kind ``Rules.marked``.
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
    draws: DrawRules  # of its federation, the "official" ones
    opening_plies: int = 0  # plies made beforehand, drawn from a deck of ballots
    dark_name: str = "Black"  # what players call the darker side; "Red" in the American family
