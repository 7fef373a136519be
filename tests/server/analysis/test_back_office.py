"""The engine in the back office: work is stopped or repeated, single members are allowed more or less."""

from __future__ import annotations

from random import Random

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from crownhead.server.accounts.models import User
from crownhead.server.analysis import exports
from crownhead.server.analysis.choices import Depth, Progress
from crownhead.server.analysis.computer import services as computer_services
from crownhead.server.analysis.models import Allowance, Review, Study
from crownhead.server.analysis.reviews import services as review_services
from crownhead.server.analysis.services import allowances
from crownhead.server.analysis.studies import services as study_services
from crownhead.server.analysis.studies.services import AnalysisRequest
from crownhead.server.core.admin import as_shown
from crownhead.server.core.problems import Forbidden, Unprocessable
from crownhead.server.play.draws.services import resign
from crownhead.server.play.games.options import GameOptions
from crownhead.server.play.models import Game
from crownhead.server.play.problems import TooManyGames
from tests.server.analysis.engine_tasks import run_engine_tasks
from tests.server.conftest import make_user
from tests.server.pages.conftest import Open
from tests.server.play.factories import NOW, make_game, play_moves

OPTIONS = GameOptions(variant="american", colour="first", days_per_move=3)


@pytest.fixture
def hostess(db: None) -> User:
    """A member of the staff."""
    return make_user("hostess", is_staff=True, is_superuser=True)


@pytest.fixture
def office(hostess: User) -> Client:
    """She sits at the back office."""
    client = Client()
    client.force_login(hostess)
    return client


def over(first: User, second: User) -> Game:
    game = play_moves(make_game(first, second), "11-15", "23-19")
    return resign(user=second, game_id=game.public_id, now=NOW)


def look(user: User, *, seconds: int = 1) -> Study:
    query = AnalysisRequest(variant="russian", seconds=seconds)
    return study_services.create_study(user=user, caller=f"user:{user.pk}", query=query, now=NOW)


def against(user: User) -> Game:
    return computer_services.start(user=user, level=1, options=OPTIONS, now=NOW, dice=Random(1))


def allow(user: User, by: User, **terms: object) -> Allowance:
    facts = {"games": None, "seconds": None, "shut": False, "reason": "So it is."} | terms
    return allowances.allow(staff=by, user=user, now=NOW, **facts)  # type: ignore[arg-type]


@pytest.mark.parametrize("rows", ["study", "review", "allowance"])
def test_the_staff_see_what_the_engine_does(
    office: Client, hostess: User, alice: User, bob: User, rows: str
) -> None:
    look(alice)
    review_services.request_review(user=alice, game_id=over(alice, bob).public_id, depth=Depth.QUICK, now=NOW)
    allow(bob, hostess, games=3)
    page = office.get(f"/staff/analysis/{rows}/")
    assert page.status_code == 200
    assert "1 " in page.content.decode()
    assert Client().get(f"/staff/analysis/{rows}/").status_code == 302


def test_the_staff_stop_what_takes_too_long(office: Client, alice: User) -> None:
    study = look(alice)
    office.post("/staff/analysis/study/", {"action": "stop", "_selected_action": [study.pk]})
    assert Study.objects.get().progress == Progress.STOPPED


def test_reviews_are_listed_by_how_far_they_are_and_by_what_they_are_of(
    office: Client, alice: User, bob: User
) -> None:
    of_alice, of_bob = (
        review_services.request_review(
            user=user, game_id=over(alice, bob).public_id, depth=Depth.QUICK, now=NOW
        )
        for user in (alice, bob)
    )

    def listed(query: str) -> set[str]:
        with CaptureQueriesContext(connection) as queries:
            page = office.get(f"/staff/analysis/review/?{query}").content.decode()
        assert not any("DISTINCT" in query["sql"] for query in queries.captured_queries), "reads all reviews"
        return {review.game_id for review in (of_alice, of_bob) if review.game_id in page}

    both = {of_alice.game_id, of_bob.game_id}
    assert listed("") == listed("progress__exact=waiting") == both
    assert listed("progress__exact=failed") == set()
    assert listed("q=ALI") == listed(f"q={of_alice.game_id}") == {of_alice.game_id}


def test_the_staff_have_a_review_repeated(
    office: Client, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Depth.QUICK, "_value_", 5_000)
    review = review_services.request_review(
        user=alice, game_id=over(alice, bob).public_id, depth=Depth.QUICK, now=NOW
    )
    run_engine_tasks()
    office.post("/staff/analysis/review/", {"action": "repeat_reviews", "_selected_action": [review.pk]})
    again = Review.objects.get()
    assert (again.progress, again.plies, again.ended_at) == (Progress.WAITING, [], None)
    run_engine_tasks()
    assert Review.objects.get().progress == Progress.DONE


def test_a_member_is_allowed_more_or_less_than_all(hostess: User, alice: User, settings: Settings) -> None:
    settings.COMPUTER_GAMES_PER_PLAYER, settings.ANALYSIS_SECONDS = 1, 5
    against(alice)
    with pytest.raises(TooManyGames, match="1 game against the computer"):
        against(alice)
    allow(alice, hostess, games=2, seconds=30)
    against(alice)
    with pytest.raises(TooManyGames, match="2 games against the computer"):
        against(alice)
    assert look(alice, seconds=30).seconds == 30
    with pytest.raises(Unprocessable, match="seconds: Choose 1 to 30, not 31"):
        look(alice, seconds=31)


def test_the_board_offers_as_many_seconds_as_one_may_have(
    window: Open, hostess: User, alice: User, settings: Settings
) -> None:
    settings.ANALYSIS_SECONDS = 5
    allow(alice, hostess, seconds=45)
    assert "<option>45</option>" in window(alice).get("/analysis/").html
    assert "<option>45</option>" not in window().get("/analysis/").html


def test_the_engine_is_shut_to_a_member(hostess: User, alice: User, bob: User) -> None:
    game, running = over(alice, bob), look(alice)
    allow(alice, hostess, shut=True, reason="Too many requests.")
    assert Study.objects.get(pk=running.pk).stop_asked
    for ask in (
        lambda: look(alice),
        lambda: against(alice),
        lambda: review_services.request_review(
            user=alice, game_id=game.public_id, depth=Depth.QUICK, now=NOW
        ),
    ):
        with pytest.raises(Forbidden, match="blocked your access to the engine: Too many requests"):
            ask()
    assert look(bob).progress == Progress.WAITING


def test_an_allowance_is_written_in_the_back_office(office: Client, hostess: User, alice: User) -> None:
    form = {"user": alice.pk, "games": "0", "seconds": "", "reason": "Too many at once."}
    office.post("/staff/analysis/allowance/add/", form, follow=True)
    row = Allowance.objects.get()
    assert (row.user, row.games, row.seconds, row.shut, row.set_by) == (alice, 0, None, False, hostess)
    with pytest.raises(TooManyGames):
        against(alice)
    address = f"/staff/analysis/allowance/{row.pk}/change/"
    refused = office.post(address, form | {"seconds": "5000"})
    assert "less than or equal to 600" in refused.content.decode()
    form["as_shown"] = as_shown(row, ("games", "seconds", "shut", "reason"))
    office.post(address, form | {"games": "9"}, follow=True)
    assert Allowance.objects.get().games == 9
    older = office.post(address, form | {"games": "5"})
    assert "This has changed since you opened this page." in older.content.decode()
    assert Allowance.objects.get().games == 9
    assert [told["reason"] for told in exports.allowance(alice)] == ["Too many at once."]
