"""What anybody may open: watch, the analysis board, the rules, and pages about what went wrong."""

from __future__ import annotations

from urllib.parse import quote, unquote

import pytest
from django.core.exceptions import PermissionDenied
from django.test import override_settings

from crownhead import VARIANTS
from crownhead.server.accounts.models import User
from crownhead.server.core.problems import Forbidden
from crownhead.server.play.draws.services import resign
from tests.server.pages.conftest import Open
from tests.server.play.factories import NOW, make_game


def test_games_in_progress_are_listed_to_watch(window: Open, alice: User, bob: User) -> None:
    make_game(alice, bob)
    over = make_game(alice, bob)
    resign(user=alice, game_id=over.public_id, now=NOW)

    page = window().get("/watch/")

    assert page.text.count("alice against bob") == 1
    assert over.public_id not in page.html


def test_watching_when_nobody_plays_leads_to_the_waiting_room(window: Open) -> None:
    assert "No games are being played right now." in window().get("/watch/").text


def test_finished_games_are_ones_own(window: Open, alice: User, bob: User, charlie: User) -> None:
    game = make_game(alice, bob)
    resign(user=alice, game_id=game.public_id, now=NOW)

    assert "You lost by resignation." in window(alice).get("/games/finished/").text
    assert "You haven't finished any games yet." in window(charlie).get("/games/finished/").text
    assert window().get("/games/finished/").location == "/accounts/login/?next=/games/finished/"


@pytest.mark.parametrize("key", VARIANTS)
def test_every_variant_has_a_rules_page_and_a_board_to_try(window: Open, key: str) -> None:
    rules, board = window().get(f"/rules/{key}/"), window().get(f"/analysis/?variant={key}")

    assert VARIANTS[key].summary in rules.text
    assert 'class="diagram"' in rules.html
    assert board.status == 200
    assert VARIANTS[key].name in window().get("/rules/").text


def test_a_guest_tries_moves_for_both_sides(window: Open) -> None:
    guest = window()

    touched = guest.get("/analysis/?at=11")
    onward = guest.get(f"/analysis/?at={touched.square(15)['value']}")
    page = guest.get(onward.location)

    assert onward.location == "/analysis/?variant=american&moves=11-15"
    assert "White to move." in page.text
    assert page.square(22)["data-state"] == "movable"
    assert 'href="/analysis/?variant=american"' in page.html  # take back


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("/try/", "/analysis/"),
        ("/try/?variant=russian&moves=c3-d4+b6-a5", "/analysis/?variant=russian&moves=c3-d4+b6-a5"),
        ("/editor/?fen=W%3AW18%3ABK9&flip=1", "/analysis/?fen=W%3AW18%3ABK9&flip=1&setup=1"),
    ],
)
def test_the_addresses_of_boards_that_were_apart_lead_to_the_one(window: Open, old: str, new: str) -> None:
    page = window().get(old)

    assert (page.status, page.location) == (301, new)


def test_the_address_of_all_games_leads_to_those_one_may_want(window: Open, alice: User) -> None:
    assert window().get("/games/").location == "/watch/"
    assert window(alice).get("/games/").location == "/"


def test_the_opening_is_named(window: Open) -> None:
    assert "Old Faithful" in window().get("/analysis/?moves=11-15+23-19").text


def test_a_tried_position_can_be_any(window: Open) -> None:
    fen = "W:W26:B22,14,6,7,28"

    page = window().get(f"/analysis/?fen={quote(fen)}&moves=26x17x10x1")

    assert page.square(1)["aria-label"] == "1, white king, last move"
    assert "Red to move." in page.text


def test_a_tried_game_may_come_to_its_end(window: Open) -> None:
    page = window().get(f"/analysis/?fen={quote('W:W22:B17')}&moves=22x13")

    assert "White wins: one side has no pieces left." in page.text


@pytest.mark.parametrize(
    "query",
    [
        "variant=chess",
        "fen=nonsense",
        "fen=" + "W" * 5000,
        "fen=W:W1:B1",
        "moves=1-32",
        "move=%F0%9F%98%80",
        "moves=" + "11-15+" * 1000,
    ],
)
def test_a_board_that_cannot_be_set_up_is_shown_beside_an_empty_one(window: Open, query: str) -> None:
    page = window().get(f"/analysis/?{query}")

    assert page.status == 422
    assert 'data-level="error"' in page.html
    assert page.square(11)["data-state"] == "movable"


@pytest.mark.parametrize("path", ["/nowhere/", "/rules/chess/", "/games/x/"])
def test_what_is_not_there_is_reported_in_a_page(window: Open, path: str) -> None:
    page = window().get(path)

    assert page.status == 404
    assert "not found" in page.text.casefold()
    assert "Go to the home page" in page.text


def test_a_form_from_nowhere_is_refused_in_a_page(window: Open) -> None:
    strict = window()
    strict.client.handler.enforce_csrf_checks = True

    page = strict.post("/new/", {"variant": "american"})

    assert page.status == 403
    assert "This form is out of date" in page.text
    assert "Nothing was changed." in page.text


def test_what_went_wrong_is_told_without_the_frame_where_only_the_content_is_replaced(window: Open) -> None:
    strict = window()
    strict.client.handler.enforce_csrf_checks = True

    page = strict.post("/new/", {"variant": "american"}, fragment=True)

    assert "This form is out of date" in page.text
    assert "<main" not in page.html


@pytest.mark.parametrize("refusal", [PermissionDenied(), Forbidden("Only for directors.")])
def test_who_may_not_do_something_is_told_what_they_can_do(
    window: Open, alice: User, monkeypatch: pytest.MonkeyPatch, refusal: Exception
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise refusal

    monkeypatch.setattr("crownhead.server.pages.views.analysis.analysis_page", refuse)

    for user in (None, alice):
        page = window(user).get("/analysis/")
        assert page.status == 403
        assert "You don't have permission to do this" in page.text
        assert "Write to the staff" in page.text
        assert ('href="/accounts/login/?next=/analysis/"' in page.html) == (user is None)


@override_settings(DEBUG=False)
def test_a_failure_of_ours_is_reported_in_a_page(window: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("out of chalk")

    monkeypatch.setattr("crownhead.server.pages.views.analysis.analysis_page", fail)

    page = window().get("/analysis/")

    assert page.status == 500
    assert "Something went wrong" in page.text
    assert "chalk" not in unquote(page.html)


def test_no_address_answers_a_wrong_method_with_a_failure(window: Open, alice: User, bob: User) -> None:
    game = make_game(alice, bob)

    for path in ("/", "/watch/", "/analysis/", "/rules/", "/waiting-room/", f"/games/{game.public_id}.pdn"):
        assert window(alice).post(path).status == 405, path
