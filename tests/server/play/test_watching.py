"""Looking at games: one, mine, all; as a player, as a guest; page by page."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from crownhead.server.accounts.models import User
from crownhead.server.core.problems import NotFound
from crownhead.server.live.audience import AUDIENCE
from crownhead.server.play import selectors
from crownhead.server.play.draws.services import offer_draw, resign
from crownhead.server.play.presenters.state import game_state
from tests.server.conftest import Api
from tests.server.play.factories import DAY, NOW, api_of, fresh, make_game, make_offer, play_moves, slug

pytestmark = pytest.mark.django_db


def _ids(door: Api, query: str) -> list[str]:
    answer = door.get(f"/games?{query}")
    assert answer.status_code == 200, answer.content
    return [game["id"] for game in json.loads(answer.content)["items"]]


def test_anybody_may_watch_a_game(alice: User, bob: User, charlie: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15")
    seen = [
        json.loads(api_of(user).get(f"/games/{game.public_id}").content) for user in (None, charlie, alice)
    ]
    assert seen[0] == seen[1] == seen[2]
    assert seen[0]["moves"] == ["11-15"]
    assert seen[0]["deadline"] == "2026-03-04T12:00:00Z"


def test_a_game_that_is_not_there_is_not_found(alice: User) -> None:
    for name in ("aaaaaaaaaaaa", "0", "x" * 300, "%F0%9F%90%8E", "-1", "null", "%27%20OR%201=1"):
        for end in ("", ".pdn"):
            answer = api_of(alice).get(f"/games/{name}{end}")
            assert (answer.status_code, slug(answer)) == (404, "not-found")
    with pytest.raises(NotFound):
        selectors.access_game(viewer=alice, public_id="", now=NOW)


def test_rights_are_those_of_the_viewer(alice: User, bob: User, charlie: User) -> None:
    game = make_game(alice, bob)
    rights = {user: game_state(game, user, NOW).rights for user in (alice, bob, charlie, None)}
    assert (rights[alice].move, rights[alice].resign, rights[alice].offer_draw) == (True, True, True)
    assert (rights[bob].move, rights[bob].resign) == (False, True)
    assert rights[charlie] == rights[None] == type(rights[None])()
    game = offer_draw(user=bob, game_id=game.public_id, now=NOW)
    assert game_state(game, alice, NOW).rights.answer_draw
    assert not game_state(game, bob, NOW).rights.answer_draw
    waiting = make_offer(alice)
    assert game_state(waiting, alice, NOW).rights.withdraw
    assert game_state(waiting, bob, NOW).rights.join
    assert not game_state(waiting, bob, NOW + 15 * DAY).rights.join


def test_a_state_costs_no_query_beyond_the_game(
    alice: User, bob: User, django_assert_num_queries: Any
) -> None:
    game = play_moves(make_game(alice, bob), "11-15", "22-18", "15x22")
    with django_assert_num_queries(1):
        seen = selectors.access_game(viewer=alice, public_id=game.public_id, now=NOW)
        shown = game_state(seen, alice, NOW)
    assert (shown.moves, shown.turn, shown.viewer_seat) == (("11-15", "22-18", "15x22"), "second", "first")


def test_my_games_come_with_those_that_wait_for_me_least_time_left_first(alice: User, bob: User) -> None:
    later, sooner = make_game(alice, bob, now=NOW), make_game(alice, bob, now=NOW - DAY)
    theirs = play_moves(make_game(alice, bob), "11-15")
    assert list(selectors.my_games(user=alice, turn=True)) == [sooner, later]
    assert list(selectors.my_games(user=alice, turn=False)) == [theirs]
    assert list(selectors.my_games(user=bob, turn=True)) == [theirs]
    assert selectors.games_to_move(user=alice).count() == 2
    assert len(selectors.my_games(user=alice)) == 3


def test_over_the_api_mine_are_mine(alice: User, bob: User, charlie: User) -> None:
    to_move, waiting = make_game(alice, bob), make_offer(alice)
    theirs = play_moves(make_game(alice, bob), "11-15")
    over = resign(user=bob, game_id=make_game(alice, bob).public_id, now=NOW)
    foreign = make_game(bob, charlie)
    door = api_of(alice)
    names = {game.public_id for game in (to_move, waiting, theirs, over)}
    assert set(_ids(door, "mine=1")) == names
    assert _ids(door, "mine=1&turn=me") == [to_move.public_id]
    assert _ids(door, "mine=1&turn=opponent") == [theirs.public_id]
    assert _ids(door, "mine=1&status=finished") == [over.public_id]
    assert foreign.public_id in _ids(api_of(), "")
    assert waiting.public_id not in _ids(api_of(), "")


def test_a_guest_has_no_games_of_their_own() -> None:
    for query, status, name in (
        ("mine=1", 401, "not-signed-in"),
        ("turn=me", 400, "bad-request"),
        ("mine=perhaps", 422, "unprocessable"),
        ("limit=0", 422, "unprocessable"),
        ("limit=" + "9" * 40, 422, "unprocessable"),
        ("status=lost", 422, "unprocessable"),
        ("cursor=%F0%9F%90%8E", 400, "bad-request"),
        ("cursor=bnVsbA", 400, "bad-request"),
    ):
        answer = api_of().get(f"/games?{query}")
        assert (answer.status_code, slug(answer)) == (status, name), query


def test_lists_come_in_pages_without_gaps_or_repeats(alice: User, bob: User) -> None:
    expected = [make_game(alice, bob).public_id for _ in range(7)][::-1]
    found: list[str] = []
    query = "mine=1&limit=3"
    for _ in range(4):
        listed = json.loads(api_of(alice).get(f"/games?{query}").content)
        found += [game["id"] for game in listed["items"]]
        if listed["next"] is None:
            break
        query = f"mine=1&limit=3&cursor={listed['next']}"
        make_game(alice, bob, now=NOW + DAY)
    assert found == expected


def test_the_record_names_the_players_under_their_colours(alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15", "22-18", "15x22")
    resign(user=bob, game_id=game.public_id, now=NOW)
    answer = api_of().get(f"/games/{game.public_id}.pdn")
    text = answer.content.decode()
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    for line in (
        '[Black "alice"]',
        '[White "bob"]',
        '[Result "1-0"]',
        '[Date "2026.03.01"]',
        '[GameType "21"]',
        "1. 11-15 22-18 2. 15x22 *",
    ):
        assert line in text


def test_where_white_begins_the_first_player_is_white(alice: User, bob: User) -> None:
    game = make_game(alice, bob, variant="international")
    text = api_of().get(f"/games/{game.public_id}.pdn").content.decode()
    assert '[White "alice"]' in text
    assert '[Black "bob"]' in text
    assert game_state(fresh(game), None, NOW).first_colour == "white"


def test_a_record_of_a_waiting_game_names_nobody_who_is_not_there(alice: User) -> None:
    text = api_of().get(f"/games/{make_offer(alice).public_id}.pdn").content.decode()
    assert '[White "?"]' in text
    assert '[Result "*"]' in text


def test_the_page_tells_how_many_watch_besides_the_players(client: Client, alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    topics = {f"game:{game.public_id}"}
    callers = [f"user {alice.pk}", f"user {bob.pk}", "address:192.0.2.1", "address:192.0.2.1", "user 99"]
    for caller in callers:
        AUDIENCE.enter(topics, caller)
    try:
        assert "2 spectators" in client.get(f"/games/{game.public_id}/").content.decode()
        AUDIENCE.leave(topics, "user 99")
        AUDIENCE.leave(topics, "address:192.0.2.1")
        assert "1 spectator" in client.get(f"/games/{game.public_id}/").content.decode()
        AUDIENCE.leave(topics, "address:192.0.2.1")
        assert "besides the players" not in client.get(f"/games/{game.public_id}/").content.decode()
    finally:
        for caller in callers[:2]:
            AUDIENCE.leave(topics, caller)
    assert AUDIENCE.count(next(iter(topics))) == 0
