"""The analysis board: lines as they come, stopped at will, and none on one's own running games."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django_tasks_db.models import DBTaskResult
from pytest_django import Settings

from crownhead import Position
from crownhead.engine import Engine
from crownhead.server.accounts.models import User
from crownhead.server.analysis import jobs
from crownhead.server.analysis.access import OwnGameInProgress
from crownhead.server.analysis.choices import Progress
from crownhead.server.analysis.engine import search
from crownhead.server.analysis.models import Study
from crownhead.server.analysis.studies import selectors
from crownhead.server.analysis.studies import services as study_services
from crownhead.server.analysis.studies.services import AnalysisRequest
from crownhead.server.core import clock
from crownhead.server.core.problems import Forbidden, NotFound, TooMany, Unprocessable
from crownhead.server.live import services as services_of_live
from crownhead.server.live.models import Outbox
from crownhead.server.play.draws.services import resign
from tests.server.analysis.engine_tasks import run_engine_tasks
from tests.server.conftest import Api
from tests.server.pages.conftest import Open
from tests.server.play.factories import NOW, make_game, play_moves
from tests.server.play.test_at_once import at_once, in_a_file

__all__ = ["in_a_file"]

WON = "W:WK27:B28"  # 27-32 shuts the man in


@pytest.fixture(autouse=True)
def _short(settings: Settings) -> None:
    """Searches of a second."""
    settings.ANALYSIS_SECONDS = 5


def ask(user: User | None = None, *, caller: str = "user:1", **query: Any) -> Study:
    terms: dict[str, Any] = {"variant": "american", "seconds": 1} | query
    return study_services.create_study(user=user, caller=caller, query=AnalysisRequest(**terms), now=NOW)


def fresh(study: Study) -> Study:
    return Study.objects.get(pk=study.pk)


@pytest.mark.django_db(transaction=True)
def test_of_analyses_that_a_member_starts_at_once_one_goes_on(
    alice: User, in_a_file: Callable[[], None]
) -> None:
    in_a_file()
    for _ in range(6):
        assert at_once([partial(ask, alice, caller=f"user:{alice.pk}")] * 6) == {Study: 6}
        assert Study.objects.filter(stop_asked=False).count() == 1


@pytest.mark.django_db
def test_a_position_is_analysed_by_the_worker() -> None:
    study = ask(lines=2)
    assert fresh(study).progress == Progress.WAITING
    run_engine_tasks()
    found = fresh(study)
    assert found.progress == Progress.DONE
    assert found.report is not None
    assert found.report["depth"] > 5
    assert [len(line["moves"]) > 0 for line in found.report["lines"]] == [True, True]


@pytest.mark.django_db
def test_guests_of_an_address_share_seconds_of_the_engine(alice: User, settings: Settings) -> None:
    settings.LIMITS = settings.LIMITS | {"guest_seconds": "7/d"}
    with clock.stopped(NOW):
        ask(caller="address:192.0.2.1", seconds=5)
        ask(caller="address:192.0.2.1", seconds=2)
        with pytest.raises(TooMany):
            ask(caller="address:192.0.2.1", seconds=1)
        ask(caller="address:192.0.2.2", seconds=5)
        for _ in range(3):
            ask(alice, caller=f"user:{alice.pk}", seconds=5)


@pytest.mark.django_db
def test_reports_are_told_to_those_who_follow() -> None:
    study = ask()
    run_engine_tasks()
    events = list(Outbox.objects.filter(topic=f"game:{study.public_id}").order_by("id"))
    assert len(events) >= 3
    assert {event.kind for event in events} == {"analysis"}
    assert events[0].payload["status"] == "thinking"
    assert events[-1].payload["status"] == "done"


@pytest.mark.django_db
def test_a_forced_win_is_reported_as_proven() -> None:
    study = ask(fen=WON, lines=1)
    run_engine_tasks()
    report = fresh(study).report
    assert report is not None
    assert report["proven"]
    assert report["lines"][0]["wins_in"] == 1
    assert report["lines"][0]["moves"][0] == "27-32"


@pytest.mark.django_db
def test_an_analysis_stopped_before_it_began_never_runs() -> None:
    study = ask()
    study_services.stop(caller="user:1", study_id=study.public_id, now=NOW)
    run_engine_tasks()
    assert fresh(study).progress == Progress.STOPPED
    assert fresh(study).report is None


@pytest.mark.django_db
def test_a_search_is_ended_when_nobody_wants_it_more(monkeypatch: pytest.MonkeyPatch) -> None:
    study = ask(seconds=5)
    monkeypatch.setattr(search, "BEAT", 0.1)
    Study.objects.filter(pk=study.pk).update(stop_asked=True)
    run_engine_tasks()
    assert fresh(study).progress == Progress.STOPPED


@pytest.mark.django_db
def test_a_study_that_is_left_alone_ends_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    left, loaded_again = ask(caller="user:1"), ask(caller="user:2", seconds=1)
    for study in (left, loaded_again):
        study_services.note_followed(study_id=study.public_id, here=False, now=NOW)
    study_services.note_followed(study_id=loaded_again.public_id, here=True, now=NOW)
    with clock.stopped(NOW + search.LEFT_AFTER):
        run_engine_tasks()
    assert fresh(left).progress == Progress.STOPPED
    assert fresh(loaded_again).progress == Progress.DONE


@pytest.mark.django_db
def test_a_search_is_ended_when_its_page_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    study = ask(seconds=5)
    monkeypatch.setattr(search, "BEAT", 0.05)
    monkeypatch.setattr(search, "LEFT_AFTER", timedelta(0))

    def leave(**_: object) -> None:
        study_services.note_followed(study_id=study.public_id, here=False, now=NOW)

    monkeypatch.setattr(services_of_live, "publish", leave)
    run_engine_tasks()
    assert fresh(study).progress == Progress.STOPPED


@pytest.mark.django_db
def test_a_player_who_leaves_a_game_or_nothing_changes_no_study() -> None:
    study = ask()
    for key in ("no-such-study", "a\0b"):
        study_services.note_followed(study_id=key, here=False, now=NOW)
    assert fresh(study).left_at is None


@pytest.mark.django_db
def test_a_new_analysis_stops_the_previous_one(alice: User) -> None:
    one, other = ask(alice), ask(caller="user:2")
    ask(alice, moves=("11-15",))
    assert fresh(one).stop_asked
    assert not fresh(other).stop_asked


@pytest.mark.django_db
def test_guests_of_one_address_let_each_others_analyses_go_on() -> None:
    asked = [ask(caller="address:192.0.2.7") for _ in range(study_services.MAX_AT_ADDRESS + 1)]
    assert [fresh(study).stop_asked for study in asked] == [True, False, False, False]


@pytest.mark.django_db
def test_nobody_stops_another_ones() -> None:
    study = ask()
    with pytest.raises(Forbidden):
        study_services.stop(caller="user:2", study_id=study.public_id, now=NOW)


@pytest.mark.django_db
def test_a_task_given_twice_is_done_once() -> None:
    study = ask()
    search.search_study(study_id=study.pk)
    first = fresh(study).report
    search.search_study(study_id=study.pk)
    assert fresh(study).report == first


@pytest.mark.django_db
def test_a_search_that_fails_is_said_to_have_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    study = ask()

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("no memory")

    monkeypatch.setattr(Engine, "analyse", fail)
    with pytest.raises(RuntimeError, match="no memory"):
        search.search_study(study_id=study.pk)
    assert fresh(study).progress == Progress.FAILED


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"variant": "chess"}, "chess"),
        ({"fen": "rubbish"}, "rubbish"),
        ({"moves": ("11-99",)}, "11-99"),
        ({"lines": 6}, "lines: Choose 1 to 5, not 6"),
        ({"seconds": 6}, "seconds: Choose 1 to 5, not 6"),
        ({"fen": "W:W12:B8,3"}, "over"),
        ({"fen": "W:" * 300}, "characters"),
    ],
)
def test_what_cannot_be_analysed_is_refused(query: dict[str, Any], said: str) -> None:
    with pytest.raises(Unprocessable, match=said):
        ask(**query)


def test_the_engine_says_nothing_of_ones_own_running_game(alice: User, bob: User, charlie: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15", "23-19")
    moves = ("11-15", "23-19")
    for user in (alice, bob):
        with pytest.raises(OwnGameInProgress):
            ask(user, moves=moves)
        with pytest.raises(OwnGameInProgress):  # nor a move later
            ask(user, moves=(*moves, "8-11"))
    ask(charlie, moves=moves)
    ask(alice, variant="brazilian")
    resign(user=bob, game_id=game.public_id, now=NOW)
    ask(alice, moves=moves)
    assert Study.objects.count() == 3


def test_the_same_position_in_another_game_of_ones_own_is_found_too(alice: User, bob: User) -> None:
    play_moves(make_game(alice, bob), "11-15", "23-19", "9-14")
    with pytest.raises(OwnGameInProgress):
        ask(alice, moves=("9-14", "23-19", "11-15"))


@pytest.mark.django_db
def test_studies_are_forgotten_after_a_day() -> None:
    study = ask()
    jobs.delete_old_studies(NOW + timedelta(hours=23))
    assert selectors.find(study.public_id) == study
    jobs.delete_old_studies(NOW + timedelta(hours=25))
    with pytest.raises(NotFound):
        selectors.find(study.public_id)


@pytest.mark.django_db
def test_a_guest_lets_the_engine_look(window: Open) -> None:
    here = window()
    sent = here.post(
        "/analysis/begin/", {"variant": "american", "moves": "11-15", "lines": "2", "seconds": "1"}
    )
    page = here.get(sent.location)
    assert "Starting the engine …" in page.text
    assert "data-refresh" in page.html
    run_engine_tasks()
    page = here.get(sent.location)
    assert "plies deep" in page.text
    assert "data-refresh" not in page.html
    assert page.html.count('class="shaft"') == 2
    lines = here.get(f"{sent.location}&lines=1", fragment=True)
    assert "plies deep" in lines.text
    assert "<html" not in lines.html
    assert 'hx-swap-oob="outerHTML:.arrows"' in lines.html


@pytest.mark.django_db
def test_the_board_continues_with_a_move_of_the_line(window: Open) -> None:
    page = window().get("/analysis/?variant=american&moves=11-15")
    assert "White to move." in page.text
    assert page.square(22)["data-state"] == "movable"
    assert window().get("/analysis/?variant=american&moves=rubbish").status == 422


def test_a_player_is_told_why_the_engine_is_silent(window: Open, alice: User, bob: User) -> None:
    play_moves(make_game(alice, bob), "11-15")
    here = window(alice)
    sent = here.post("/analysis/begin/", {"variant": "american", "moves": "11-15"}, follow=True)
    assert "The engine is off while your game is in progress" in sent.text
    assert not DBTaskResult.objects.filter(task_path__endswith="look").exists()


def test_the_page_of_a_finished_game_leads_to_the_board(window: Open, alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15", "23-19")
    assert "Analyse this position" not in window(alice).get(f"/games/{game.public_id}/").text
    resign(user=bob, game_id=game.public_id, now=NOW)
    assert "Analyse this position" in window(alice).get(f"/games/{game.public_id}/").text


def test_a_program_has_a_position_analysed(api: Api, alice: User) -> None:
    program = api.as_(alice)
    asked = program.post("/analyses", {"variant": "american", "fen": WON, "seconds": 1})
    assert asked.status_code == 202, asked.content
    body = asked.json()
    assert (body["status"], body["lines"]) == ("waiting", [])
    run_engine_tasks()
    found = program.get(f"/analyses/{body['id']}").json()
    assert found["status"] == "done"
    assert found["proven"]
    assert found["lines"][0]["wins_in"] == 1
    assert found["lines"][0]["proven"]
    assert found["fen"] == Position.from_fen(WON).fen()
    assert program.get("/analyses/none").status_code == 404
    assert program.post("/analyses", {"variant": "american", "lines": 9}).status_code == 422
    assert api.post("/analyses", {"variant": "american"}).status_code == 401
    again = program.post("/analyses", {"variant": "american"}).json()
    assert program.delete(f"/analyses/{again['id']}").json()["status"] == "stopped"


def test_there_is_a_limit_of_analyses(api: Api, alice: User, settings: Settings) -> None:
    settings.LIMITS = {**settings.LIMITS, "analyses": "2/h"}
    codes = [api.as_(alice).post("/analyses", {"variant": "american"}).status_code for _ in range(3)]
    assert codes == [202, 202, 429]


@pytest.mark.django_db
def test_a_guest_tries_a_board_against_the_computer(window: Open) -> None:
    here = window()
    assert "Play without an account" in here.get("/new/computer/").text
    position = {"variant": "american", "moves": "11-15", "against": "2"}
    sent = here.post("/analysis/begin/", {**position, "do": "answer"})
    assert "The computer is thinking …" in here.get(sent.location).text
    run_engine_tasks()
    answered = here.get(sent.location)
    assert answered.status == 302
    lines = here.get(f"{sent.location}&lines=1", fragment=True)
    assert lines.headers["HX-Redirect"] == answered.location
    page = here.get(answered.location)
    assert "Red to move." in page.text
    assert "<option selected>2</option>" in page.html
    assert Study.objects.get().seconds <= 5


def test_no_computer_answers_in_a_position_of_ones_own_game(window: Open, alice: User, bob: User) -> None:
    play_moves(make_game(alice, bob), "11-15")
    form = {"variant": "american", "moves": "11-15", "against": "10", "do": "answer"}
    page = window(alice).post("/analysis/begin/", form, follow=True)
    assert "The engine is off while your game is in progress" in page.text


@pytest.mark.django_db
def test_there_are_ten_levels_to_try() -> None:
    with pytest.raises(Unprocessable, match="level: Choose 1 to 10, not 11"):
        ask(level=11)
