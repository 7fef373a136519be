"""Games against the computer: they begin at once, are answered by the worker alone, and never count."""

from __future__ import annotations

import ast
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django_tasks_db.models import DBTaskResult
from pytest_django import Settings

import crownhead
from crownhead import VARIANTS
from crownhead.rules.house import register
from crownhead.server import analysis
from crownhead.server.accounts.models import User
from crownhead.server.accounts.services.computers import computer
from crownhead.server.analysis import jobs
from crownhead.server.analysis.computer import replies
from crownhead.server.analysis.computer import services as computer_services
from crownhead.server.analysis.models import Allowance
from crownhead.server.core.problems import Conflict, Forbidden, Unprocessable
from crownhead.server.core.processes.queues import REPLIES
from crownhead.server.notices.models import Notice
from crownhead.server.play.draws.services import offer_draw, resign
from crownhead.server.play.games.options import GameOptions
from crownhead.server.play.invitations import services as invitation_services
from crownhead.server.play.models import Game, Seat
from crownhead.server.play.moves.services import play_move
from crownhead.server.play.problems import TooManyGames
from crownhead.server.play.take_backs.services import ask_take_back
from tests.house_rows import SMALL
from tests.server.analysis.engine_tasks import run_engine_tasks
from tests.server.conftest import Api
from tests.server.pages.conftest import Open
from tests.server.play.factories import NOW, fresh, make_game


def against(user: User, *, level: int = 1, **options: Any) -> Game:
    terms: dict[str, Any] = {"variant": "american", "colour": "first", "days_per_move": 3} | options
    return computer_services.start(
        user=user, level=level, options=GameOptions(**terms), now=NOW, dice=Random(1)
    )


def move(game: Game, user: User) -> Game:
    """The first legal move of the player."""
    here = fresh(game)
    position = crownhead.Game(here.variant, start=here.start_fen)
    for token in here.moves.split():
        position.push(token)
    text = position.position.notation(position.position.legal_moves()[0])
    return play_move(user=user, game_id=here.public_id, move=text, version=here.version, now=NOW)


def test_the_computer_answers_a_move(alice: User) -> None:
    game = against(alice)
    move(game, alice)
    assert fresh(game).version == 1
    run_engine_tasks()
    assert fresh(game).version == 2
    assert fresh(game).turn == Seat.FIRST


def next_in_turn() -> str:
    """The game that the computer attends to next, and is done with."""
    ready = DBTaskResult.objects.ready().filter(queue_name=REPLIES).first()
    assert ready is not None
    game_id: str = ready.args_kwargs["args"][0]
    ready.delete()
    return game_id


def test_members_take_turns_however_many_games_they_have(alice: User, bob: User, charlie: User) -> None:
    many = [against(alice, level=10) for _ in range(10)]
    of_bob, of_charlie = against(bob, level=10), against(charlie, level=10)
    others = {of_bob.public_id, of_charlie.public_id}
    order = [next_in_turn() for _ in range(12)]
    assert set(order[1:3]) == others, "after one of Alice's"
    assert [key for key in order if key not in others] == [game.public_id for game in many]


def test_answering_at_once_keeps_nobody_waiting(alice: User, bob: User) -> None:
    for _ in range(10):
        against(alice, level=10)
    of_bob = against(bob, level=10)
    before = 0
    while (key := next_in_turn()) != of_bob.public_id:
        before += 1
        move(Game.objects.get(public_id=key), alice)  # and the computer is to answer again
        assert before <= 2


def test_the_computer_begins_where_it_has_the_first_side(alice: User) -> None:
    game = against(alice, colour="second")
    run_engine_tasks()
    assert fresh(game).version == 1


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_computer_plays_every_variant(alice: User, variant: str) -> None:
    game = against(alice, variant=variant, level=2, colour="second")
    before = fresh(game)
    run_engine_tasks()
    assert fresh(game).version == before.version + (
        before.turn == Seat.FIRST
    )  # a ballot may have moved for it


def test_the_computer_plays_a_house_variant(house: None, alice: User) -> None:
    register([SMALL])
    game = against(alice, variant=SMALL.key, level=10)
    move(game, alice)
    run_engine_tasks()
    assert fresh(game).version == 2


def test_a_whole_game_is_played_to_its_end(alice: User) -> None:
    game = against(alice, level=2)
    for _ in range(150):
        if fresh(game).status != "playing":
            break
        move(game, alice)
        run_engine_tasks()
    ended = fresh(game)
    assert ended.status == "finished"
    assert not ended.rated


def test_an_answer_thought_of_twice_is_given_once(alice: User) -> None:
    game = against(alice, colour="second", level=3)
    computer_id = fresh(game).first_player_id or 0
    one = replies.consider(game_id=game.public_id, computer_id=computer_id, now=NOW)
    two = replies.consider(game_id=game.public_id, computer_id=computer_id, now=NOW)
    assert one == two
    assert one is not None
    assert two is not None
    replies.answer(thought=one, now=NOW)
    replies.answer(thought=two, now=NOW)
    assert fresh(game).version == 1


def test_an_answer_to_a_game_that_has_ended_meanwhile_is_dropped(alice: User) -> None:
    game = against(alice, colour="second")
    thought = replies.consider(game_id=game.public_id, computer_id=fresh(game).first_player_id or 0, now=NOW)
    assert thought is not None
    resign(user=alice, game_id=game.public_id, now=NOW)
    replies.answer(thought=thought, now=NOW)
    assert fresh(game).version == 0


def test_an_early_offer_of_a_draw_is_declined(alice: User) -> None:
    game = against(alice)
    offer_draw(user=alice, game_id=game.public_id, now=NOW)
    run_engine_tasks()
    assert fresh(game).status == "playing"
    assert fresh(game).draw_offer_by is None


def test_a_draw_is_agreed_to_where_nothing_is_left_to_win(alice: User) -> None:
    game = against(alice, level=5)
    Game.objects.filter(pk=game.pk).update(start_fen="B:WK32:BK1")
    for text in ["1-5", "32-28", "5-1", "28-32"] * 5 + ["1-6"]:
        here = fresh(game)
        user = here.first_player if here.turn == Seat.FIRST else here.second_player
        assert user is not None
        play_move(user=user, game_id=game.public_id, move=text, version=here.version, now=NOW)
    offer_draw(user=alice, game_id=game.public_id, now=NOW)
    run_engine_tasks()
    assert fresh(game).termination == "agreement"


def test_a_move_is_given_back_at_once(alice: User) -> None:
    game = against(alice)
    move(game, alice)
    run_engine_tasks()
    ask_take_back(user=alice, game_id=game.public_id, now=NOW)
    run_engine_tasks()
    assert fresh(game).moves == ""
    assert fresh(game).turn == Seat.FIRST


def test_a_game_with_the_computer_is_never_rated(alice: User) -> None:
    with pytest.raises(Unprocessable, match="never rated"):
        against(alice, rated=True)


@pytest.mark.parametrize("level", [0, 11])
def test_there_are_ten_levels(alice: User, level: int) -> None:
    with pytest.raises(Unprocessable, match="from 1 to 10"):
        against(alice, level=level)


def test_a_player_who_plays_the_computer_again_is_answered_at_once(alice: User) -> None:
    game = against(alice)
    resign(user=alice, game_id=game.public_id, now=NOW)
    again = invitation_services.invite_again(user=alice, game_id=game.public_id, message="", now=NOW)
    run_engine_tasks()
    assert fresh(again).status == "playing"
    assert fresh(again).second_player == alice
    assert fresh(again).version == 1


def test_who_is_blocked_from_the_engine_does_not_play_the_computer_again(alice: User) -> None:
    game = against(alice)
    resign(user=alice, game_id=game.public_id, now=NOW)
    Allowance.objects.create(user=alice, shut=True, reason="Too many games.", set_at=NOW)
    with pytest.raises(Forbidden, match="Too many games"):
        invitation_services.invite_again(user=alice, game_id=game.public_id, message="", now=NOW)


def test_games_again_count_towards_the_limit_too(alice: User, settings: Settings) -> None:
    settings.COMPUTER_GAMES_PER_PLAYER = 2
    over = [against(alice) for _ in range(2)]
    for game in over:
        resign(user=alice, game_id=game.public_id, now=NOW)
    against(alice)
    again = [
        invitation_services.invite_again(user=alice, game_id=game.public_id, message="", now=NOW)
        for game in over
    ]
    run_engine_tasks()
    assert [fresh(game).status for game in again] == ["playing", "declined"], "offered before the worker came"
    resign(user=alice, game_id=again[0].public_id, now=NOW)
    against(alice)
    with pytest.raises(TooManyGames, match="against the computer"):
        invitation_services.invite_again(user=alice, game_id=again[0].public_id, message="", now=NOW)


def test_the_host_limits_the_games_against_the_computer(alice: User, bob: User, settings: Settings) -> None:
    settings.COMPUTER_GAMES_PER_PLAYER = 2
    make_game(alice, bob)
    against(alice)
    against(alice, level=9)
    with pytest.raises(TooManyGames, match="against the computer"):
        against(alice)


def test_what_the_worker_forgot_is_done_a_minute_later(alice: User) -> None:
    game = against(alice, colour="second")
    DBTaskResult.objects.all().delete()
    jobs.answer_forgotten_games(NOW + timedelta(seconds=30))
    assert run_engine_tasks() == 0
    jobs.answer_forgotten_games(NOW + timedelta(minutes=2))
    jobs.answer_forgotten_games(NOW + timedelta(minutes=2))
    assert run_engine_tasks() == 1
    assert fresh(game).version == 1


def test_nobody_tells_a_computer_anything(alice: User) -> None:
    game = against(alice)
    move(game, alice)
    assert not Notice.objects.filter(user=fresh(game).second_player).exists()


def test_nobody_can_be_called_like_a_computer(api: Api, alice: User) -> None:
    for name in ("computer-3", "Computer_11", "c0mputer"):
        answer = api.post(
            "/accounts", {"username": name, "email": "x@club.example", "password": "long enough 1"}
        )
        assert answer.status_code == 409, name


def test_a_member_who_is_called_so_already_is_left_alone(django_user_model: type[User], alice: User) -> None:
    django_user_model.objects.create_user("computer-4", "c@club.example", "a long passphrase")
    with pytest.raises(Conflict, match="computer-4"):
        against(alice, level=4)


def test_nobody_signs_in_as_the_computer(api: Api, db: None) -> None:
    computer(3)
    answer = api.post("/tokens", {"username": "computer-3", "password": ""})
    assert answer.status_code in {401, 422}


def test_a_program_begins_a_game_with_the_computer(api: Api, alice: User) -> None:
    terms = {"variant": "russian", "colour": "first", "days_per_move": 3, "computer": 4}
    answer = api.as_(alice).post("/games", terms)
    assert answer.status_code == 201, answer.content
    game = answer.json()
    assert game["status"] == "playing"
    assert game["players"]["second"]["username"] == "computer-4"
    wrong = api.as_(alice).post("/games", {**terms, "opponent": "bob"})
    assert wrong.status_code == 400
    assert api.as_(alice).post("/games", {**terms, "computer": 11}).status_code == 422
    assert api.as_(alice).post("/games", {**terms, "rated": True}).status_code == 422


def test_a_game_begins_on_its_page(window: Open, alice: User) -> None:
    page = window(alice).get("/new/computer/")
    assert page.status == 200
    assert "beginner" in page.text
    form = {"variant": "frisian", "level": "7", "colour": "second", "time": "10+5"}
    begun = window(alice).post("/new/computer/", form, follow=True)
    assert "computer-7" in begun.text
    game = Game.objects.get()
    assert (game.variant, game.pace, game.second_player) == ("frisian", "live", alice)


def test_a_guest_sees_the_page_and_signs_in_to_begin(window: Open) -> None:
    assert window().get("/new/computer/").status == 200
    answer = window().post("/new/computer/", {"level": "1"})
    assert "/accounts/login/" in answer.location


def test_a_computer_is_marked_beside_the_board(window: Open, alice: User) -> None:
    game = against(alice, level=6)
    page = window(alice).get(f"/games/{game.public_id}/")
    assert "computer, level 6" in page.text


def test_no_page_and_no_answer_of_the_api_thinks() -> None:
    """Whatever thinks is imported by the tasks alone."""
    folder, thinking = Path(str(analysis.__file__)).parent, {"replies", "reviewing", "searching", "thinkers"}
    for path in folder.glob("*.py"):
        names = {
            alias.name.rpartition(".")[2]
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(node, ast.Import | ast.ImportFrom)
            for alias in node.names
        } | {
            (node.module or "").rpartition(".")[2]
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(node, ast.ImportFrom)
        }
        if path.stem not in {"tasks", *thinking}:
            assert not names & thinking, path.name
