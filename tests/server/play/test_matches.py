"""Matches: two games at once, n games, n wins."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from crownhead.server.accounts.contacts.services import block
from crownhead.server.accounts.models import User
from crownhead.server.accounts.services.locking import lock
from crownhead.server.core import events
from crownhead.server.play.api import matches
from crownhead.server.play.draws.services import accept_draw, offer_draw, resign
from crownhead.server.play.events import MatchEnded
from crownhead.server.play.games.options import LiveClock
from crownhead.server.play.games.services.deadlines import end_overdue_games
from crownhead.server.play.models import Game, Match
from tests.server.play.factories import DAY, NOW, api_of, make_game, play_moves, slug

pytestmark = pytest.mark.django_db


@pytest.fixture
def ended() -> Iterator[list[MatchEnded]]:
    emitted: list[MatchEnded] = []
    live = [True]

    @events.on(MatchEnded)
    def note(event: MatchEnded) -> None:
        if live:
            emitted.append(event)

    yield emitted
    live.clear()


def _resign(user: User, game: Game) -> None:
    resign(user=user, game_id=game.public_id, now=NOW + DAY)


def _games(game: Game) -> list[Game]:
    return list(Game.objects.with_players().filter(match=game.match_id).order_by("match_number"))


def test_a_match_of_two_games_begins_both_at_once_with_the_sides_swapped(alice: User, bob: User) -> None:
    one, two = _games(make_game(alice, bob, games=2))
    assert (one.first_player, one.second_player) == (alice, bob)
    assert (two.first_player, two.second_player) == (bob, alice)
    assert {one.status, two.status} == {"playing"}


def test_both_games_begin_from_the_same_ballot(alice: User, bob: User) -> None:
    one, two = _games(make_game(alice, bob, variant="pro", games=2))
    assert one.opening == two.opening is not None
    assert one.moves == two.moves


def test_both_games_have_the_same_terms(alice: User, bob: User) -> None:
    one, two = _games(make_game(alice, bob, games=2, vacation=True, rated=True))
    for name in ("vacation", "rated", "days_per_move", "deadline_at", "variant"):
        assert getattr(one, name) == getattr(two, name)


def test_a_match_of_two_is_over_with_the_second_game(alice: User, bob: User, ended: list[MatchEnded]) -> None:
    one, two = _games(make_game(alice, bob, games=2))
    _resign(bob, two)
    assert not ended
    _resign(bob, one)
    (event,) = ended
    assert event.winner_id == alice.pk
    match = Match.objects.get()
    assert (match.creator_score, match.opponent_score, match.ended_at) == (4, 0, NOW + DAY)


def test_of_n_games_the_next_begins_as_one_ends_with_the_sides_swapped(alice: User, bob: User) -> None:
    game = make_game(alice, bob, games=3)
    assert len(_games(game)) == 1
    _resign(alice, game)
    _, second = _games(game)
    assert (second.first_player, second.status, second.turn_since) == (bob, "playing", NOW + DAY)
    offer_draw(user=alice, game_id=second.public_id, now=NOW + DAY)
    accept_draw(user=bob, game_id=second.public_id, now=NOW + DAY)
    third = _games(game)[2]
    assert third.first_player == alice
    _resign(bob, third)
    assert len(_games(game)) == 3
    match = Match.objects.get()
    assert (match.creator_score, match.opponent_score, match.ended_at) == (3, 3, NOW + DAY)


def test_games_of_a_long_match_go_by_pairs_from_one_ballot(alice: User, bob: User) -> None:
    game = make_game(alice, bob, variant="pro", games=4)
    for _ in range(4):
        _resign(alice, _games(game)[-1])
    openings = [entry.opening for entry in _games(game)]
    assert len(openings) == 4
    assert (openings[0], openings[2]) == (openings[1], openings[3])


def test_a_match_of_wins_continues_until_somebody_has_them(alice: User, bob: User) -> None:
    game = make_game(alice, bob, wins=2)
    offer_draw(user=alice, game_id=game.public_id, now=NOW)
    accept_draw(user=bob, game_id=game.public_id, now=NOW)
    for loser in (bob, alice, bob):
        assert Match.objects.get().ended_at is None
        _resign(loser, _games(game)[-1])
    match = Match.objects.get()
    assert (match.creator_wins, match.opponent_wins, match.ended_at) == (2, 1, NOW + DAY)
    assert len(_games(game)) == 4


def test_the_game_after_one_lost_on_time_begins_when_that_was_found_out(alice: User, bob: User) -> None:
    game = make_game(alice, bob, games=3)
    end_overdue_games(now=NOW + 10 * DAY)
    first, second = _games(game)
    assert (first.ended_at, second.started_at, second.status) == (NOW + 3 * DAY, NOW + 10 * DAY, "playing")


def test_a_move_that_ends_a_game_continues_to_the_next(alice: User, bob: User) -> None:
    game = make_game(alice, bob, games=3)
    Game.objects.filter(pk=game.pk).update(start_fen="W:W22,30:B18", turn="second")
    game = play_moves(game, "22x15")
    assert game.status == "finished"
    assert len(_games(game)) == 2


def test_the_api_shows_a_match_with_its_score_and_games(alice: User, bob: User) -> None:
    terms = {"variant": "american", "colour": "first", "days_per_move": 3, "games": 2, "opponent": "bob"}
    made = json.loads(api_of(alice).post("/games", terms).content)
    assert (made["match"]["kind"], made["match"]["length"], made["match"]["number"]) == ("two", 2, 1)
    api_of(bob).post(f"/invitations/{made['id']}/accept")
    api_of(bob).post(f"/games/{made['id']}/resign")
    body: dict[str, Any] = json.loads(api_of().get(f"/matches/{made['match']['id']}").content)
    assert (body["score"], body["opponent"]) == ({"creator": 1, "opponent": 0}, {"username": "bob"})
    assert [game["match"]["number"] for game in body["games"]] == [1, 2]
    assert slug(api_of().get("/matches/nonesuch")) == "not-found"


def test_a_program_gets_the_games_of_a_long_match_in_parts(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matches, "MAX_GAMES", 2)
    make_game(alice, bob, games=5)
    for _ in range(2):
        resign(user=bob, game_id=Game.objects.exclude(status="finished").get().public_id, now=NOW)
    address = f"/matches/{Match.objects.get().public_id}"
    first, rest = (json.loads(api_of().get(f"{address}?offset={at}").content) for at in (0, 2))
    assert [game["match"]["number"] for game in first["games"]] == [1, 2]
    assert first["next_offset"] == 2
    assert [game["match"]["number"] for game in rest["games"]] == [3]
    assert rest["next_offset"] is None


def test_a_hidden_match_is_seen_by_its_players_alone(alice: User, bob: User, charlie: User) -> None:
    game = make_game(alice, bob, games=2, hidden=True)
    assert game.match is not None
    path = f"/matches/{game.match.public_id}"
    answers = [api_of(user).get(path) for user in (alice, bob, charlie, None)]
    assert [answer.status_code for answer in answers] == [200, 200, 404, 404]


def test_a_match_is_offered_again_as_a_match(alice: User, bob: User) -> None:
    game = make_game(alice, bob, wins=2)
    _resign(bob, game)
    answer = api_of(bob).post(f"/games/{game.public_id}/rematch", {})
    assert json.loads(answer.content)["match"]["length"] == 2


# --------------------------------------------------------------------------------- what ends a match early

LIVE: dict[str, Any] = {"days_per_move": None, "clock": LiveClock(initial=60)}


def test_a_match_ends_with_the_game_where_one_has_blocked_the_other(
    alice: User, bob: User, ended: list[MatchEnded]
) -> None:
    game = make_game(alice, bob, games=20)
    block(user=bob, other=alice, now=NOW)
    _resign(bob, game)
    assert len(_games(game)) == 1
    match = Match.objects.get()
    assert (match.creator_score, match.opponent_score, match.ended_at) == (2, 0, NOW + DAY)
    assert [event.winner_id for event in ended] == [alice.pk]


def test_a_match_ends_with_the_game_where_one_is_suspended(alice: User, bob: User) -> None:
    game = make_game(alice, bob, games=20)
    lock(user=bob)
    _resign(alice, game)
    assert len(_games(game)) == 1
    assert Match.objects.get().ended_at == NOW + DAY


def test_a_live_match_ends_with_a_game_that_nobody_played(alice: User, bob: User) -> None:
    game = make_game(alice, bob, games=20, **LIVE)
    end_overdue_games(now=NOW + DAY)
    assert [entry.status for entry in _games(game)] == ["finished"]
    assert Match.objects.get().ended_at == NOW + DAY


def test_a_live_match_goes_on_after_a_game_that_was_played(alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob, games=20, **LIVE), "11-15", "23-19")
    resign(user=alice, game_id=game.public_id, now=NOW)
    assert [entry.status for entry in _games(game)] == ["finished", "playing"]


def test_a_player_ends_a_match_with_the_game_in_progress(
    alice: User, bob: User, ended: list[MatchEnded]
) -> None:
    game = make_game(alice, bob, games=20)
    assert game.match is not None
    path = f"/matches/{game.match.public_id}"
    answer = api_of(bob).post(f"{path}/end")
    assert answer.status_code == 200
    assert json.loads(answer.content)["ended_at"] is not None
    assert ended == []
    assert slug(api_of(alice).post(f"{path}/end")) == "conflict"
    _resign(bob, game)
    assert len(_games(game)) == 1
    assert [event.winner_id for event in ended] == [alice.pk]


def test_the_page_of_a_match_ends_it_for_a_player_alone(alice: User, bob: User, charlie: User) -> None:
    game = make_game(alice, bob, games=20)
    assert game.match is not None
    address, browser = f"/matches/{game.match.public_id}/", Client()
    for user, status, offered in ((charlie, 403, False), (bob, 302, True)):
        browser.force_login(user)
        assert (b"End the match" in browser.get(address).content) is offered
        assert browser.post(address, {"do": "end"}).status_code == status
    shown = browser.get(address).content.decode()
    assert "This is the last game." in shown
    assert "End the match" not in shown
    assert Match.objects.get().ended_at is not None


def test_a_match_of_two_games_is_not_ended_as_both_are_played(alice: User, bob: User) -> None:
    game = make_game(alice, bob, games=2)
    assert game.match is not None
    assert slug(api_of(bob).post(f"/matches/{game.match.public_id}/end")) == "conflict"
