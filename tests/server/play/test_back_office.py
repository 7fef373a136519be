"""What staff decide about games in the back office: by the services, with a reason that is kept."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client

from crownhead.server.accounts.models import User
from crownhead.server.core import admin as bounded
from crownhead.server.core import clock
from crownhead.server.play.clocks.time_control import DAY as A_DAY
from crownhead.server.play.clocks.time_control import Pace, TimeControl, pace_text
from crownhead.server.play.draws.services import resign
from crownhead.server.play.models import Appeal, Game, StaffAction
from crownhead.server.play.staff.services import appeal
from tests.server.conftest import make_user
from tests.server.play.factories import DAY, fresh, make_game, play_moves

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


@pytest.fixture
def office(db: None) -> Client:
    """A member of the staff at the back office."""
    client = Client()
    client.force_login(make_user("hostess", is_staff=True, is_superuser=True))
    return client


def decide(office: Client, game: Game, result: str, *, reason: str = "So it is.", until: str = "") -> str:
    """Send the form of a game in progress; the page that comes back."""
    day, _, hour = until.partition(" ")
    form = {"result": result, "reason": reason, "until_0": day, "until_1": hour}
    return office.post(f"/staff/play/game/{game.pk}/change/", form, follow=True).content.decode()


@pytest.mark.parametrize(
    ("result", "winner", "logged"),
    [
        ("forfeit-first", "second", "first"),
        ("forfeit-second", "first", "second"),
        ("forfeit-both", "", "both"),
    ],
)
def test_a_game_is_declared_forfeit(
    office: Client, alice: User, bob: User, result: str, winner: str, logged: str
) -> None:
    game = play_moves(make_game(alice, bob), "11-15", "23-19", "8-11", "22-17")
    decide(office, game, result, reason="Nobody came.")
    game = fresh(game)
    assert (game.status, game.winner or "", game.termination) == ("finished", winner, "forfeit")
    assert game.annulled == (logged == "both")
    action = StaffAction.objects.get()
    assert (action.verb, action.result, action.reason, action.as_director) == (
        "forfeited",
        logged,
        "Nobody came.",
        False,
    )


def test_a_clock_is_stopped_and_continues(office: Client, alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    deadline = game.deadline_at
    assert deadline is not None
    decide(office, game, "adjourn", until="2026-03-03 12:00:00")
    assert fresh(game).deadline_at == deadline + 2 * DAY
    decide(office, game, "resume")
    assert fresh(game).deadline_at == deadline
    assert list(StaffAction.objects.order_by("pk").values_list("verb", flat=True)) == ["adjourned", "resumed"]


def test_a_clock_is_not_stopped_without_a_moment_nor_resumed_while_it_runs(
    office: Client, alice: User, bob: User
) -> None:
    game = make_game(alice, bob)
    assert "Choose when the clock starts again." in decide(office, game, "adjourn")
    assert "Choose a time in the future, before" in decide(
        office, game, "adjourn", until="2026-02-01 12:00:00"
    )
    assert "This game is not adjourned." in decide(office, game, "resume")
    assert not StaffAction.objects.exists()
    assert not LogEntry.objects.exists()


def test_an_appeal_that_can_be_granted_no_more_is_not_said_to_be(
    office: Client, alice: User, bob: User
) -> None:
    game = make_game(alice, bob)
    appeal(user=alice, game_id=game.public_id, claim="win", reason="They left.", now=clock.now())
    resign(user=alice, game_id=game.public_id, now=clock.now())
    row = Appeal.objects.get()
    form = {"verdict": "grant", "reply": "So it is."}
    page = office.post(f"/staff/play/appeal/{row.pk}/change/", form, follow=True).content.decode()
    assert "This game is already over." in page
    assert "changed successfully" not in page
    assert not LogEntry.objects.exists()


def test_a_result_is_still_declared_there(office: Client, alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    decide(office, game, "draw")
    assert (fresh(game).status, fresh(game).winner) == ("finished", None)


@pytest.mark.parametrize(
    ("time", "bonus", "limit", "words"),
    [(28, 28, 28, "28 hours per move"), (72, 12, 96, "72 h + 12 h per move, at most 96 h")],
)
def test_a_clock_that_fills_up_is_reported_as_hours_per_move(
    time: int, bonus: int, limit: int, words: str
) -> None:
    control = TimeControl(pace=Pace.BANK, initial=time * HOUR, bonus=bonus * HOUR, limit=limit * HOUR)
    assert pace_text(control) == words
    assert pace_text(TimeControl(pace=Pace.DAYS, initial=A_DAY)) == "1 day per move"


def listed(office: Client, query: str) -> set[str]:
    """The games on the list of the back office."""
    page = office.get(f"/staff/play/game/?{query}").content.decode()
    return {game.public_id for game in Game.objects.all() if game.public_id in page}


def test_a_filter_of_the_list_looks_among_the_latest_games_and_a_search_among_all_of_a_player(
    office: Client, alice: User, bob: User, charlie: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    oldest = resign(user=bob, game_id=make_game(alice, bob).public_id, now=clock.now()).public_id
    others = [resign(user=bob, game_id=make_game(charlie, bob).public_id, now=clock.now()) for _ in range(2)]
    running = make_game(alice, charlie).public_id
    latest = {game.public_id for game in others}
    assert listed(office, "termination=resignation&variant=american") == {oldest, *latest}
    monkeypatch.setattr(bounded, "MAX_LISTED", 3)
    assert listed(office, "termination=resignation") == latest
    assert listed(office, "q=ALI&termination=resignation") == {oldest}
    assert listed(office, "q=ali") == {oldest, running}
    assert listed(office, f"q={oldest}") == {oldest}
    assert listed(office, "status__exact=playing") == {running}
    assert listed(office, "variant=russian") == set()
    assert listed(office, "termination=forfeit") == set()
