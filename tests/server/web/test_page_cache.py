"""Pages that are kept for guests: never a member's, never out of date, with a token of the reader's own."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from crownhead.server.accounts.models import User
from crownhead.server.core import clock
from crownhead.server.play.draws.services import offer_draw
from crownhead.server.web import page_cache
from tests.server.play.factories import NOW, make_game, make_offer, play_moves
from tests.server.teams.factories import make_team

pytestmark = pytest.mark.django_db

PUBLIC = ("/", "/waiting-room/", "/watch/", "/rules/", "/rules/russian/")
_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')


def text(path: str, client: Client | None = None, headers: dict[str, str] | None = None) -> str:
    """The page, as a new guest gets it."""
    answer = (client or Client()).get(path, headers=headers)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize("path", PUBLIC)
def test_a_guest_gets_the_same_page_again_and_a_member_their_own(alice: User, bob: User, path: str) -> None:
    make_offer(bob)
    member = Client()
    member.force_login(alice)
    with clock.stopped(NOW):
        first, own, again = text(path), text(path, member), text(path)
    assert _TOKEN.sub("", first) == _TOKEN.sub("", again)
    assert "alice" in own
    assert "alice" not in again
    assert "Sign out" not in again


@pytest.mark.parametrize("path", PUBLIC)
def test_each_language_and_the_content_alone_are_kept_apart(path: str, bob: User) -> None:
    make_offer(bob)
    with clock.stopped(NOW):
        whole, content = text(path), text(path, headers={"HX-Request": "true"})
        assert text(path, headers={"HX-Request": "true"}).strip().startswith("<!doctype") is False
        assert text(path, headers={"Accept-Language": "de"}) is not None
    assert "<!doctype html>" in whole
    assert "<!doctype html>" not in content


def test_a_game_changes_with_each_move_and_offer(alice: User, bob: User) -> None:
    with clock.stopped(NOW):
        game = make_game(alice, bob)
        path = f"/games/{game.public_id}/"
        assert 'href="?ply=1"' not in text(path)
        game = play_moves(game, "11-15")
        assert 'href="?ply=1"' in text(path)
        assert "offers a draw" not in text(path)
        offer_draw(user=alice, game_id=game.public_id, now=NOW)
        assert "offers a draw" in text(path)


def test_a_game_that_is_hidden_is_kept_from_guests_who_could_see_it(alice: User, bob: User) -> None:
    with clock.stopped(NOW):
        game = make_game(alice, bob)
        path = f"/games/{game.public_id}/"
        text(path)
        type(game).objects.filter(pk=game.pk).update(hidden=True)
        assert Client().get(path).status_code == 404


def test_lists_change_with_what_they_show(alice: User, bob: User) -> None:
    with clock.stopped(NOW):
        assert "alice" not in text("/waiting-room/")
        make_offer(alice)
        assert "alice" in text("/waiting-room/")
        assert "alice" in text("/")
        assert "bob" not in text("/watch/")
        game = make_game(alice, bob)
        assert "bob" in text("/watch/")
        assert "move 1<" in text("/watch/")
        play_moves(game, "11-15", "24-19")
        assert "move 2<" in text("/watch/")


def test_every_reader_has_a_token_of_their_own(bob: User) -> None:
    make_offer(bob)
    with clock.stopped(NOW):
        first, second = Client(), Client()
        tokens = {_TOKEN.findall(text("/waiting-room/", reader))[0] for reader in (first, second)}
    assert len(tokens) == 2
    assert first.cookies["csrftoken"].value != second.cookies["csrftoken"].value


def test_what_a_member_writes_is_filled_with_nothing(alice: User) -> None:
    words = 'name="csrfmiddlewaretoken" value="mine" and data-from="123"'
    team = make_team(alice, about=words)
    address, reader = f"/teams/{team.public_id}/", Client()
    for _ in range(2):
        assert words in text(address, reader)


def test_a_browser_that_has_the_page_gets_no_second_copy() -> None:
    first = Client().get("/rules/russian/")
    second = Client().get("/rules/russian/", headers={"If-None-Match": first.headers["ETag"]})
    assert second.status_code == 304
    assert "no-cache" in first.headers["Cache-Control"]
    assert "private" in first.headers["Cache-Control"]
    assert "Cookie" in first.headers["Vary"]


def test_the_number_of_pages_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_cache, "MOST", 3)
    for key in ("russian", "american", "international", "brazilian", "italian"):
        text(f"/rules/{key}/")
    assert len(page_cache._pages) == 3  # noqa: SLF001
