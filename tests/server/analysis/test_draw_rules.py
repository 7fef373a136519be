"""What the engine says beside the draw rules: it knows how a position came about, and what ends a game."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest
from pytest_django import Settings

from crownhead import Position
from crownhead.engine import Score
from crownhead.server.accounts.models import User
from crownhead.server.analysis.choices import Depth
from crownhead.server.analysis.models import Review, Study
from crownhead.server.analysis.reviews import services as review_services
from crownhead.server.analysis.reviews.selectors import judgements
from crownhead.server.analysis.studies import services as study_services
from crownhead.server.analysis.studies.services import AnalysisRequest
from crownhead.server.pages.presenters.analysis import worth
from crownhead.server.play.draws.services import claim_draw, resign
from crownhead.server.play.models import Game
from tests.server.analysis.engine_tasks import run_engine_tasks
from tests.server.pages.conftest import Open
from tests.server.play.factories import NOW, make_game, make_game_from, play_moves

WINNING = "W:WK18,K19,K32:BK1"  # in thirteen plies, as the tables tell
SHUFFLED = ("32-28", "1-5", "28-32", "5-1")
TWO_ON_ONE = "W:WK1,K6:BK46"  # drawn, by FMJD 6.4 after five moves of each


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    """Few positions a move, searches of a second."""
    monkeypatch.setattr(Depth.QUICK, "_value_", 20_000)
    settings.ANALYSIS_SECONDS = 5


def reviewed(game: Game, user: User) -> Review:
    review = review_services.request_review(user=user, game_id=game.public_id, depth=Depth.QUICK, now=NOW)
    run_engine_tasks()
    return Review.objects.get(pk=review.pk)


def studied(moves: tuple[str, ...], *, fen: str = WINNING, variant: str = "american") -> Study:
    query = AnalysisRequest(variant=variant, fen=fen, moves=moves, lines=2, seconds=1)
    study = study_services.create_study(user=None, caller="user:1", query=query, now=NOW)
    run_engine_tasks()
    return Study.objects.get(pk=study.pk)


def test_a_review_knows_what_stood_before(alice: User, bob: User) -> None:
    game = play_moves(make_game_from(WINNING, alice, bob), *SHUFFLED, *SHUFFLED)
    game = claim_draw(user=bob, game_id=game.public_id, now=NOW)
    review = reviewed(game, alice)
    scores = [ply["score"] for ply in review.plies]
    assert scores[0] > 29_000, "won as it stands"
    assert scores[3] < -29_000, "to come back once is no draw"
    assert scores[7] == 0, "but the third time is one"
    assert scores[8] == 0, "and it was claimed"
    assert [move.grade for move in judgements(review)][6] == "blunder"


def test_a_game_that_a_counter_ended_has_no_culprit_at_its_end(alice: User, bob: User) -> None:
    game = make_game_from(TWO_ON_ONE, alice, bob, variant="international")
    game = play_moves(game, "1-7", "46-5", "6-1", "5-10", "1-6", "10-4", "6-1", "4-9", "1-6", "9-3")
    assert (game.status, game.termination) == ("finished", "no-progress")
    review = reviewed(game, alice)
    assert review.plies[-1]["score"] == 0
    assert judgements(review)[-1].grade == "good"


@pytest.mark.django_db
def test_the_board_says_where_a_draw_could_be_claimed(window: Open) -> None:
    study = studied((*SHUFFLED, *SHUFFLED))
    assert study.report is not None
    assert not study.report["proven"]
    query = urlencode({"fen": WINNING, "moves": study.moves, "study": study.public_id})
    page = window().get(f"/analysis/?variant=american&{query}")
    assert "a player could claim a draw here" in page.text
    assert "unless a draw rule comes first" in page.text
    assert 'class="tag"' not in page.html


@pytest.mark.django_db
def test_a_proven_result_states_the_draw_rules(window: Open) -> None:
    study = studied(())
    assert study.report is not None
    assert study.report["proven"]
    page = window().get(f"/analysis/?variant=american&fen={WINNING}&study={study.public_id}")
    assert "White wins in 7 moves" in page.text
    assert "The endgame tables know this position." in page.text
    assert "40 moves by each side without progress" in page.text


@pytest.mark.django_db
def test_nothing_is_proven_of_other_lines_beyond_the_draw_rules() -> None:
    study = studied((), fen="W:WK6,K28,K33,25:BK5,K46", variant="international")
    assert study.report is not None
    for line in study.report["lines"]:
        plies = line["wins_in"] or line["loses_in"]
        assert not line["proven"] or plies is None or plies <= 50


def test_an_end_that_a_draw_rule_may_forestall_is_said_to_be_that() -> None:
    position = Position.from_fen(WINNING, "american")
    assert worth(Score(29_987), position) == "White wins in 7 moves"
    assert worth(Score(29_987), position, proven=False) == (
        "White wins in 7 moves, unless a draw rule comes first"
    )
    assert worth(Score(-24_987), position) == "Red wins, unless a draw rule comes first"
    assert worth(Score(0), position) == "equal"


def test_of_a_position_in_ones_own_game_the_graph_says_nothing(window: Open, alice: User, bob: User) -> None:
    moves = ("11-15", "23-19", "9-14", "22-17")
    game = play_moves(make_game(alice, bob), *moves)
    resign(user=bob, game_id=game.public_id, now=NOW)
    reviewed(Game.objects.get(pk=game.pk), alice)
    play_moves(make_game(bob, alice), *moves[:2])
    address = f"/games/{game.public_id}/review/"

    def corners(page: str) -> int:
        return page.split('class="curve" d="')[1].split('"')[0].count("L")

    assert corners(window().get(address).html) == 4
    assert corners(window(alice).get(address).html) == 1  # nor of those that led to it
