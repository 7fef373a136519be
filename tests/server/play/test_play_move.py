"""Making a move: whose turn, which version, what is legal, and the same move sent twice."""

from __future__ import annotations

import json

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.core.problems import NotFound, OutOfDate
from crownhead.server.play import problems
from crownhead.server.play.draws.services import resign
from crownhead.server.play.models import Game
from crownhead.server.play.moves.services import play_move
from tests.server.play.factories import (
    DAY,
    NOW,
    api_of,
    columns,
    fresh,
    make_game,
    make_game_from,
    make_offer,
    play_moves,
    slug,
)

pytestmark = pytest.mark.django_db


def _move(user: User, game: Game, move: str, version: int) -> Game:
    return play_move(user=user, game_id=game.public_id, move=move, version=version, now=NOW)


def test_a_move_is_kept_and_hands_the_turn_over(alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15", now=NOW + DAY)
    assert (game.moves, game.version, game.turn) == ("11-15", 1, "second")
    assert (game.deadline_at, game.last_moved_at) == (NOW + 4 * DAY, NOW + DAY)
    assert (fresh(game).moves, fresh(game).deadline_at) == ("11-15", NOW + 4 * DAY)


def test_a_capture_is_kept_with_its_whole_path(alice: User, bob: User) -> None:
    game = make_game_from("W:W22,30:B1,11,18", alice, bob)
    assert play_moves(game, "22x8").moves == "22x15x8"


def test_a_move_that_takes_the_last_piece_wins(alice: User, bob: User) -> None:
    game = play_moves(make_game_from("W:W22,30:B18", alice, bob), "22x15")
    assert (game.status, game.winner, game.termination) == ("finished", "second", "no-pieces")
    assert (game.turn, game.deadline_at, game.ended_at) == (None, None, NOW)


def test_a_move_that_leaves_the_opponent_stuck_wins(alice: User, bob: User) -> None:
    game = play_moves(make_game_from("B:W12:B3,4", alice, bob), "4-8")
    assert (game.status, game.winner, game.termination) == ("finished", "first", "no-moves")


def test_the_opponent_is_to_move(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    with pytest.raises(problems.NotYourTurn):
        _move(bob, game, "22-18", 0)
    assert fresh(game).moves == ""


@pytest.mark.parametrize("version", [1, 2, 2**31 - 1])
def test_a_version_that_is_not_the_games_is_out_of_date(alice: User, bob: User, version: int) -> None:
    game = make_game(alice, bob)
    with pytest.raises(OutOfDate, match=f"version 0, not {version}"):
        _move(alice, game, "11-15", version)


def test_an_old_version_is_out_of_date(alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15", "22-18")
    with pytest.raises(OutOfDate):
        _move(alice, game, "10-14", 0)


def test_a_stranger_cannot_move(alice: User, bob: User, charlie: User) -> None:
    with pytest.raises(problems.NotAPlayer):
        _move(charlie, make_game(alice, bob), "11-15", 0)


def test_nobody_moves_in_a_game_that_does_not_exist(alice: User) -> None:
    for name in ("aaaaaaaaaaaa", "", "\0", "é" * 12, "x" * 5000):
        with pytest.raises(NotFound):
            play_move(user=alice, game_id=name, move="11-15", version=0, now=NOW)


@pytest.mark.parametrize("move", ["11-14", "22-18", "nonsense", "", "99-98", "11", "11-15-19", "9" * 300])
def test_a_move_that_is_not_legal_is_refused_and_changes_nothing(alice: User, bob: User, move: str) -> None:
    game = make_game(alice, bob)
    before = columns(game)
    with pytest.raises(problems.IllegalMove, match="expected"):
        _move(alice, game, move, 0)
    assert columns(game) == before


def test_a_forced_capture_left_out_is_refused(alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15", "22-18")
    with pytest.raises(problems.IllegalMove):
        _move(alice, game, "8-11", 2)


def test_the_same_move_sent_twice_is_made_once_and_answered_alike(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    first, second = _move(alice, game, "11-15", 0), _move(alice, game, "11x15", 0)
    assert (first.moves, first.version) == (second.moves, second.version) == ("11-15", 1)


def test_a_move_sent_again_after_the_opponents_answer_is_still_a_success(alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15", "22-18")
    assert _move(alice, game, "11-15", 0).moves == "11-15 22-18"


def test_a_winning_move_sent_again_is_still_a_success(alice: User, bob: User) -> None:
    game = play_moves(make_game_from("W:W22,30:B18", alice, bob), "22x15")
    assert _move(bob, game, "22x15", 0).status == "finished"


def test_the_opponent_cannot_pass_off_a_move_as_their_own(alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15")
    with pytest.raises(OutOfDate):
        _move(bob, game, "11-15", 0)


def test_another_move_with_a_spent_version_is_out_of_date(alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15")
    with pytest.raises(OutOfDate):
        _move(alice, game, "11-16", 0)


def test_no_move_is_made_in_a_game_that_waits(alice: User) -> None:
    game = make_offer(alice)
    with pytest.raises(problems.NotInProgress, match="waiting"):
        _move(alice, game, "11-15", 0)


def test_a_first_move_made_on_creation_sent_again_is_a_success(alice: User) -> None:
    assert _move(alice, make_offer(alice, first_move="11-15"), "11-15", 0).version == 1


def test_no_move_is_made_in_a_finished_game(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    resign(user=bob, game_id=game.public_id, now=NOW)
    with pytest.raises(problems.GameOver, match="resignation"):
        _move(alice, game, "11-15", 0)


def test_the_api_answers_a_move_with_the_new_state(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    answer = api_of(alice).post(f"/games/{game.public_id}/moves", {"move": "11-15", "version": 0})
    body = json.loads(answer.content)
    assert answer.status_code == 200
    assert (body["moves"], body["version"], body["turn"]) == (["11-15"], 1, "second")
    assert body["players"] == {"first": {"username": "alice"}, "second": {"username": "bob"}}
    assert {"notation": "22-18", "path": [22, 18], "captures": []} in body["legal_moves"]


def test_the_api_tells_each_refusal_apart(alice: User, bob: User, charlie: User) -> None:
    game = make_game(alice, bob)
    path, good = f"/games/{game.public_id}/moves", {"move": "11-15", "version": 0}
    before = columns(game)
    for user, where, body, status, name in (
        (None, path, good, 401, "not-signed-in"),
        (charlie, path, good, 403, "not-a-player"),
        (alice, "/games/aaaaaaaaaaaa/moves", good, 404, "not-found"),
        (bob, path, good, 409, "not-your-turn"),
        (alice, path, good | {"version": 3}, 409, "out-of-date"),
        (alice, path, good | {"move": "11-14"}, 422, "illegal-move"),
        (alice, path, good | {"move": "hop"}, 422, "illegal-move"),
        (alice, path, good | {"version": "0"}, 422, "unprocessable"),
        (alice, path, good | {"version": -1}, 422, "unprocessable"),
        (alice, path, good | {"version": 10**40}, 422, "unprocessable"),
        (alice, path, {"move": "11-15"}, 422, "unprocessable"),
        (alice, path, good | {"ply": 1}, 422, "unprocessable"),
    ):
        answer = api_of(user).post(where, body)
        assert (answer.status_code, slug(answer)) == (status, name), body
    assert columns(game) == before


def test_the_api_says_to_people_what_the_pages_say(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    answer = api_of(alice).post(f"/games/{game.public_id}/moves", {"move": "hop", "version": 0})
    said = answer.json()["message"]
    assert said == "That move is not legal here. Type the squares of a move, such as 9-13."
    assert answer.json()["detail"] != said


def test_a_move_over_the_api_needs_json_that_can_be_read(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    for body in (b"", b"{", b"[]", b'"11-15"', b"\xff\xfe", b'{"move": "11-15", "version": NaN}'):
        answer = api_of(alice).send("POST", f"/games/{game.public_id}/moves", body)
        assert answer.status_code in {400, 422}, body
        slug(answer)
    assert fresh(game).version == 0
