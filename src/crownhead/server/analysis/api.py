"""The API of the engine: positions looked at for a while, and reviews of games."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router, Schema
from ninja import Status as Answer
from pydantic import BaseModel, Field, StrictInt, StrictStr

from crownhead import Colour
from crownhead.server.accounts.api.auth import ANYONE, SIGNED_IN, player, signed_in, viewer
from crownhead.server.analysis import access
from crownhead.server.analysis.choices import Depth
from crownhead.server.analysis.engine import kernel_files
from crownhead.server.analysis.models import Review, Study
from crownhead.server.analysis.reviews import selectors as review_selectors
from crownhead.server.analysis.reviews import services as review_services
from crownhead.server.analysis.reviews.selectors import judgements
from crownhead.server.analysis.reviews.selectors.judgement import Grade
from crownhead.server.analysis.studies import services as study_services
from crownhead.server.analysis.studies.selectors import find_for
from crownhead.server.core import clock
from crownhead.server.core.api import Limit
from crownhead.server.core.api.openapi import problems, sends
from crownhead.server.core.limits import caller, spend
from crownhead.server.play import selectors
from crownhead.server.play.schemas import Body
from crownhead.server.play.selectors import Game

router = Router(tags=["engine"])

_PLIES_OF_A_REQUEST = 50  # of a review that take as long as a request usually does


@router.get(
    "/variants/{variant}/rules", auth=None, response=dict[str, Any], summary="Get rules for the browser"
)
def get_variant_rules(request: HttpRequest, variant: str) -> HttpResponse:
    """A variant as the module for browsers takes it: rules as numbers, names of squares, draw rules."""
    return kernel_files.rules(variant).response(request)


@router.get("/variants/{variant}/weights", auth=None, summary="Get weights for the browser")
@sends("application/octet-stream")
def get_variant_weights(request: HttpRequest, variant: str) -> HttpResponse:
    """The weights of the engine's evaluation; empty where there are none."""
    return kernel_files.weights(variant).response(request)


@router.get("/variants/{variant}/tables", auth=None, summary="Get endgame tables for the browser")
@sends("application/octet-stream")
def get_variant_tables(request: HttpRequest, variant: str) -> HttpResponse:
    """The results of the club's endgame tables of up to four pieces; empty where there are none."""
    return kernel_files.tables(variant).response(request)


@router.get(
    "/variants/{variant}/openings", auth=None, response=dict[str, str], summary="Get the names of openings"
)
def get_variant_openings(request: HttpRequest, variant: str) -> HttpResponse:
    """The names of openings by the FEN of their positions; empty for a variant of which we know none."""
    return kernel_files.openings(variant).response(request)


class NewAnalysis(Body):
    """A position, by moves from a FEN or from the start, and how to look at it."""

    variant: Annotated[StrictStr, Field(max_length=32)]
    fen: Annotated[StrictStr, Field(max_length=400)] = ""
    moves: Annotated[list[Annotated[StrictStr, Field(max_length=200)]], Field(max_length=400)] = []
    lines: StrictInt = Field(1, description="How many of the best lines to show, 1 to 5.")
    seconds: StrictInt = Field(5, description="How long to think, up to the club's limit.")


class AnalysisLine(Schema):
    """A line of play. ``score``: hundredths of a man for the side to move; a forced end in plies."""

    score: int
    wins_in: int | None = Field(description="Plies to a forced win.")
    loses_in: int | None = Field(description="Plies to a forced loss.")
    proven: bool = Field(description="The score is certain, not an estimate.")
    moves: list[str]


class AnalysisOut(Schema):
    """What the engine has found so far; follow it with ``GET /events?game=<id>`` (events ``analysis``)."""

    id: str
    variant: str
    fen: str
    status: str = Field(description="`waiting`, `thinking`, `done`, `stopped` or `failed`.")
    depth: int | None = Field(description="The depth searched, in plies.")
    nodes: int | None = Field(description="The number of positions searched.")
    proven: bool
    lines: list[AnalysisLine] = Field(description="The best lines, the best first.")
    created_at: datetime


@router.post(
    "/analyses",
    auth=SIGNED_IN,
    throttle=Limit("analyses"),
    response={202: AnalysisOut},
    summary="Analyse a position",
)
def create_analysis(request: HttpRequest, body: NewAnalysis) -> Answer[AnalysisOut]:
    """Stops your previous analysis. Positions of your own games in progress are refused."""
    query = study_services.AnalysisRequest(
        variant=body.variant, fen=body.fen, moves=tuple(body.moves), lines=body.lines, seconds=body.seconds
    )
    study = study_services.create_study(
        user=signed_in(request), caller=caller(request), query=query, now=clock.now()
    )
    return Answer(202, _analysis_out(study))


@router.get("/analyses/{study_id}", auth=ANYONE, response=AnalysisOut, summary="Get an analysis")
@problems(403)
def get_analysis(request: HttpRequest, study_id: str) -> AnalysisOut:
    """What the engine has found so far; kept for a day. Refused for positions of your own games."""
    return _analysis_out(find_for(player(request), study_id))


@router.delete("/analyses/{study_id}", auth=SIGNED_IN, response=AnalysisOut, summary="Stop an analysis")
def stop_analysis(request: HttpRequest, study_id: str) -> AnalysisOut:
    """What the engine has found is kept."""
    study_services.stop(caller=caller(request), study_id=study_id, now=clock.now())
    return _analysis_out(find_for(signed_in(request), study_id))


def _analysis_out(study: Study) -> AnalysisOut:
    report: dict[str, Any] = study.report or {}
    return AnalysisOut(
        id=study.public_id,
        variant=study.variant,
        fen=study.replay().position.fen(),
        status=study.progress,
        depth=report.get("depth"),
        nodes=report.get("nodes"),
        proven=report.get("proven", False),
        lines=[
            AnalysisLine(**{k: line[k] for k in AnalysisLine.model_fields})
            for line in report.get("lines", ())
        ],
        created_at=study.created_at,
    )


class NewReview(Body):
    """How closely to look."""

    depth: Literal["quick", "deep"] = "quick"


class ReviewedMove(BaseModel):  # a `Schema` takes several times as long, and there may be hundreds
    """A move: the score after it, how good it was, and what would have been better."""

    move: str
    score: int = Field(description="Hundredths of a man for White, after the move.")
    grade: str = Field(description="`good`, `inaccuracy`, `mistake` or `blunder`.")
    loss: float = Field(description="The share of the expected result given away, from 0 to 1.")
    better: list[str] = Field(description="A better line; empty after a good move.")


class ReviewOut(Schema):
    """How far a review has come, and the moves reviewed so far."""

    id: str
    game: str = Field(description="The id of the game.")
    status: str = Field(description="`waiting`, `thinking`, `done`, `stopped` or `failed`.")
    done: int = Field(description="How many positions have been looked at.")
    total: int = Field(description="How many there are.")
    moves: list[ReviewedMove]


@router.post(
    "/games/{game_id}/review",
    auth=SIGNED_IN,
    throttle=Limit("reviews"),
    response={202: ReviewOut},
    summary="Review a finished game",
)
@problems(409)
def create_review(request: HttpRequest, game_id: str, body: NewReview) -> Answer[ReviewOut]:
    """Made once for all readers; follow it with ``GET /events?game=<id of the review>``."""
    depth = Depth[body.depth.upper()]
    made = review_services.request_review(
        user=signed_in(request), game_id=game_id, depth=depth, now=clock.now()
    )
    game = review_selectors.access(viewer=viewer(request), game_id=game_id, now=clock.now())
    return Answer(202, _review(request, game, made))


@router.get("/games/{game_id}/review", auth=ANYONE, response=ReviewOut, summary="Get the review of a game")
@problems(409)
def get_review(
    request: HttpRequest,
    game_id: str,
    depth: Annotated[Literal["quick", "deep"] | None, Query(description="How closely to look.")] = None,
) -> ReviewOut:
    """The deepest one, unless you name a depth. Leaves out positions like those of your own games.

    That of a long game counts as several requests.
    """
    game = review_selectors.access(viewer=viewer(request), game_id=game_id, now=clock.now())
    if more := len(game.moves.split()) // _PLIES_OF_A_REQUEST:
        spend(scope="api", who=caller(request), amount=more)
    wanted = Depth[depth.upper()] if depth else None
    return _review(request, game, review_selectors.find(game_id=game_id, depth=wanted))


def _review(request: HttpRequest, game: Game, review: Review) -> ReviewOut:
    replay = selectors.replay_game(game)
    barred = access.barred_plies(player(request), replay.positions)
    moves = []
    for ply, judged in enumerate(judgements(review)):
        here, after = replay.positions[ply], replay.positions[ply + 1]
        if ply in barred or ply + 1 in barred:
            continue
        score = review.plies[ply + 1]["score"]
        moves.append(
            ReviewedMove(
                move=here.notation(replay.moves[ply]),
                score=score if after.turn is Colour.WHITE else -score,
                grade=judged.grade,
                loss=round(judged.loss, 3),
                better=review.plies[ply]["moves"] if judged.grade is not Grade.GOOD else [],
            )
        )
    return ReviewOut(
        id=review.public_id,
        game=game.public_id,
        status=review.progress,
        done=len(review.plies),
        total=review.total,
        moves=moves,
    )
