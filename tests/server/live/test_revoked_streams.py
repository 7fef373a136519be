"""A stream is bound to the session or token that opened it, and ends as soon as that is revoked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction

from crownhead.server.core import clock
from crownhead.server.core.problems import NotSignedIn
from crownhead.server.live import hub, services
from crownhead.server.live.access import Grant
from crownhead.server.live.stream import EventStream
from tests.server.live.test_stream import (
    HOOKS,
    SESSIONS,
    TOKENS,
    Listener,
    in_thread,
    publish_in_thread,
    run_scene,
)

pytestmark = pytest.mark.django_db(transaction=True)

PAGE = {"cookie": "sessionid=alices-session"}
PHONE = {"cookie": "sessionid=alices-phone"}
PROGRAM = {"authorization": "Bearer alices-token"}


@pytest.fixture(autouse=True)
def _rare_polling(monkeypatch: pytest.MonkeyPatch) -> None:
    """The database of the tests is in memory, where reading a table locks out writers."""
    monkeypatch.setattr(hub, "POLL_SOON", hub.POLL)


class Doors:
    """The stand-in for accounts; ``gone``: the credentials that are not good any more."""

    def __init__(self, events: EventStream) -> None:
        self.gone: set[str] = set()
        events.hooks = replace(HOOKS, grant_of_session=self.session, grant_of_token=self.token)

    def session(self, key: str) -> Grant | None:
        grant = SESSIONS.get(key)
        return None if grant is None or grant.credential in self.gone else grant

    def token(self, token: str) -> Grant:
        if TOKENS[token].credential in self.gone:
            raise NotSignedIn
        return TOKENS[token]

    async def end(self, *gone: str, **which: Any) -> None:
        """End streams of Alice as a request in another thread does."""

        def work() -> None:
            self.gone.update(gone)
            with transaction.atomic():
                services.end_streams(user_id=1, **which)

        await in_thread(work)


def test_all_streams_of_a_user_end_but_those_that_are_kept() -> None:
    async def scene(events: EventStream) -> None:
        doors = Doors(events)
        page, phone, program = (Listener(events, **headers) for headers in (PAGE, PHONE, PROGRAM))
        bob = Listener(events, cookie="sessionid=bobs-session")
        guest = Listener(events, "game=a")
        for listener in (page, phone, program, bob, guest):
            await listener.until("id: ")

        await doors.end("phone", "program", kept=["here"])

        await phone.end()
        await program.end()
        for topic, n, listener in (("user:1", 1, page), ("user:2", 2, bob), ("game:a", 3, guest)):
            await publish_in_thread(topic, n=n)
            await listener.until(f'"n":{n}')
            await listener.leave()
        assert '"n":1' not in phone.text + program.text
        assert "ended" not in page.text + bob.text + guest.text

    run_scene(scene)


def test_one_credential_ends_alone() -> None:
    async def scene(events: EventStream) -> None:
        doors = Doors(events)
        page, phone = Listener(events, **PAGE), Listener(events, **PHONE)
        await page.until("id: ")
        await phone.until("id: ")
        await doors.end("phone", ended=["phone"])
        await phone.end()
        await publish_in_thread("user:1", n=1)
        await page.until('"n":1')
        await page.leave()

    run_scene(scene)


def test_a_game_that_is_watched_as_a_member_ends_too() -> None:
    async def scene(events: EventStream) -> None:
        doors = Doors(events)
        page = Listener(events, "game=a", **PAGE)
        await page.until("id: ")
        await doors.end("here")
        await page.end()

    run_scene(scene)


def test_nothing_that_happened_after_the_revocation_is_sent() -> None:
    async def scene(events: EventStream) -> None:
        doors = Doors(events)
        page = Listener(events, **PAGE)
        await page.until("id: ")

        def work() -> None:
            doors.gone.add("here")
            with transaction.atomic():
                services.end_streams(user_id=1)
                services.publish(topic="user:1", kind="game", payload={"n": 1})

        await in_thread(work)
        assert '"n":1' not in (await page.end()).text

    run_scene(scene)


def test_what_was_revoked_earlier_does_not_end_a_new_stream() -> None:
    async def scene(events: EventStream) -> None:
        doors = Doors(events)
        await doors.end()
        page = Listener(events, "last_event_id=0", **PAGE)
        await page.until("id: ")
        await publish_in_thread("user:1", n=1)
        await page.until('"n":1')
        await page.leave()

    run_scene(scene)


def test_a_session_that_ends_while_its_stream_opens_is_refused() -> None:
    """The revocation is dispatched between the question who it is and the first event."""
    answers: list[Grant | None] = [Grant(1, "here"), None]

    async def scene(events: EventStream) -> None:
        def slow(_key: str) -> Grant | None:
            events.hub.revocations += len(answers) == 2
            return answers.pop(0)

        events.hooks = replace(HOOKS, grant_of_session=slow)
        refused = await Listener(events, **PAGE).end()
        assert refused.status == 401

    run_scene(scene)


def test_a_browser_whose_session_has_ended_stops_asking() -> None:
    async def scene(events: EventStream) -> None:
        doors = Doors(events)
        doors.gone |= {"here", "program"}
        again = {"last_event_id": "1"}
        assert (await Listener(events, **PAGE, **again).end()).status == 204
        assert (await Listener(events, **PAGE).end()).status == 401
        assert (await Listener(events, **PROGRAM, **again).end()).status == 401

    run_scene(scene)


@pytest.mark.parametrize("expires", [lambda: clock.now(), lambda: clock.now() - timedelta(hours=1)])
def test_a_stream_does_not_outlive_its_token(expires: Callable[[], Any]) -> None:
    async def scene(events: EventStream) -> None:
        grant = Grant(1, "program", expires())
        events.hooks = replace(HOOKS, grant_of_token=lambda _token: grant)
        assert (await Listener(events, **PROGRAM).end()).status == 200

    run_scene(scene)
