"""The page of a game: what it shows, and what its players do on it without JavaScript."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.live.selectors import position
from crownhead.server.play.draws.services import resign
from crownhead.server.play.games.options import GameOptions, LiveClock
from crownhead.server.play.games.services import create_game
from tests.server.pages.conftest import Open
from tests.server.play.factories import (
    DAY,
    NOW,
    columns,
    fresh,
    make_game,
    make_game_from,
    make_offer,
    play_moves,
)

MOVE = {"do": "move", "move": "11-15", "version": "0"}


def test_players_see_their_side_at_the_bottom(window: Open, alice: User, bob: User) -> None:
    game = make_game(alice, bob)

    red, white = (window(user).get(f"/games/{game.public_id}/") for user in (alice, bob))

    assert red.html.index('data-square="32"') < red.html.index('data-square="1"')
    assert white.html.index('data-square="1"') < white.html.index('data-square="32"')
    turned = window(bob).get(f"/games/{game.public_id}/?flip=1")
    assert turned.html.index('data-square="32"') < turned.html.index('data-square="1"')


def test_the_page_tells_whose_turn_it_is_and_how_long(window: Open, alice: User, bob: User) -> None:
    game = make_game(alice, bob)

    assert "Your turn. Move 1" in window(alice).get(f"/games/{game.public_id}/").text
    other = window(bob).get(f"/games/{game.public_id}/")
    assert "Red to move." in other.text
    assert "3 days" in other.text


def test_a_move_is_made_by_touching_squares_and_submitting(window: Open, alice: User, bob: User) -> None:
    game, red = make_game(alice, bob), window(alice)
    address = f"/games/{game.public_id}/"

    touched = red.get(f"{address}?at={red.get(address).square(11)['value']}")
    assert touched.square(11)["aria-label"] == "11, red man, selected"
    assert touched.square(15)["aria-label"] == "15, empty, move target"
    placed = red.get(f"{address}?at={touched.square(15)['value']}")
    assert 'name="move" value="11-15"' in placed.html
    assert fresh(game).version == 0
    answer = red.post(address, MOVE | {"then": "stay"})

    assert answer.location == address
    assert fresh(game).moves == "11-15"


def test_touching_the_piece_again_or_an_empty_square_takes_it_back(
    window: Open, alice: User, bob: User
) -> None:
    game = make_game(alice, bob)

    page = window(alice).get(f"/games/{game.public_id}/?at=11")

    assert page.square(11)["value"] == ""
    assert page.square(20)["value"] == ""
    assert page.square(10)["value"] == "10"


def test_a_jump_goes_hop_by_hop_or_by_its_last_square(window: Open, alice: User, bob: User) -> None:
    game = make_game_from("W:W26:B22,14,6,7,28", alice, bob)

    page = window(bob).get(f"/games/{game.public_id}/?at=26")

    assert page.square(17)["value"] == "26-17-10"  # the second hop has no choice
    assert page.square(1)["value"] == "26-17-10-1"
    assert page.square(1)["aria-label"] == "1, empty, jump target, takes 22, 14, 6"
    hopped = window(bob).get(f"/games/{game.public_id}/?at=26-17-10")
    assert hopped.square(22)["aria-label"] == "22, empty, taken"
    assert hopped.square(10)["aria-label"] == "10, white man, selected"


def test_a_piece_that_cannot_move_says_why(window: Open, alice: User, bob: User) -> None:
    game, white = make_game_from("W:W22,30:B17,4", alice, bob), window(bob)
    address = f"/games/{game.public_id}/"

    assert white.get(address).square(30)["value"] == "30"
    assert "You must jump with 22." in white.get(f"{address}?at=30").text
    assert "That is your opponent's piece." in white.get(f"{address}?at=4").text
    assert "There is no piece on 15." in white.get(f"{address}?at=15").text


@pytest.mark.parametrize(
    "query",
    ["at=x", "at=0", "at=11-99", "at=" + "1-" * 4000, "ply=-1", "ply=" + "9" * 4000, "at=&ply=&flip="],
)
def test_a_query_that_makes_no_sense_counts_as_none(window: Open, alice: User, bob: User, query: str) -> None:
    game = make_game(alice, bob)

    page = window(alice).get(f"/games/{game.public_id}/?{query}")

    assert page.status == 200
    assert page.square(11)["data-state"] == "movable"


def test_the_last_move_is_marked_with_its_captures(window: Open, alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15", "22-18", "15x22")

    page = window(bob).get(f"/games/{game.public_id}/")

    marks = {number: page.square(number).get("data-last") for number in (15, 18, 22, 11)}
    assert marks == {15: "from", 18: "taken", 22: "to", 11: None}
    assert "Red jumps 15 to 22, takes 18. Your turn. 3 days left." in page.text
    assert "×1" in page.text


def test_earlier_positions_have_addresses(window: Open, alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15", "22-18")

    page = window().get(f"/games/{game.public_id}/?ply=1")

    assert page.square(15)["aria-label"] == "15, red man, last move"
    assert page.square(22)["aria-label"] == "22, white man"
    assert "data-browsing" in page.html
    assert "W:W21,22,23" in page.html


@pytest.mark.parametrize(
    ("form", "status", "sentence"),
    [
        ({"move": "11-15", "version": "3"}, 409, "The game has moved on"),
        (
            {"move": "11-22", "version": "0"},
            422,
            "That move is not legal here. The piece on 11 can go to 15, 16.",
        ),
        ({"move": "nonsense", "version": "0"}, 422, "Type the squares of a move, such as 9-13."),
        ({"move": "", "version": "0"}, 422, "Make a move on the board"),
        ({"move": "11-15", "version": "x"}, 422, "This page is out of date"),
        ({"move": "11-15"}, 422, "This page is out of date"),
    ],
)
def test_a_move_that_cannot_be_made_is_reported_on_the_page(
    window: Open, alice: User, bob: User, form: dict[str, str], status: int, sentence: str
) -> None:
    game = make_game(alice, bob)
    before = columns(game)

    answer = window(alice).post(f"/games/{game.public_id}/", {"do": "move"} | form)

    assert answer.status == status
    assert sentence in answer.text
    assert columns(game) == before


def test_others_are_told_that_they_cannot_act(window: Open, alice: User, bob: User, charlie: User) -> None:
    game = make_game(alice, bob)
    address = f"/games/{game.public_id}/"

    assert window(bob).post(address, MOVE | {"move": "22-18"}).status == 409
    assert window(charlie).post(address, {"do": "resign"}).status == 403
    assert window().post(address, {"do": "resign"}).location == f"/accounts/login/?next={address}"
    assert window(alice).post(address, {"do": "dance"}).status == 422
    assert fresh(game).status == "playing"


def test_after_a_move_the_player_goes_where_they_chose(window: Open, alice: User, bob: User) -> None:
    red = window(alice)
    games = [make_game(alice, bob, days_per_move=days) for days in (1, 2, 3)]
    addresses = [f"/games/{game.public_id}/" for game in games]

    def submit(address: str, then: str) -> str:
        return red.post(address, MOVE | {"then": then}).location

    assert submit(addresses[0], "next") == addresses[1]
    assert '<option value="next" selected>' in red.get(addresses[1]).html
    assert submit(addresses[1], "games") == "/"
    assert submit(addresses[2], "next") == "/"


def test_a_fragment_is_sent_on_by_a_header(window: Open, alice: User, bob: User) -> None:
    game = make_game(alice, bob)

    answer = window(alice).post(f"/games/{game.public_id}/", MOVE | {"then": "games"}, fragment=True)

    assert (answer.status, answer.headers["HX-Redirect"]) == (204, "/")


def test_a_move_sent_for_the_content_alone_is_answered_with_it_and_with_its_place_in_the_stream(
    window: Open, alice: User, bob: User
) -> None:
    game = make_game(alice, bob)

    answer = window(alice).post(f"/games/{game.public_id}/", MOVE | {"then": "stay"}, fragment=True)

    assert answer.status == 200
    assert "White to move." in answer.text
    assert "<html" not in answer.html
    assert f'data-from="{position()}"' in answer.html  # what the move led to is told by it already


def test_a_draw_is_offered_answered_and_declined(window: Open, alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    address, red, white = f"/games/{game.public_id}/", window(alice), window(bob)

    assert "You offered a draw." in white.post(address, {"do": "offer"}, follow=True).text
    assert "bob offers a draw." in red.get(address).text
    assert "White offers a draw." in window().get(address).text
    assert "bob offers a draw." not in red.post(address, {"do": "decline"}, follow=True).text
    assert red.post(address, {"do": "accept"}).status == 409
    assert re.search(r'/draw/" data-may="offer"\s+hidden', white.get(address).html)
    play_moves(fresh(game), "11-15", "22-18")
    white.post(address, {"do": "offer"})

    assert "Draw by agreement." in red.post(address, {"do": "accept"}, follow=True).text


def test_a_draw_can_be_claimed_where_the_rules_give_one(window: Open, alice: User, bob: User) -> None:
    game = make_game_from("W:WK32:BK1", alice, bob)
    play_moves(game, *["32-28", "1-5", "28-32", "5-1"] * 2)
    address = f"/games/{game.public_id}/"

    assert "Claim a draw" in window(alice).get(address).text

    assert "Draw by repetition." in window(alice).post(address, {"do": "claim"}, follow=True).text


def test_resigning_is_asked_about_first(window: Open, alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    asked = window(alice).get(f"/games/{game.public_id}/resign/")

    assert "Resign this game?" in asked.text
    assert fresh(game).status == "playing"
    answer = window(alice).post(f"/games/{game.public_id}/", {"do": "resign"}, follow=True)

    assert "You lost by resignation." in answer.text
    assert window(alice).get(f"/games/{game.public_id}/resign/").location == f"/games/{game.public_id}/"


def test_offering_and_accepting_a_draw_are_asked_about_first(window: Open, alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    address, red, white = f"/games/{game.public_id}/", window(alice), window(bob)
    question = f'href="{address}draw/"'
    assert question in red.get(address).html

    assert "Offer a draw? Your opponent can accept or decline." in red.get(f"{address}draw/").text
    assert 'value="offer"' in red.get(f"{address}draw/").html
    assert fresh(game).draw_offer_by is None
    red.post(address, {"do": "offer"})
    assert red.get(f"{address}draw/").location == address

    assert question in white.get(address).html
    assert 'value="accept"' not in white.get(address).html
    assert "Accept the draw? The game ends as a draw." in white.get(f"{address}draw/").text
    assert fresh(game).status == "playing"
    assert "Draw by agreement." in white.post(address, {"do": "accept"}, follow=True).text
    assert white.get(f"{address}draw/").location == address


def test_accepting_a_draw_of_a_live_game_is_asked_about_beside_the_board(
    window: Open, alice: User, bob: User
) -> None:
    game = make_game(alice, bob, clock=LiveClock(initial=300, increment=0), days_per_move=None)
    window(alice).post(f"/games/{game.public_id}/", {"do": "offer"})

    page = window(bob).get(f"/games/{game.public_id}/")

    assert 'popovertarget="confirm-accept">Accept' in page.html
    assert "Accept the draw? Accept the draw Cancel Decline" in page.text


def test_a_game_that_ended_without_a_move_says_so_and_offers_no_review(
    window: Open, alice: User, bob: User
) -> None:
    game = make_game(alice, bob, rated=True)
    address = f"/games/{game.public_id}/"
    before = window(alice).get(address).text
    assert "No moves yet." in before
    assert "Rating rated" in before
    resign(user=alice, game_id=game.public_id, now=NOW)

    page = window(alice).get(address)

    assert "No moves were played." in page.text
    assert "Not counted: each side must make at least two moves." in page.text
    assert "Rating unrated" in page.text
    assert f"{address}review/" not in page.html
    review = window(alice).get(f"{address}review/")
    assert "This game has no moves to review." in review.text
    assert "Review game" not in review.text
    assert "<table" not in review.html


def test_a_game_that_waits_can_be_taken_or_withdrawn_on_its_page(
    window: Open, alice: User, bob: User
) -> None:
    game = make_offer(alice)
    address = f"/games/{game.public_id}/"

    assert "Withdraw" in window(alice).get(address).text
    assert "Join this game" in window(bob).get(address).text
    assert "Waiting for an opponent." in window().get(address).text


def test_a_game_waits_for_who_is_invited(window: Open, alice: User, bob: User) -> None:
    terms = GameOptions(variant="american", colour="first", days_per_move=3)
    game = create_game(creator=alice, options=terms, invited=bob, open_to_all=False, now=NOW)
    address = f"/games/{game.public_id}/"

    mine = window(alice).get(address).text
    assert "Waiting for bob." in mine
    assert "bob, invited" in mine
    assert "Nobody yet" not in mine
    assert "alice invites you to this game." in window(bob).get(address).text


def test_time_that_ran_out_is_seen_by_everyone(window: Open, alice: User, bob: User) -> None:
    game = make_game(alice, bob, now=NOW - 4 * DAY)

    assert "White wins on time." in window().get(f"/games/{game.public_id}/").text


def test_little_time_left_is_marked(window: Open, alice: User, bob: User) -> None:
    game = make_game(alice, bob, now=NOW - 3 * DAY + timedelta(minutes=90))

    page = window(alice).get(f"/games/{game.public_id}/")

    assert "1 hour 30 minutes" in page.text
    assert 'class="clock" data-short' in page.html


def test_the_record_is_downloaded_as_pdn(window: Open, alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15", "22-18")
    resign(user=alice, game_id=game.public_id, now=NOW)

    answer = window().get(f"/games/{game.public_id}.pdn")

    assert f'filename="{game.public_id}.pdn"' in answer.headers["Content-Disposition"]
    assert '[Black "alice"]' in answer.html
    assert '[Result "0-1"]' in answer.html
    assert answer.html.endswith("1. 11-15 22-18 *\n")


def test_an_unknown_game_is_not_found(window: Open) -> None:
    for path in ("/games/nowhere/", "/games/nowhere/resign/", "/games/nowhere.pdn"):
        assert window().get(path).status in {302, 404}, path
    assert window().get("/games/nowhere/").status == 404


def test_the_content_security_policy_forbids_what_is_inline(window: Open, alice: User, bob: User) -> None:
    game = make_game(alice, bob)

    page = window(alice).get(f"/games/{game.public_id}/")

    assert "unsafe" not in page.headers["Content-Security-Policy"].replace("wasm-unsafe-eval", "")
    assert " style=" not in page.html
    assert " onclick=" not in page.html


def test_an_offer_is_called_by_who_made_it_while_nobody_has_joined(window: Open, alice: User) -> None:
    offered = make_offer(alice, colour="random")

    page = window().get(f"/games/{offered.public_id}/")

    assert page.html.count("A game offered by alice, American checkers") == 2
    assert "Random side" in page.text
    assert "Nobody yet – Nobody yet" not in page.html


def test_an_offer_with_a_side_chosen_has_one_place_left(window: Open, alice: User) -> None:
    offered = make_offer(alice)

    page = window().get(f"/games/{offered.public_id}/")

    assert "Nobody yet" in page.text
    assert "Random side" not in page.text
