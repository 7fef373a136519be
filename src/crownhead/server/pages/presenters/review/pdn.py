"""A reviewed game as PDN: what the engine says of each move as a comment behind it."""

from __future__ import annotations

from crownhead import pdn
from crownhead.server.analysis import access
from crownhead.server.analysis.reviews.selectors import judgements
from crownhead.server.analysis.selectors import Review
from crownhead.server.pages.presenters.review.moves import known_plies, reviewed
from crownhead.server.play import selectors
from crownhead.server.play.selectors import Game, Viewer


def write_review(game: Game, review: Review, *, viewer: Viewer) -> str:
    """The record, with worth, faults and better lines but for the positions that the viewer plays."""
    (tree,) = pdn.read_trees(selectors.write_pdn(game))
    assert isinstance(tree, pdn.GameTree)
    replay = selectors.replay_game(game)
    known = known_plies(review, barred=access.barred_plies(viewer, replay.positions))
    moves = reviewed(replay, review, judged=judgements(review), known=known)
    for node, move in zip(tree.line, moves, strict=False):
        node.strength = move.mark or node.strength
        parts = [move.worth, f"better {move.better}" if move.better else ""]
        if text := "; ".join(filter(None, parts)):
            node.comments.append(text)
    return pdn.write_tree(tree)
