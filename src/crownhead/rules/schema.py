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
    """What stands on a square. A mule moves as a man but decides the game otherwise."""

    MAN = "man"
    KING = "king"
    MULE = "mule"


class Corner(StrEnum):
    """A corner of the board as White, at the bottom, sees it."""

    TOP_LEFT = "top-left"
    TOP_RIGHT = "top-right"
    BOTTOM_LEFT = "bottom-left"
    BOTTOM_RIGHT = "bottom-right"


class Priority(StrEnum):
    """One component of the sort key that captures compete by, the greatest alone being legal."""

    MOST_PIECES = "most-pieces"  # the quantity law
    WITH_KING = "with-king"  # the capturing piece is a king
    MOST_KINGS = "most-kings"  # the quality law: kings taken
    KINGS_FIRST = "kings-first"  # the line that meets a king earliest, then the next king …


class Promotion(StrEnum):
    """What happens when a man reaches the crown row inside a capture."""

    STOP = "stop"  # crowned, the move ends
    PASS = "pass"  # goes on as a man if it can; crowned only if the capture ends there
    CONTINUE = "continue"  # crowned at once, goes on as a king


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


@dataclass(frozen=True, slots=True)
class Board:
    """A checkered board of ``width`` × ``height`` squares, pieces standing on one colour of it.

    ``left_corner``: the square at White's lower left is played on.
    """

    width: int
    height: int
    left_corner: bool = True

    @property
    def squares(self) -> int:
        """How many squares are played on."""
        return self.width * self.height // 2


@dataclass(frozen=True, slots=True)
class Notation:
    """How squares and captures of a variant are written (PDN 3.0, gametype)."""

    game_type: int | None  # PDN GameType number; None where the standard has none
    first_square: Corner  # where number 1 lies as White sees it; numbers run along the rows
    algebraic: bool = False  # squares are written a1 … h8, a1 at White's lower left
    capture_sign: str = "x"


@dataclass(frozen=True, slots=True)
class Rules:
    """How pieces move, what must be captured and what a stuck side means."""

    flying_king: bool
    man_captures_backward: bool
    promotion: Promotion
    man_captures_king: bool = True
    priority: tuple[Priority, ...] = ()  # lexicographic; empty: any capture
    objective: Objective = Objective.OPPONENT_WINS
    mules: bool = False  # some men are mules, with the endings of S4 (Mule Checkers)


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

    ``mules`` are the squares among ``black`` and ``white`` whose men are mules.
    """

    black: frozenset[int]
    white: frozenset[int]
    first: Colour
    mules: frozenset[int] = frozenset()


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
