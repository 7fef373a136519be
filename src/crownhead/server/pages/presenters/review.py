"""The page of a review: a graph of the game, its mistakes, and the better moves."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import crownhead
from crownhead import Colour, Position
from crownhead.engine import Score
from crownhead.server.analysis import access
from crownhead.server.analysis.choices import RUNNING, Progress
from crownhead.server.analysis.reviews import judgement
from crownhead.server.analysis.reviews.judgement import Grade, JudgedMove
from crownhead.server.analysis.reviews.services import Depth, judgements
from crownhead.server.analysis.selectors import Review
from crownhead.server.pages.presenters.analysis import leaning, worth
from crownhead.server.pages.presenters.arrows import arrows
from crownhead.server.play import selectors
from crownhead.server.play.board.diagrams import bottom_of
from crownhead.server.play.board.query import BoardQuery, bottom_side
from crownhead.server.play.board.view import BoardPresenter, BoardView
from crownhead.server.play.board.words import side
from crownhead.server.play.draws.presenters import draw_rules_sentence
from crownhead.server.play.selectors import Game, Viewer

WIDTH, HEIGHT = 640, 160
Points = Mapping[int, tuple[float, float]]  # of the graph, by ply
MARKS = {Grade.INACCURACY: "?!", Grade.MISTAKE: "?", Grade.BLUNDER: "??"}


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A move with what the engine says of it; ``better`` leads to the line it would have played."""

    ply: int
    text: str
    grade: str
    mark: str
    worth: str
    leaning: str
    better: str
    address: str
    current: bool
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Row:
    """A numbered line of the list."""

    number: int
    moves: tuple[Reviewed, ...]


@dataclass(frozen=True, slots=True)
class Player:
    """How one side played."""

    name: str
    side: str
    accuracy: int  # per cent
    counts: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewPage:
    """What the template shows; without a review it offers to start one."""

    game: str
    title: str
    review: Review | None
    running: bool
    failed: bool
    deeper: bool  # a deeper review is possible
    done: int
    total: int
    board: BoardView
    board_query: BoardQuery
    current: Reviewed | None
    rows: tuple[Row, ...]
    players: tuple[Player, ...]
    curve: str
    area: str
    faults: tuple[Reviewed, ...]
    draw_rules: str
    ply: int
    last: int

    @property
    def back(self) -> int:
        """The ply before."""
        return max(self.ply - 1, 0)

    @property
    def forward(self) -> int:
        """The ply after."""
        return min(self.ply + 1, self.last)


def review_page(*, game: Game, viewer: Viewer, review: Review | None, board_query: BoardQuery) -> ReviewPage:
    """The page for a viewer; positions of their own games in progress are left out."""
    replay = selectors.replay_game(game)
    ply = len(replay.moves) if board_query.ply is None else min(board_query.ply, len(replay.moves))
    judged = judgements(review)
    points = points_of(replay, review, barred=access.BarredPositions(viewer, replay.variant))
    moves = reviewed(replay, review, judged=judged, points=points, ply=ply)
    bottom = bottom_side(bottom_of(replay.variant, replay.variant.start.first), board_query)
    table = BoardPresenter(replay=replay, bottom=bottom, ply=ply)
    curve = list(points.values())
    return ReviewPage(
        game=game.public_id,
        title=" – ".join(name for name, _side in _names(game, replay)),
        review=review,
        running=review is not None and review.progress in RUNNING,
        failed=review is not None and review.progress == Progress.FAILED,
        deeper=review is not None and review.progress == Progress.DONE and review.nodes < Depth.DEEP.value,
        done=len(review.plies) if review else 0,
        total=review.total if review else 0,
        board=replace(table.view(), arrows=_arrows(replay, moves, review, ply, bottom)),
        board_query=board_query,
        current=moves[ply - 1] if 0 < ply <= len(moves) else None,
        rows=_rows(replay, moves),
        players=_players(game, replay, judged),
        curve=_path(curve),
        area=f"{_path(curve)}L{curve[-1][0]:.1f} {HEIGHT}L{curve[0][0]:.1f} {HEIGHT}Z" if curve else "",
        faults=tuple(move for move in moves if move.mark),
        draw_rules=draw_rules_sentence(replay.draw_rules),
        ply=ply,
        last=len(replay.moves),
    )


def reviewed(
    replay: crownhead.Game,
    review: Review | None,
    *,
    judged: Sequence[JudgedMove],
    points: Points,
    ply: int = 0,
) -> list[Reviewed]:
    """Each move of a game with what is known of it so far, where both its ends are in ``points``."""
    moves = []
    for number, text in enumerate(replay.notations(), start=1):
        here, after = replay.positions[number - 1 : number + 1]
        known = number <= len(judged) and number - 1 in points and number in points
        grade = judged[number - 1].grade if known else None
        entry = review.plies[number] if known and review else None
        score = Score(entry["score"]) if entry else None
        wrong = grade is not None and grade is not Grade.GOOD and review is not None
        line = review.plies[number - 1]["moves"] if wrong and review else []
        x, y = points[number] if known else (0.0, 0.0)
        moves.append(
            Reviewed(
                ply=number,
                text=text,
                grade=_NAMES[grade]() if grade in _NAMES else "",
                mark=MARKS.get(grade, "") if grade else "",
                worth=worth(score, after, proven=entry.get("proven", True)) if score and entry else "",
                leaning=leaning(score, after.turn) if score else "",
                better=" ".join(line[:8]),
                address=_address(here, line) if line else "",
                current=number == ply,
                x=x,
                y=y,
            )
        )
    return moves


def points_of(replay: crownhead.Game, review: Review | None, *, barred: Container[Position]) -> Points:
    """The points of the graph: White's expected result by ply, without the ``barred`` positions."""
    step = WIDTH / max(len(replay.moves), 1)
    points = {}
    for number, entry in enumerate(review.plies if review else ()):
        here = replay.positions[number]
        if here in barred:
            continue
        result = judgement.expected(Score(entry["score"]))
        if here.turn is Colour.BLACK:
            result = 1 - result
        points[number] = (number * step, HEIGHT * (1 - result))
    return points


def _path(points: list[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) if points else ""


def _arrows(
    replay: crownhead.Game, moves: list[Reviewed], review: Review | None, ply: int, bottom: Colour
) -> Any:
    """Arrows for the better line, on the position before a bad move."""
    if review is None or not 0 <= ply < len(moves) or not moves[ply].mark:
        return ()
    return arrows(replay.variant, [review.plies[ply]["path"]], bottom=bottom)


def _rows(replay: crownhead.Game, moves: list[Reviewed]) -> tuple[Row, ...]:
    late = replay.start.turn is not replay.variant.start.first
    ends = range(1 if late else 2, len(moves) + 2, 2)
    pairs = [tuple(moves[max(end - 2, 0) : end]) for end in ends]
    return tuple(Row(number, pair) for number, pair in enumerate(pairs, start=1) if pair)


def _players(game: Game, replay: crownhead.Game, judged: Sequence[JudgedMove]) -> tuple[Player, ...]:
    if not judged:
        return ()
    players = []
    for at, (name, called) in enumerate(_names(game, replay)):
        colour = replay.variant.start.first if at == 0 else replay.variant.start.first.opponent
        own = [move for move, before in zip(judged, replay.positions, strict=False) if before.turn is colour]
        players.append(Player(name, called, round(100 * judgement.accuracy(own)), _counts(own)))
    return tuple(players)


def _names(game: Game, replay: crownhead.Game) -> list[tuple[str, str]]:
    first = replay.variant.start.first
    players = ((game.first_player, first), (game.second_player, first.opponent))
    return [(player.username if player else "?", side(colour, replay.variant)) for player, colour in players]


def _counts(moves: list[JudgedMove]) -> str:
    number = {grade: sum(move.grade is grade for move in moves) for grade in Grade}
    texts = (
        (
            Grade.INACCURACY,
            ngettext("%(count)s inaccuracy", "%(count)s inaccuracies", number[Grade.INACCURACY]),
        ),
        (Grade.MISTAKE, ngettext("%(count)s mistake", "%(count)s mistakes", number[Grade.MISTAKE])),
        (Grade.BLUNDER, ngettext("%(count)s blunder", "%(count)s blunders", number[Grade.BLUNDER])),
    )
    return ", ".join(text % {"count": number[grade]} for grade, text in texts)


def _address(position: Position, line: list[str]) -> str:
    values = {"variant": position.variant_key, "fen": position.fen(), "moves": " ".join(line[:1])}
    return f"{reverse('pages:analysis')}?{urlencode(values)}"


_NAMES = {
    Grade.INACCURACY: lambda: _("inaccuracy"),
    Grade.MISTAKE: lambda: _("mistake"),
    Grade.BLUNDER: lambda: _("blunder"),
}
