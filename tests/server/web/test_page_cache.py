"""Pages that are kept for guests: never a member's, never out of date, with a token of the reader's own."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import URLPattern, get_resolver

from crownhead.server.accounts.models import User
from crownhead.server.core import clock
from crownhead.server.core.http import names_our_host
from crownhead.server.play.draws.services import offer_draw
from crownhead.server.web import page_cache
from tests.server.play.factories import NOW, make_game, make_offer, play_moves
from tests.server.teams.factories import make_team

pytestmark = pytest.mark.django_db

PUBLIC = ("/", "/waiting-room/", "/watch/", "/rules/", "/rules/russian/")
WITHOUT_QUERY = ("/", "/now/", "/rules/", "/rules/russian/", "/ratings/")  # they are the same with any
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


@pytest.mark.parametrize("host", ["localhost:1", "localhost:0080", "LocalHost", "localhost.", "[::1]:1"])
@pytest.mark.parametrize("path", ["/rules/", "/teams/"])
def test_a_made_up_host_pushes_no_page_out(path: str, host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "ALLOWED_HOSTS", ["localhost", "[::1]"])
    page_cache.clear()
    kept: list[object] = []
    monkeypatch.setattr(page_cache, "_evict_oldest", kept.append)
    with clock.stopped(NOW):
        text(path, headers={"Host": host})
        assert kept == []
        for ours in ("localhost", "localhost:80"):
            text(path, headers={"Host": ours})
        assert len(kept) == 2


def test_a_proxy_may_add_the_usual_port(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "ALLOWED_HOSTS", ["club.example"])
    monkeypatch.setattr(settings, "PUBLIC_ADDRESS", "https://club.example")
    asked = RequestFactory()
    for host, is_ours in (("club.example", True), ("club.example:443", True), ("club.example:444", False)):
        assert names_our_host(asked.get("/", headers={"Host": host})) is is_ours, host


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


def pages_without_parameters() -> list[str]:
    """The addresses that have none: of nearly all pages for guests."""
    patterns, found = [("/", one) for one in get_resolver().url_patterns], []
    while patterns:
        before, one = patterns.pop()
        address = before + str(one.pattern)
        if isinstance(one, URLPattern):
            found.append(address)
        else:
            patterns += [(address, inner) for inner in one.url_patterns]
    return sorted(address for address in found if re.fullmatch(r"/(?!api/)[a-z/-]*", address))


def test_a_query_that_no_page_reads_pushes_none_out(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "LIMITS", dict.fromkeys(settings.LIMITS, "none"))
    with clock.stopped(NOW):
        game = make_game(alice, bob)
        paths = [*pages_without_parameters(), "/rules/russian/", f"/games/{game.public_id}/"]
        assert set(WITHOUT_QUERY) < set(paths)
        for path in paths:
            page_cache.clear()
            Client().get(path)
            kept = [*page_cache._pages, *page_cache._answers]  # noqa: SLF001
            for made_up in range(3):
                Client().get(f"{path}?x={made_up}")
            assert [*page_cache._pages, *page_cache._answers] == kept, path  # noqa: SLF001


@pytest.mark.parametrize("path", ["/watch/", "/waiting-room/", "/tournaments/"])
def test_nobody_is_given_the_empty_query_of_somebody_else(path: str) -> None:
    """These pages show their own address, from which they are renewed."""
    with clock.stopped(NOW):
        page_cache.clear()
        Client().get(f"{path}?&&&&")
        assert b"&amp;&amp;" not in Client().get(path).content


@pytest.mark.parametrize("path", WITHOUT_QUERY)
def test_a_query_that_a_page_does_not_read_costs_no_page_and_is_shown_to_nobody(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[HttpResponse] = []
    make = page_cache._CachedPage.of  # noqa: SLF001

    def note_made(response: HttpResponse) -> Any:
        made.append(response)
        return make(response)

    monkeypatch.setattr(page_cache._CachedPage, "of", note_made)  # noqa: SLF001
    with clock.stopped(NOW):
        pages = [Client().get(f"{path}?{query}").content for query in ("shown=somewhere", "x=1", "")]
    assert len(made) == 1
    assert b"somewhere" not in pages[-1]


def test_a_query_that_a_page_reads_gets_its_own(alice: User, bob: User) -> None:
    with clock.stopped(NOW):
        make_offer(alice)
        game = play_moves(make_game(alice, bob), "11-15")
        for path, query in (
            ("/waiting-room/", "variant=russian"),
            ("/watch/", "after=x"),
            (f"/games/{game.public_id}/", "ply=0"),
        ):
            assert text(path) != text(f"{path}?{query}"), path


def test_the_number_of_pages_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_cache, "MOST", 3)
    for key in ("russian", "american", "international", "brazilian", "italian"):
        text(f"/rules/{key}/")
    assert len(page_cache._pages) == 3  # noqa: SLF001
