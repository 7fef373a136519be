"""Forms sent twice, as a double click does without scripts: what they make is made once."""

from __future__ import annotations

import re
import threading
from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.test import Client, RequestFactory

from crownhead.server.accounts.models import User
from crownhead.server.competitions.models import Tournament
from crownhead.server.play.models import Game
from crownhead.server.social.models import Message, Report
from crownhead.server.teams.models import Team
from crownhead.server.web import done_once
from tests.server.competitions.test_pages import form as of_tournament

pytestmark = pytest.mark.django_db

GAME = {"terms": "1", "variant": "american", "colour": "first", "days_per_move": "3"}
HELLO = {"to": "bob", "subject": "", "text": "Hello"}
FORMS: dict[str, tuple[str, dict[str, Any], Any]] = {
    "an offer": ("/new/", GAME, Game),
    "an invitation": ("/new/", GAME | {"opponent": "bob"}, Game),
    "a message": ("/messages/new/", HELLO, Message),
    "a team": ("/teams/new/", {"name": "Blue Dogs", "about": "", "joining": "open"}, Team),
    "a tournament": ("/tournaments/new/", of_tournament(), Tournament),
    "a letter": ("/contact/", {"reason": "The hall is cold."}, Report),
}


@pytest.fixture
def browser(alice: User, bob: User) -> Client:
    """A browser in which Alice is signed in, and whose tokens are checked."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    return client


def token(client: Client, path: str) -> dict[str, str]:
    """What a form has that is rendered now."""
    found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', client.get(path).content.decode())
    assert found, path
    return {"csrfmiddlewaretoken": found[1]}


@pytest.mark.parametrize("what", FORMS)
def test_a_form_sent_twice_makes_what_it_makes_once(browser: Client, what: str) -> None:
    path, fields, made = FORMS[what]
    sent = fields | token(browser, path)
    first, again = browser.post(path, sent), browser.post(path, sent)
    assert made.objects.count() == 1
    assert (first.status_code, first["Location"]) == (again.status_code, again["Location"])


def test_the_same_words_in_another_form_are_another_message(browser: Client) -> None:
    for _ in range(2):
        browser.post("/messages/new/", HELLO | token(browser, "/messages/new/"))
    assert Message.objects.count() == 2


@pytest.mark.parametrize(("who", "path"), [("bob", "/"), ("alice", "/?again=1")])
def test_the_form_of_somebody_else_or_for_another_address_is_another_form(
    alice: User, bob: User, who: str, path: str
) -> None:
    @done_once.done_once
    def make(request: HttpRequest) -> HttpResponse:
        return HttpResponseRedirect(f"/made/{request.user}{request.get_full_path()}")

    def send(user: User, path: str) -> HttpResponse:
        request = RequestFactory().post(path, {"csrfmiddlewaretoken": "one"})
        request.user = user
        return make(request)

    assert send(alice, "/")["Location"] == "/made/alice/"
    assert send(alice if who == "alice" else bob, path)["Location"] == f"/made/{who}{path}"


def test_a_form_is_not_written_once_more_to_be_known_again(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[QueryDict] = []
    monkeypatch.setattr(QueryDict, "urlencode", written.append)
    request = RequestFactory().post("/", {"csrfmiddlewaretoken": "one"})
    request.user = alice
    done_once.done_once(lambda _request: HttpResponseRedirect("/made/"))(request)
    assert not written


def test_a_form_that_was_refused_may_be_sent_again(browser: Client, bob: User) -> None:
    sent = HELLO | token(browser, "/messages/new/")
    User.objects.filter(pk=bob.pk).update(username="bobby")
    assert browser.post("/messages/new/", sent).status_code == 404
    User.objects.filter(pk=bob.pk).update(username="bob")
    assert browser.post("/messages/new/", sent).status_code == 302
    assert Message.objects.count() == 1


def test_a_form_that_is_still_being_done_is_waited_for(alice: User) -> None:
    begun, may_end = threading.Event(), threading.Event()
    made: list[HttpRequest] = []

    @done_once.done_once
    def make(request: HttpRequest) -> HttpResponse:
        made.append(request)
        begun.set()
        assert may_end.wait(10)
        return HttpResponseRedirect("/made/")

    def send() -> HttpResponse:
        request = RequestFactory().post("/", {"csrfmiddlewaretoken": "one"})
        request.user = alice
        return make(request)

    first = threading.Thread(target=send)
    first.start()
    assert begun.wait(10)
    threading.Timer(0.1, may_end.set).start()
    assert send()["Location"] == "/made/"
    first.join()
    assert len(made) == 1
