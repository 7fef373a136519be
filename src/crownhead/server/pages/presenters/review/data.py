"""What the script of a review knows: each move of the game, and how a browser makes a review of its own."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.templatetags.static import static
from django.utils.translation import gettext as _

import crownhead
from crownhead.server.analysis.choices import LONGEST_LINE, Depth
from crownhead.server.analysis.reviews.selectors import endings, judgement
from crownhead.server.pages.presenters.review.graph import LEFT, SPAN, WIDTH
from crownhead.server.pages.presenters.review.moves import Reviewed
from crownhead.server.pages.presenters.review.retry import Retry
from crownhead.server.play.selectors import Game


def review_data(
    game: Game,
    replay: crownhead.Game,
    moves: Sequence[Reviewed],
    *,
    barred: Collection[int],
    retry: Retry | None,
) -> dict[str, Any]:
    """The script's knowledge; gaps in the texts are written ``{name}``.

    ``moves``: by ply, those that something is known of. ``making``: where the engine is, what it is to
    search, at which plies it must not, and what the end of the game is worth to the side to move.
    """
    outcome = endings.end_of(replay, len(replay.moves))
    return {
        "game": game.public_id,
        "moves": {str(move.ply): _move(move) for move in moves if move.worth},
        "plot": {"left": LEFT, "width": WIDTH, "span": SPAN},
        "question": _question(moves[retry.ply - 1], replay) if retry else None,
        "making": {
            "module": static("crownhead/js/rules/all.js"),
            "api": f"/api/v1/variants/{replay.variant.key}",
            "nodes": {depth.name.lower(): depth.value for depth in Depth},
            "longest": LONGEST_LINE,
            "barred": sorted(barred),
            "end": None if outcome is None else endings.result_of(outcome, replay.position.turn),
            "countedOut": endings.is_counted_out(outcome),
        },
        "texts": _texts(),
    }


def _move(move: Reviewed) -> dict[str, Any]:
    data: Mapping[str, Any] = {
        "text": f"{move.text}{move.mark}",
        "grade": move.grade,
        "worth": move.worth,
        "leaning": move.leaning,
        "better": move.better,
        "path": move.path,
        "address": move.address,
    }
    return {name: value for name, value in data.items() if value}


def _question(mistake: Reviewed, replay: crownhead.Game) -> dict[str, Any]:
    """The move to be improved upon, and the losses from which on a move is no better."""
    return {
        "ply": mistake.ply,
        "played": mistake.text,
        "best": mistake.better.partition(" ")[0],
        "fen": replay.positions[mistake.ply - 1].fen(),
        "most": judgement.INACCURATE,
    }


def _texts() -> dict[str, str]:
    return {
        "progress": _("Your browser has analysed {done} of {total} positions."),
        "failed": _("The engine could not be started in this browser."),
        "judging": _("The engine in your browser looks at {move} …"),
        "good": _("{move} is good, too. The engine would have played {best}."),
        "bad": _("{move} is no better. Try again."),
    }
