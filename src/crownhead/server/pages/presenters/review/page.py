"""The page of a review: a graph of the game, its mistakes, the better moves, and mistakes as questions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from django.http import QueryDict
from django.utils.safestring import SafeString

import crownhead
from crownhead import Colour
from crownhead.server.analysis import access
from crownhead.server.analysis.choices import RUNNING, Depth, Progress
from crownhead.server.analysis.reviews.selectors import is_busy, judgements
from crownhead.server.analysis.selectors import Review
from crownhead.server.pages.presenters.arrows import arrows
from crownhead.server.pages.presenters.review.data import review_data
from crownhead.server.pages.presenters.review.graph import Graph, graph_of
from crownhead.server.pages.presenters.review.markup import rows_markup
from crownhead.server.pages.presenters.review.moves import Reviewed, known_plies, reviewed, rows
from crownhead.server.pages.presenters.review.players import Player, names, players
from crownhead.server.pages.presenters.review.retry import Retry, retry_of
from crownhead.server.play import selectors
from crownhead.server.play.draws.presenters import draw_rules_sentence
from crownhead.server.play.presenters.board.boards import BoardPresenter, GameBoard
from crownhead.server.play.presenters.board.diagrams import bottom_of
from crownhead.server.play.presenters.board.touch import BoardQuery, bottom_side
from crownhead.server.play.presenters.board.words import side
from crownhead.server.play.selectors import Game, Viewer


@dataclass(frozen=True, slots=True)
class ReviewQuery:
    """What an address asks of a review: its board, a mistake as a question, the move that was tried."""

    board: BoardQuery
    retry: int | None = None
    tried: str = ""

    @classmethod
    def of(cls, query: QueryDict) -> ReviewQuery:
        """Read a query; what makes no sense counts as not asked."""
        retry = query.get("retry", "")
        return cls(
            BoardQuery.of(query),
            retry=int(retry) if retry.isdecimal() and len(retry) < 6 else None,
            tried=query.get("move", "")[:80],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewPage:
    """What the template shows; without a review it offers to start one.

    ``before`` and ``after``: the plies of the mistakes next to the position shown, 0: none.
    """

    game: str
    title: str
    review: Review | None
    running: bool
    failed: bool
    deeper: bool  # a deeper review is possible
    from_browser: bool  # the reader's browser has made it
    busy: bool  # the club has many reviews to make
    done: int
    total: int
    board: BoardPresenter
    board_query: BoardQuery
    current: Reviewed | None
    rows: SafeString
    heads: tuple[str, str]  # of the columns of the list
    players: tuple[Player, ...]
    graph: Graph
    faults: tuple[Reviewed, ...]
    before: int
    after: int
    retry: Retry | None
    draw_rules: str
    withheld: bool  # positions are left out
    ply: int
    last: int
    data: dict[str, Any]

    @property
    def back(self) -> int:
        """The ply before."""
        return max(self.ply - 1, 0)

    @property
    def forward(self) -> int:
        """The ply after."""
        return min(self.ply + 1, self.last)


def review_page(
    *, game: Game, viewer: Viewer, review: Review | None, query: ReviewQuery, from_browser: bool = False
) -> ReviewPage:
    """The page for a viewer; positions like those of their own games in progress are left out.

    A finished review opens at the first mistake.
    """
    replay = selectors.replay_game(game)
    variant, last = replay.variant, len(replay.moves)
    barred = access.barred_plies(viewer, replay.positions)
    known = known_plies(review, barred=barred)
    judged = judgements(review)
    moves = reviewed(replay, review, judged=judged, known=known)
    is_done = review is not None and review.progress == Progress.DONE
    faults = [move for move in moves if move.mark]
    asked = query.board.ply
    if asked is None:
        asked = faults[0].ply if is_done and faults else last
    ply = min(asked, last)
    bottom = bottom_side(bottom_of(variant, variant.start.first), query.board)
    table, retry = GameBoard(replay=replay, bottom=bottom, ply=ply), None
    mistake = next((move for move in faults if move.ply == query.retry), None)
    if mistake is not None:
        retry, table = retry_of(replay, mistake, tried=query.tried, board_query=query.board, bottom=bottom)
        ply = mistake.ply if retry.solved else mistake.ply - 1
    return ReviewPage(
        game=game.public_id,
        title=" – ".join(name for name, _side, _colour in names(game, replay)),
        review=review,
        running=review is not None and review.progress in RUNNING,
        failed=review is not None and review.progress == Progress.FAILED,
        deeper=review is not None and is_done and review.nodes < Depth.DEEP.value,
        from_browser=from_browser,
        busy=review is None and is_busy(),
        done=len(review.plies) if review else 0,
        total=review.total if review else 0,
        board=replace(table.presenter(), arrows=_arrows(replay, moves, ply, bottom, retry)),
        board_query=query.board,
        current=moves[ply - 1] if 0 < ply <= last and not retry else None,
        rows=rows_markup(rows(replay, moves), ply=ply),
        heads=_heads(replay),
        players=players(game, replay, judged, known=known),
        graph=graph_of(replay, known, moves, ply=ply),
        faults=tuple(faults),
        before=max((move.ply for move in faults if move.ply < _here(ply, retry)), default=0),
        after=min((move.ply for move in faults if move.ply > _here(ply, retry)), default=0),
        retry=retry,
        draw_rules=draw_rules_sentence(replay.draw_rules),
        withheld=bool(barred),
        ply=ply,
        last=last,
        data=review_data(game, replay, moves, barred=barred, retry=retry),
    )


def _here(ply: int, retry: Retry | None) -> int:
    """The ply that mistakes are before or after."""
    return retry.ply if retry else ply


def _heads(replay: crownhead.Game) -> tuple[str, str]:
    first = replay.variant.start.first
    return side(first, replay.variant), side(first.opponent, replay.variant)


def _arrows(
    replay: crownhead.Game, moves: list[Reviewed], ply: int, bottom: Colour, retry: Retry | None
) -> Any:
    """An arrow for the better move, on the position before a bad one, but not where that is the question."""
    if retry or not 0 <= ply < len(moves) or not moves[ply].mark:
        return ()
    return arrows(replay.variant, [moves[ply].path], bottom=bottom)
