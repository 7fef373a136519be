"""Reviews: made once by the worker, with faults marked and the better line one click away."""

from __future__ import annotations

from datetime import timedelta
from random import Random

import pytest
from django_tasks_db.models import DBTaskResult

import crownhead
from crownhead import Position, pdn
from crownhead.engine import Score
from crownhead.server.accounts.models import User
from crownhead.server.analysis import exports, jobs
from crownhead.server.analysis.choices import Depth, Progress
from crownhead.server.analysis.engine.pool import engine_for
from crownhead.server.analysis.models import Review
from crownhead.server.analysis.reviews import services as review_services
from crownhead.server.analysis.reviews import steps
from crownhead.server.analysis.reviews.selectors import NotOver, judgement
from crownhead.server.analysis.reviews.selectors.judgement import Grade
from crownhead.server.analysis.studies import services as study_services
from crownhead.server.core import clock
from crownhead.server.core.problems import NotFound, Unprocessable
from crownhead.server.live.models import Outbox
from crownhead.server.pages.presenters.analysis import worth
from crownhead.server.play import selectors
from crownhead.server.play.draws.services import resign
from crownhead.server.play.models import Game
from tests.server.analysis.engine_tasks import run_engine_tasks
from tests.server.analysis.reviewed_games import BLUNDER, ask, over
from tests.server.conftest import Api
from tests.server.pages.conftest import Open
from tests.server.play.factories import NOW, make_game, make_game_from, play_moves


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few positions a move."""
    monkeypatch.setattr(Depth.QUICK, "_value_", 20_000)


def fresh(review: Review) -> Review:
    return Review.objects.get(pk=review.pk)


def test_every_position_of_the_game_is_analysed(alice: User, bob: User) -> None:
    review = ask(alice, over(alice, bob))
    assert fresh(review).progress == Progress.WAITING
    run_engine_tasks()
    done = fresh(review)
    assert done.progress == Progress.DONE
    assert len(done.plies) == done.total == 11
    assert all(ply["moves"] for ply in done.plies)


def test_a_player_who_asks_again_is_shown_the_same(alice: User, bob: User) -> None:
    game = over(alice, bob)
    review = ask(alice, game)
    run_engine_tasks()
    assert ask(bob, game) == review
    assert run_engine_tasks() == 0
    assert (
        review_services.request_review(user=bob, game_id=game.public_id, depth=Depth.DEEP, now=NOW) != review
    )


def test_a_review_runs_in_parts_and_reports_its_progress(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steps, "SLICE", timedelta(seconds=-1))
    review = ask(alice, over(alice, bob))
    assert run_engine_tasks() == 11
    events = Outbox.objects.filter(topic=f"game:{review.public_id}").order_by("id")
    assert [event.payload["done"] for event in events] == list(range(1, 12))
    assert fresh(review).progress == Progress.DONE


def test_a_review_says_the_same_whatever_the_engine_has_searched_before(alice: User, bob: User) -> None:
    first = ask(alice, over(alice, bob))
    run_engine_tasks()
    random = Random(3)
    for _ in range(6):
        elsewhere = crownhead.Game("american")
        for move in BLUNDER[: random.randrange(len(BLUNDER))]:
            elsewhere.push(move)
        elsewhere.push(random.choice(elsewhere.position.legal_moves()))
        engine_for("american").analyse(elsewhere, nodes=50_000, to_the_letter=True)
    second = ask(alice, over(alice, bob))
    run_engine_tasks()
    assert second.pk != first.pk
    assert fresh(second).plies == fresh(first).plies


def test_two_workers_at_one_review_do_no_harm(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    review = ask(alice, over(alice, bob))
    monkeypatch.setattr(steps, "SLICE", timedelta(seconds=-1))
    assert steps.continue_review(review_id=review.pk)
    with clock.stopped(NOW + timedelta(seconds=1)):
        assert steps.continue_review(review_id=review.pk)
        assert steps.continue_review(review_id=review.pk)
    assert len(fresh(review).plies) == 3


def test_an_interrupted_review_is_continued(alice: User, bob: User) -> None:
    review = ask(alice, over(alice, bob))
    DBTaskResult.objects.all().delete()
    jobs.resume_reviews(NOW + timedelta(minutes=1))
    assert run_engine_tasks() == 0
    jobs.resume_reviews(NOW + timedelta(minutes=3))
    run_engine_tasks()
    assert fresh(review).progress == Progress.DONE


def test_no_game_is_reviewed_that_still_continues(alice: User, bob: User, charlie: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15")
    for user in (alice, charlie):
        with pytest.raises(NotOver):
            ask(user, game)


def test_a_game_without_a_move_has_nothing_to_review(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    resign(user=bob, game_id=game.public_id, now=NOW)
    with pytest.raises(Unprocessable, match="no moves to review"):
        ask(alice, game)


def test_a_hidden_game_is_reviewed_for_its_players_alone(alice: User, bob: User, charlie: User) -> None:
    game = over(alice, bob, hidden=True)
    with pytest.raises(NotFound):
        ask(charlie, game)
    work_on = ask(bob, game)
    run_engine_tasks()
    assert fresh(work_on).progress == Progress.DONE


def test_what_a_move_gives_away_decides_how_it_is_called() -> None:
    # Black takes the lead by White's fault: the score is of the side to move.
    scores = [Score(value) for value in (0, 0, 0, 30, 0, 100, -100, 300, 29_990)]
    judged = judgement.judge(scores, [False] * 8)
    assert [move.grade for move in judged[:2]] == [Grade.GOOD, Grade.GOOD]
    assert judged[2].grade is Grade.INACCURACY
    assert judged[4].grade is Grade.BLUNDER
    assert judgement.expected(Score(100)) == pytest.approx(0.85, abs=0.01)
    assert judgement.expected(Score(29_990)) == 1
    assert judgement.expected(Score(-29_990)) == 0


def test_the_move_that_the_engine_would_make_is_never_a_fault() -> None:
    (judged,) = judgement.judge([Score(100), Score(100)], [True])
    assert judged.grade is Grade.GOOD
    assert judged.loss == 0


def test_a_player_who_gave_nothing_away_kept_everything() -> None:
    assert judgement.accuracy([]) == 1
    assert judgement.accuracy(judgement.judge([Score(0), Score(0)], [False])) == 1


def test_the_page_shows_the_blunder_and_leads_to_what_was_better(
    window: Open, alice: User, bob: User
) -> None:
    game = over(alice, bob)
    here = window(alice)
    address = f"/games/{game.public_id}/review/"
    assert "marks mistakes" in here.get(address).text
    asked = here.post(address, {"depth": "quick"}, follow=True)
    assert "Analysing: 0 of 11 positions." in asked.text
    assert "data-refresh" in asked.html
    run_engine_tasks()
    page = here.get(f"{address}?ply=6")
    assert "data-refresh" not in page.html
    assert "19-16??" in page.text
    assert "blunder" in page.text
    assert "Better:" in page.text
    assert "1 blunder" in page.text
    assert 'class="curve"' in page.html
    better = page.html.split("Better: <a")[1].split('href="')[1].split('"')[0].replace("&amp;", "&")
    assert here.get(better).status == 200
    before = here.get(f"{address}?ply=5")
    assert before.html.count('class="shaft"') == 1
    assert f"/games/{game.public_id}/review/" in here.get(f"/games/{game.public_id}/").html


def test_a_review_that_was_quick_can_be_made_more_closely(
    window: Open, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Depth.DEEP, "_value_", 30_000)
    game = over(alice, bob)
    ask(alice, game)
    run_engine_tasks()
    here, address = window(alice), f"/games/{game.public_id}/review/"
    assert "Deeper review" in here.get(address).text
    asked = here.post(address, {"depth": "deep"}, follow=True)
    assert "Analysing: 0 of 11 positions." in asked.text
    run_engine_tasks()
    assert "Deeper review" not in here.get(address).text


def test_a_guest_reads_a_review_and_signs_in_to_have_one_made(window: Open, alice: User, bob: User) -> None:
    game = over(alice, bob)
    address = f"/games/{game.public_id}/review/"
    assert "/accounts/login/" in window().post(address).location
    ask(alice, game)
    run_engine_tasks()
    assert "19-16??" in window().get(address).text


def test_of_positions_in_ones_own_games_a_review_says_nothing(window: Open, alice: User, bob: User) -> None:
    game = over(alice, bob)
    ask(alice, game)
    run_engine_tasks()
    play_moves(make_game(bob, alice), *BLUNDER)
    address = f"/games/{game.public_id}/review/?ply=6"
    assert "19-16??" not in window(alice).get(address).text
    assert "19-16??" in window().get(address).text


def test_the_record_carries_what_the_engine_says(window: Open, alice: User, bob: User) -> None:
    game = over(alice, bob)
    assert window().get(f"/games/{game.public_id}/review.pdn").status == 404
    ask(alice, game)
    run_engine_tasks()
    (tree,) = pdn.read_trees(window().get(f"/games/{game.public_id}/review.pdn").html)
    assert isinstance(tree, pdn.GameTree)
    assert tree.line[5].strength == "??"
    assert "better" in tree.line[5].comments[0]


def test_neither_page_nor_record_tells_players_of_their_running_game(
    window: Open, api: Api, alice: User, bob: User, charlie: User
) -> None:
    game = over(charlie, bob)
    ask(charlie, game)
    run_engine_tasks()
    here = Position.start("american")
    for move in BLUNDER:
        here = here.play(move)

    barred: tuple[User, ...] = ()

    def told(user: User | None) -> list[bool]:
        (tree,) = pdn.read_trees(window(user).get(f"/games/{game.public_id}/review.pdn").html)
        page = window(user).get(f"/games/{game.public_id}/review/")
        assert ("aren't evaluated until those games end" in page.text) is (user in barred)
        question = window(user).get(f"/games/{game.public_id}/review/?retry=6")
        moves = (api.as_(user) if user else api).get(f"/games/{game.public_id}/review").json()["moves"]
        return [
            bool(tree.line[5].comments),
            "19-16??" in page.text,
            "1 blunder" in page.text,
            "Find a better move" in question.text,
            "19-16" in str(moves),
        ]

    beside = here.fen().replace(",32", "")
    for start in (here.fen(), beside):
        running, barred = make_game_from(start, alice, bob), (alice, bob)
        assert told(alice) == told(bob) == [False] * 5
        assert told(charlie) == told(None) == [True] * 5
        resign(user=alice, game_id=running.public_id, now=NOW)
        barred = ()
        assert told(alice) == [True] * 5


def test_a_program_has_a_game_reviewed(api: Api, alice: User, bob: User) -> None:
    game, program = over(alice, bob), api.as_(alice)
    address = f"/games/{game.public_id}/review"
    assert program.get(address).status_code == 404
    asked = program.post(address, {"depth": "quick"})
    assert asked.status_code == 202, asked.content
    run_engine_tasks()
    review = api.get(address).json()
    assert (review["status"], review["done"], review["total"]) == ("done", 11, 11)
    assert review["moves"][5]["grade"] == "blunder"
    assert review["moves"][5]["better"]
    assert review["moves"][0]["better"] == []
    running = play_moves(make_game(alice, bob), "11-15")
    assert program.post(f"/games/{running.public_id}/review", {}).status_code == 409


def test_a_game_from_a_ballot_is_reviewed(alice: User, bob: User) -> None:
    game = make_game(alice, bob, variant="pro")
    dice = Random(3)
    for _ in range(4):
        here = Game.objects.get(pk=game.pk)
        position = selectors.replay_game(here).position
        play_moves(here, position.notation(dice.choice(position.legal_moves())))
    resign(user=bob, game_id=game.public_id, now=NOW)
    review = ask(alice, game)
    run_engine_tasks()
    assert fresh(review).progress == Progress.DONE


def test_the_archive_of_a_member_lists_what_they_analysed(alice: User, bob: User) -> None:
    game = over(alice, bob)
    ask(alice, game)
    query = study_services.AnalysisRequest(variant="russian", seconds=1)
    study_services.create_study(user=alice, caller=f"user:{alice.pk}", query=query, now=NOW)
    assert [row["game_id"] for row in exports.reviews(alice)] == [game.public_id]
    assert [row["variant"] for row in exports.analyses(alice)] == ["russian"]
    assert list(exports.reviews(bob)) == list(exports.analyses(bob)) == []


def test_of_a_game_that_is_over_it_says_who_has_won() -> None:
    end = Position.from_fen("W:WK1:B", "american")
    assert worth(Score(30_000), end) == "White has won"
    assert worth(-Score(30_000), end) == "Red has won"
    assert worth(Score(29_997), end) == "White wins in 2 moves"
