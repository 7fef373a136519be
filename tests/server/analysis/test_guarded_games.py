"""What it costs to compare positions with very many running games is counted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from crownhead import Position
from crownhead.server.accounts.models import User
from crownhead.server.analysis import access
from crownhead.server.analysis.engine import likeness
from crownhead.server.analysis.events import EngineRefused
from crownhead.server.core.problems import TooMany
from crownhead.server.play.selectors import replay_game
from crownhead.server.problems import selectors as problem_selectors
from crownhead.server.problems.presenters import daily_card
from tests.server.guests import browser_of, make_guest
from tests.server.play.factories import NOW, make_game, make_game_from, play_moves, recorded_events

pytestmark = pytest.mark.django_db
BEYOND_THE_OPENING = ("11-15", "23-19", "8-11", "22-17", "11-16", "24-20", "16x23", "27x11")
ELSEWHERE = Position.from_fen("B:WK18,22,27:BK1,K6")


def test_replaying_very_many_running_games_is_counted(
    alice: User, bob: User, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "_FEW", 0)
    settings.LIMITS = settings.LIMITS | {"own_games": "2/h"}
    access.guarded_placements.cache_clear()
    game = make_game(alice, bob)

    for moves in (("11-15", "23-19"), ("8-11",)):
        play_moves(game, *moves)
        access.expect_no_own_game(user=alice, position=ELSEWHERE)
    with pytest.raises(TooMany):
        access.expect_no_own_game(user=alice, position=ELSEWHERE)
    access.expect_no_own_game(user=None, position=ELSEWHERE)


def test_who_has_few_games_is_not_refused(alice: User, bob: User, settings: Settings) -> None:
    settings.LIMITS = settings.LIMITS | {"own_games": "2/h"}
    make_game(alice, bob)
    for _ in range(5):
        access.guarded_placements.cache_clear()
        access.expect_no_own_game(user=alice, position=ELSEWHERE)


def test_who_has_few_games_meets_the_computer_at_its_strength_however_often_they_were_compared(
    alice: User, bob: User, settings: Settings
) -> None:
    settings.LIMITS = settings.LIMITS | {"own_games": "1/d"}
    make_game(alice, bob)
    for _ in range(3):
        access.guarded_placements.cache_clear()
        assert not access.is_asked_to_relay(user=alice, position=ELSEWHERE, plies=40)


@pytest.mark.parametrize("relays", [access.is_relayed, access.is_asked_to_relay])
def test_what_is_compared_before_a_reply_of_the_computer_is_counted_and_never_keeps_it_from_moving(
    alice: User, bob: User, settings: Settings, monkeypatch: pytest.MonkeyPatch, relays: Callable[..., bool]
) -> None:
    monkeypatch.setattr(access, "_FEW", 0)
    settings.LIMITS = settings.LIMITS | {"own_games": "2/h"}
    access.guarded_placements.cache_clear()
    game = make_game(alice, bob)
    with recorded_events(EngineRefused) as refused:
        play_moves(game, *BEYOND_THE_OPENING)
        for _ in range(3):  # what is remembered costs nothing
            assert not relays(user=alice, position=ELSEWHERE, plies=40)
        play_moves(game, "7x16")
        assert not relays(user=alice, position=ELSEWHERE, plies=40)
        assert relays(user=alice, position=ELSEWHERE, plies=40)  # it replies at its weakest
        assert not relays(user=bob, position=ELSEWHERE, plies=40)
    assert not refused
    with pytest.raises(TooMany):
        access.expect_no_own_game(user=alice, position=ELSEWHERE)


def test_of_running_games_only_what_is_compared_is_read(alice: User, bob: User) -> None:
    make_game(alice, bob)
    with CaptureQueriesContext(connection) as captured:
        access.is_relayed(user=alice, position=ELSEWHERE, plies=40)
    (read,) = [query["sql"] for query in captured if 'FROM "play_game"' in query["sql"]]
    assert read.partition("FROM")[0].count('"play_game".') <= 7
    assert "JOIN" not in read


def test_what_is_remembered_is_not_counted(
    alice: User, bob: User, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "_FEW", 0)
    settings.LIMITS = settings.LIMITS | {"own_games": "2/h"}
    access.guarded_placements.cache_clear()
    make_game(alice, bob)
    for _ in range(5):
        access.expect_no_own_game(user=alice, position=ELSEWHERE)


def test_of_very_many_games_one_request_replays_only_some_and_the_next_goes_on(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "_AT_ONCE", 2)
    access.guarded_placements.cache_clear()
    for square in (2, 3, 4, 5, 7, 8):
        make_game_from(f"B:WK18,22,27:BK1,K6,{square}", alice, bob)
    browser = Client()
    browser.force_login(alice)
    form = {"variant": "american", "fen": "B:WK18,22,27:BK1,K6,11"}
    for replayed in (3, 6):  # one more than it may
        refused = browser.post("/analysis/guard/", form)
        assert refused.status_code == 429
        assert "Try again in 1 second" in refused.content.decode()
        assert access.guarded_placements.cache_info().misses == replayed
    assert browser.post("/analysis/guard/", form).json()["refused"]
    assert access.guarded_placements.cache_info().misses == 6


def test_games_of_several_boards_are_replayed_together_only_so_often(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "_AT_ONCE", 3)
    access.guarded_placements.cache_clear()
    for variant in ("american", "international", "canadian", "dameo"):
        make_game(alice, bob, variant=variant)
    own = access.OwnGames(alice)
    for variant in ("american", "international", "canadian"):
        own.like(Position.start(variant))
    with pytest.raises(TooMany):
        own.like(Position.start("dameo"))
    assert access.is_relayed(user=alice, position=Position.start("american"), plies=40) is False


def test_pages_show_no_problem_of_the_day_to_who_plays_too_many_games_to_compare(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "_AT_ONCE", 0)
    access.guarded_placements.cache_clear()
    make_game(alice, bob, variant=problem_selectors.daily(NOW).variant)
    assert [daily_card(NOW, alice) is not None for _ in range(2)] == [False, True]


@pytest.mark.parametrize("path", ["/", "/computer/?fen=W:W21,22,27,31:B1,2,5,9", "/computer/?variant=pro"])
def test_a_guest_who_plays_asks_before_a_reply_of_the_computer_with_the_token_of_the_page(
    bob: User, path: str
) -> None:
    guest = make_guest()
    game = play_moves(make_game(bob, guest), *BEYOND_THE_OPENING)
    browser = browser_of(guest)
    browser.handler.enforce_csrf_checks = True
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', browser.get(path).content.decode())
    assert token
    here = replay_game(game).position
    form = {"computer": "1", "variant": "american", "fen": here.fen(), "plies": "9"}
    with recorded_events(EngineRefused) as refused:
        asked = browser.post("/analysis/guard/", form, headers={"X-CSRFToken": token[1]})
    assert "while your game is in progress" in asked.json()["refused"]
    assert [(event.user_id, event.game_id) for event in refused] == [(guest.pk, game.public_id)]


def test_who_only_looks_at_the_computers_page_gets_no_cookie_for_it() -> None:
    browser = Client()
    assert "csrfmiddlewaretoken" not in browser.get("/").content.decode()
    assert not browser.cookies


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many placements each table has that is made."""
    made: list[int] = []
    make_table = likeness.Table.of

    def counted(known: Iterable[int]) -> likeness.Table:
        table = make_table(known)
        if table.known:
            made.append(len(table.known))
        return table

    monkeypatch.setattr(likeness.Table, "of", counted)
    access._kept_table.cache_clear()  # noqa: SLF001
    return made


def test_a_move_in_one_of_very_many_games_leaves_what_most_of_them_guard_as_it_was(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch, tables: list[int]
) -> None:
    monkeypatch.setattr(access, "_FEW", 0)
    games = [make_game_from(f"B:WK18,22,27:BK1,K6,{square}", alice, bob) for square in (2, 3, 4, 5, 7, 8)]
    for _ in range(3):
        assert access.OwnGames(alice).like(ELSEWHERE)
    assert len(tables) == len(games)
    play_moves(games[0], "1-5")
    for _ in range(3):
        assert access.OwnGames(alice).like(ELSEWHERE)
    assert len(tables) == len(games) + 1


def test_variants_that_share_a_board_have_the_same_games_compared_once(
    alice: User, bob: User, tables: list[int]
) -> None:
    game = make_game_from(ELSEWHERE.fen(), alice, bob)
    own = access.OwnGames(alice)
    for key in ("american", "pool"):
        assert own.like(Position.from_fen(ELSEWHERE.fen(), key)) == game
    assert len(tables) == 1


def test_what_a_game_in_its_opening_guards_by_its_own_laws_alone_is_compared_beside_it(
    alice: User, bob: User, tables: list[int]
) -> None:
    game = make_game(alice, bob)
    make_game_from(ELSEWHERE.fen(), alice, bob)
    own = access.OwnGames(alice)
    assert own.like(Position.start("american")) == game
    assert own.like(Position.from_fen(Position.start("american").fen(), "pool")) is None
    assert len(tables) == 2


def test_of_a_review_what_is_far_from_all_games_is_compared_some_plies_together(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[Position] = []
    find = likeness.Surroundings.find

    def counted(known: likeness.Surroundings, position: Position) -> tuple[int, int] | None:
        compared.append(position)
        return find(known, position)

    monkeypatch.setattr(likeness.Surroundings, "find", counted)
    make_game_from(ELSEWHERE.fen(), alice, bob)
    positions = [Position.start("american")] * 40
    assert access.barred_plies(alice, [*positions, ELSEWHERE]) == {40}
    assert compared == [ELSEWHERE]
