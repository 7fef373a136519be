"""The planner of conditional moves, without JavaScript: lines by board and by text, kept as a whole."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from crownhead import Position
from crownhead.server.accounts.models import User
from crownhead.server.play.draws.services import offer_draw, resign
from crownhead.server.play.models import Game, Seat
from crownhead.server.play.plans import selectors
from tests.server.pages.conftest import Open
from tests.server.play.factories import NOW, fresh, make_game, play_moves

EMPTY = {"ply": "0", "version": "0"}


def lines(game: Game, seat: Seat = Seat.SECOND) -> list[str]:
    """The plan of White, who is not on turn, or of another seat."""
    return [" ".join(line) for line in selectors.plan_info(fresh(game), seat).lines]


def test_a_line_is_made_by_touching_squares_and_kept(window: Open, alice: User, bob: User) -> None:
    game, white = make_game(alice, bob), window(bob)
    address = f"/games/{game.public_id}/plan/"

    first = white.get(address)
    touched = white.get(f"{address}?ply=0&at={first.square(11)['value']}")
    onward = white.get(f"{address}?ply=0&at={touched.square(15)['value']}").location
    answered = white.get(f"{onward}&at=22-18").location
    complete = white.get(answered)

    assert "Choose a move for Red." in first.text
    assert "Choose your answer to 11-15." in white.get(onward).text
    assert "if 11-15 then 22-18" in complete.text
    assert '<button class="button" name="add" value="11-15 22-18">' in complete.html
    kept = white.post(address, EMPTY | {"add": "11-15 22-18"}, follow=True)
    assert "Your conditional moves are saved. Nobody else can see them." in kept.text
    assert lines(game) == ["11-15 22-18"]


def test_the_script_knows_the_position_and_whose_move_begins_a_line(
    window: Open, alice: User, bob: User
) -> None:
    game = play_moves(make_game(alice, bob), "11-15")

    def told(user: User) -> Any:
        html = window(user).get(f"/games/{game.public_id}/plan/?line=22-18").html
        found = re.search(r'<script id="planner" type="application/json">(.*?)</script>', html)
        assert found is not None
        return json.loads(found[1])

    assert told(bob)["start"] == Position.start("american").play("11-15").fen()
    assert [told(user)["own"] for user in (alice, bob)] == [False, True]
    assert told(alice)["texts"]["condition"] == "Choose a move for White."
    assert told(alice)["ply"] == 1


def test_the_plan_is_played_when_it_is_reached_and_reported_afterwards(
    window: Open, alice: User, bob: User
) -> None:
    game, white = make_game(alice, bob), window(bob)
    address = f"/games/{game.public_id}/"
    white.post(f"{address}plan/", EMPTY | {"add": "11-15 22-18 15x22 25x18"})

    window(alice).post(address, {"do": "move", "move": "11-15", "version": "0"})
    assert "a conditional move" not in window(alice).get(address).text
    window(alice).post(address, {"do": "move", "move": "15x22", "version": "2"})
    resign(user=alice, game_id=game.public_id, now=NOW)

    assert fresh(game).moves.split()[3] == "25x18"
    assert window().get(address).text.count("a conditional move") == 2


def test_the_player_on_turn_plans_from_a_move_of_their_own(window: Open, alice: User, bob: User) -> None:
    game, red = make_game(alice, bob), window(alice)

    page = red.get(f"/games/{game.public_id}/plan/?line=11-15+22-18+15x22")
    red.post(f"/games/{game.public_id}/plan/", EMPTY | {"add": "11-15 22-18 15x22"})

    assert "after 11-15 if 22-18 then 15x22" in page.text
    assert lines(game, Seat.FIRST) == ["11-15 22-18 15x22"]
    assert fresh(game).moves == ""


def test_nobody_else_sees_a_plan_or_the_planner(window: Open, alice: User, bob: User, charlie: User) -> None:
    game = make_game(alice, bob)
    address = f"/games/{game.public_id}/"
    window(bob).post(f"{address}plan/", EMPTY | {"add": "11-15 22-18"})

    assert "if 11-15 then 22-18" in window(bob).get(address).text
    for other in (window(alice), window(charlie)):
        assert "22-18" not in other.get(address).text
        assert "22-18" not in other.get(f"{address}plan/").text
    assert window(charlie).get(f"{address}plan/").location == address
    assert window(charlie).post(f"{address}plan/", EMPTY | {"add": "11-15 22-18"}).location == address
    assert window().get(f"{address}plan/").location == f"/accounts/login/?next={address}plan/"


def test_a_line_is_deleted_and_the_others_stay(window: Open, alice: User, bob: User) -> None:
    game, white = make_game(alice, bob), window(bob)
    address = f"/games/{game.public_id}/plan/"
    white.post(address, EMPTY | {"text": "11-15 22-18\n9-13 22-18\n\n10-14 22-17\n"})

    form = EMPTY | {"version": "1", "lines": ["11-15 22-18", "9-13 22-18", "10-14 22-17"], "without": "1"}
    white.client.post(address, form)

    assert lines(game) == ["11-15 22-18", "10-14 22-17"]


def test_the_whole_plan_is_written_as_text(window: Open, alice: User, bob: User) -> None:
    game, white = make_game(alice, bob), window(bob)
    address = f"/games/{game.public_id}/plan/"

    white.post(address, EMPTY | {"text": "11-15, 22-18, 15x22, 25x18\r\n9-13 22-18"})

    assert lines(game) == ["11-15 22-18 15x22 25x18", "9-13 22-18"]
    assert "11-15 22-18 15x22 25x18\n9-13 22-18</textarea>" in white.get(address).html
    white.post(address, {"ply": "0", "version": "1", "text": ""})
    assert lines(game) == []


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("11-15", "Line 1 has to end with one of your moves: 11-15"),
        ("9-13 22-18\n11-15 1-5", "Line 2: 1-5 can't be played there."),
        ("nonsense 22-18", "Line 1: nonsense can't be played there."),
        ("11-15 22-18\n11-15 23-19", "Lines 1 and 2 answer 11-15 differently: 22-18 and 23-19."),
        ("\n".join(["11-15 22-18"] * 41), "A plan has at most 40 lines of at most 41 moves."),
        ("\n".join(["x " * 39 + "x"] * 6), "All lines of a plan have at most 200 moves together."),
        ("x " * 42, "A plan has at most 40 lines of at most 41 moves."),
    ],
)
def test_what_cannot_be_planned_is_reported_with_its_place(
    window: Open, alice: User, bob: User, text: str, sentence: str
) -> None:
    game = make_game(alice, bob)

    answer = window(bob).post(f"/games/{game.public_id}/plan/", EMPTY | {"text": text})

    assert answer.status == 422
    assert sentence in answer.text
    assert f"{text.strip()}</textarea>" in answer.html.replace("\n</textarea>", "</textarea>").replace(
        " </textarea>", "</textarea>"
    )
    assert lines(game) == []


def test_a_line_within_a_longer_one_and_a_line_twice_are_said_once(
    window: Open, alice: User, bob: User
) -> None:
    game = make_game(alice, bob)
    text = "11-15 22-18\n11-15 22-18 15x22 25x18\n9-13 22-18\n9-13 22-18"

    window(bob).post(f"/games/{game.public_id}/plan/", EMPTY | {"text": text})

    assert lines(game) == ["11-15 22-18 15x22 25x18", "9-13 22-18"]


def test_a_plan_from_an_old_page_is_refused(window: Open, alice: User, bob: User) -> None:
    game, white = make_game(alice, bob), window(bob)
    address = f"/games/{game.public_id}/plan/"
    white.post(address, EMPTY | {"add": "11-15 22-18"})

    older_plan = white.post(address, EMPTY | {"add": "9-13 22-18"})
    play_moves(game, "11-15")
    older_game = white.post(address, {"ply": "0", "version": "1", "add": "9-13 22-18"})

    for answer in (older_plan, older_game):
        assert answer.status == 409
        assert "Nothing was saved because your plan or the game has changed" in answer.text
    assert lines(game) == []


def test_a_plan_waits_beside_an_offer_and_the_page_says_so(window: Open, alice: User, bob: User) -> None:
    game, white = make_game(alice, bob), window(bob)
    white.post(f"/games/{game.public_id}/plan/", EMPTY | {"add": "11-15 22-18"})
    offer_draw(user=alice, game_id=game.public_id, now=NOW)

    play_moves(game, "11-15")

    assert "Paused until you answer your opponent's move." in white.get(f"/games/{game.public_id}/").text
    assert "Paused until" in white.get(f"/games/{game.public_id}/plan/").text


def test_the_planner_shows_a_new_move(window: Open, alice: User, bob: User) -> None:
    game, white = make_game(alice, bob), window(bob)
    news = f"/games/{game.public_id}/plan/news/?ply=0"

    assert white.get(news).text == ""
    play_moves(game, "11-15")

    assert "There is a new move: 11-15. Your turn." in white.get(news).text
    stale = white.get(f"/games/{game.public_id}/plan/?ply=0&line=9-13")
    assert stale.status == 422
    assert "There is a new move: this is the current position." in stale.text


@pytest.mark.parametrize(
    "query", ["line=1-2", "line=" + "x+" * 90, "ply=x", "move=99-1", "at=1-2-3", "line=&move=&ply="]
)
def test_an_address_that_makes_no_sense_shows_an_empty_line(
    window: Open, alice: User, bob: User, query: str
) -> None:
    game = make_game(alice, bob)

    page = window(bob).get(f"/games/{game.public_id}/plan/?{query}")

    assert page.status in {200, 422}
    assert "Your line appears here." in page.text


@pytest.mark.parametrize("form", [{}, {"ply": "x", "version": "0"}, {"ply": "0", "version": "9" * 40}])
def test_a_form_that_does_not_say_what_it_replaces_is_refused(
    window: Open, alice: User, bob: User, form: dict[str, str]
) -> None:
    game = make_game(alice, bob)

    assert window(bob).post(f"/games/{game.public_id}/plan/", form | {"add": "11-15 22-18"}).status == 422
