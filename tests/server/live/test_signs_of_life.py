"""Nobody has left because their streams are refused, and no stranger at their address has them refused."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from pytest_django import Settings

from crownhead.server.core import clock
from crownhead.server.live import selectors, services, signs, stream
from crownhead.server.live.stream import EventStream, Hooks, Limits
from tests.server.live.test_stream import HOOKS, TIMEOUT, Listener, run_scene
from tests.server.live.test_stream_lines import Gate, strangers

pytestmark = pytest.mark.django_db(transaction=True)

ALICE, BOB = {"cookie": "sessionid=alices-session"}, {"cookie": "sessionid=bobs-session"}
MADE_UP = {"cookie": "sessionid=made-up"}


class Presence:
    """What the hooks of presence are told and asked; Alice is user 1."""

    def __init__(self) -> None:
        self.told: list[tuple[int, bool]] = []
        self.absent: dict[int, datetime] = {}
        self.crowded: set[str] = set()

    def hooks(self) -> Hooks:
        """The hooks of a stream, with these."""
        return replace(
            HOOKS, here=self._here, absent=lambda: dict(self.absent), is_crowded=self.crowded.__contains__
        )

    async def until(self, user_id: int, *, is_here: bool) -> None:
        """Wait until it is told."""
        async with asyncio.timeout(TIMEOUT):
            while (user_id, is_here) not in self.told:
                await asyncio.sleep(0.01)

    def _here(self, user_id: int, is_here: bool) -> None:
        self.told.append((user_id, is_here))
        if is_here:
            self.absent.pop(user_id, None)
        else:
            self.absent[user_id] = clock.now()


@pytest.fixture
def presence(monkeypatch: pytest.MonkeyPatch) -> Presence:
    monkeypatch.setattr(stream, "LEFT_AFTER", 0.4)
    monkeypatch.setattr(stream, "SILENT_AFTER", 1.2)
    monkeypatch.setattr(stream, "LOOK_EVERY", 0.05)
    return Presence()


async def status_of(events: EventStream, query: str = "", **headers: str) -> int:
    """What a stream is answered, which is closed again."""
    listener = Listener(events, query, **headers)
    async with asyncio.timeout(TIMEOUT):
        while not listener.status:
            await asyncio.sleep(0.005)
    if listener.status == 200:
        await listener.leave()
    return listener.status


def scene_with(
    presence: Presence, scene: Callable[[EventStream], Awaitable[None]], limits: Limits | None = None
) -> None:
    """Run a scene whose hooks are those of presence."""

    async def play(events: EventStream) -> None:
        events.hooks = presence.hooks()
        await scene(events)

    run_scene(play, limits)


# ----------------------------------------------------------------------- who is charged


def test_a_flood_of_strangers_at_the_address_uses_up_no_streams_of_its_members(settings: Settings) -> None:
    settings.LIMITS = settings.LIMITS | {"streams": "40/d"}
    many = "&".join(f"game=n{number}" for number in range(20))

    async def scene(events: EventStream) -> None:
        assert [await status_of(events, many) for _ in range(3)] == [200, 200, 429]
        assert await status_of(events, "game=a", **ALICE) == 200
        assert await status_of(events, authorization="Bearer alices-token") == 200
        assert await status_of(events, "game=a") == 429

    run_scene(scene)


def test_made_up_sessions_use_up_nothing_of_those_that_are_known(settings: Settings) -> None:
    settings.LIMITS = settings.LIMITS | {"streams": "4/d"}

    async def scene(events: EventStream) -> None:
        assert await status_of(events, **ALICE) == 200  # known from here on
        assert [await status_of(events, **MADE_UP) for _ in range(4)] == [401, 401, 401, 429]
        assert await status_of(events, **ALICE) == 200
        assert await status_of(events, **BOB) == 429
        signs.note_holder(signs.name_of(token=None, session="bobs-session"), 2)  # as any page does
        assert await status_of(events, **BOB) == 200

    run_scene(scene)


def test_a_session_that_opens_nothing_counts_as_none_too(settings: Settings) -> None:
    settings.LIMITS = settings.LIMITS | {"streams": "2/d"}

    async def scene(events: EventStream) -> None:
        assert [await status_of(events, **MADE_UP) for _ in range(2)] == [401, 401]
        assert await status_of(events, "game=a") == 429

    run_scene(scene)


def test_a_session_that_has_ended_is_known_no_more(settings: Settings) -> None:
    settings.LIMITS = settings.LIMITS | {"streams": "2/d"}
    name = signs.name_of(token=None, session="made-up")
    signs.note_holder(name, 7)

    async def scene(events: EventStream) -> None:
        assert await status_of(events, **MADE_UP) == 401

    run_scene(scene)
    assert signs.holder_of(name) is None


def test_who_was_signed_out_is_known_no_more(presence: Presence) -> None:
    async def scene(events: EventStream) -> None:
        assert await status_of(events, **ALICE) == 200
        bob = Listener(events, **BOB)
        await bob.until("id: ")
        await asyncio.to_thread(services.end_streams, user_id=1)
        async with asyncio.timeout(TIMEOUT):
            while signs.holder_of(signs.name_of(token=None, session="alices-session")) is not None:
                await asyncio.sleep(0.01)
        assert signs.holder_of(signs.name_of(token=None, session="bobs-session")) == 2
        assert (
            await status_of(events, "game=a&game=a" * 999, **ALICE) == 400
        )  # refused before it is looked up
        await presence.until(1, is_here=False)
        await bob.leave()

    scene_with(presence, scene)


def test_a_member_opens_only_so_many_streams_each_counted_by_its_games(settings: Settings) -> None:
    settings.LIMITS = settings.LIMITS | {"streams": "4/d"}

    async def scene(events: EventStream) -> None:
        answers = [await status_of(events, "game=a&game=b", **ALICE) for _ in range(3)]
        assert answers == [200, 200, 429]
        assert await status_of(events, authorization="Bearer alices-token") == 429
        assert await status_of(events, **BOB) == 200

    run_scene(scene)


# ----------------------------------------------------------------------- who takes whose place


def test_streams_of_strangers_make_room_for_a_member_at_their_address() -> None:
    async def scene(events: EventStream) -> None:
        strangers = [Listener(events, "game=a") for _ in range(2)]
        for stranger in strangers:
            await stranger.until("id: ")
        alice = Listener(events, "game=a", **ALICE)
        await alice.until("id: ")
        await strangers[0].end()
        assert not strangers[1].task.done()
        assert await status_of(events, "game=a") == 429
        await alice.leave()

    run_scene(scene, Limits(max_per_address=2))


def test_streams_of_strangers_make_room_in_a_whole_network() -> None:
    async def scene(events: EventStream) -> None:
        strangers = [
            Listener(events, "game=a", x_forwarded_for=f"2001:db8:1:{number}::1") for number in range(5)
        ]
        for stranger in strangers:
            await stranger.until("id: ")
        alice = Listener(events, "game=a", x_forwarded_for="2001:db8:1:9::1", **ALICE)
        await alice.until("id: ")
        await strangers[0].end()
        await alice.leave()

    run_scene(scene, Limits(max_per_address=1, proxies=1))


def test_members_of_an_address_have_its_streams_among_themselves() -> None:
    async def scene(events: EventStream) -> None:
        alice = Listener(events, "game=a", **ALICE)
        await alice.until("id: ")
        assert await status_of(events, "game=a", **BOB) == 429
        await alice.leave()
        assert await status_of(events, "game=a", **BOB) == 200

    run_scene(scene, Limits(max_per_address=1))


# ----------------------------------------------------------------------- who is here


def test_whose_first_stream_is_refused_has_not_left(presence: Presence) -> None:
    async def scene(events: EventStream) -> None:
        bob = Listener(events, **BOB)
        await bob.until("id: ")
        assert await status_of(events, **ALICE) == 429
        await asyncio.sleep(3 * stream.LEFT_AFTER)
        assert all(user_id != 1 for user_id, _is_here in presence.told)

    scene_with(presence, scene, Limits(max_streams=1))


def test_who_keeps_trying_to_come_back_has_not_left(presence: Presence) -> None:
    async def scene(events: EventStream) -> None:
        alice = Listener(events, **ALICE)
        await alice.until("id: ")
        await alice.leave()
        bob = Listener(events, **BOB)
        await bob.until("id: ")
        with clock.stopped(clock.now() + timedelta(seconds=1)):
            assert await status_of(events, **ALICE) == 429
            await asyncio.sleep(3 * stream.LEFT_AFTER)  # in which no time goes by since then
            assert (1, False) not in presence.told
        await presence.until(1, is_here=False)  # they have given up

    scene_with(presence, scene, Limits(max_streams=1))


def test_an_absence_ends_with_an_attempt_that_is_refused(presence: Presence) -> None:
    async def scene(events: EventStream) -> None:
        bob = Listener(events, **BOB)
        await bob.until("id: ")
        presence.absent[1] = clock.now() - timedelta(seconds=30)
        assert await status_of(events, **ALICE) == 429
        await presence.until(1, is_here=True)
        await presence.until(1, is_here=False)  # nothing was heard for a while again
        assert presence.told.index((1, True)) < presence.told.index((1, False))

    scene_with(presence, scene, Limits(max_streams=1))


def test_a_refusal_by_the_own_limit_of_a_member_is_a_sign_of_life(
    presence: Presence, settings: Settings
) -> None:
    settings.LIMITS = settings.LIMITS | {"streams": "1/d"}

    async def scene(events: EventStream) -> None:
        assert await status_of(events, **ALICE) == 200
        presence.absent[1] = clock.now()
        presence.told.clear()
        assert await status_of(events, **ALICE) == 429
        await presence.until(1, is_here=True)

    scene_with(presence, scene)


def test_who_follows_a_stream_here_is_not_absent_whatever_another_machine_noted(presence: Presence) -> None:
    async def scene(events: EventStream) -> None:
        alice = Listener(events, **ALICE)
        await alice.until("id: ")
        presence.told.clear()
        presence.absent[1] = clock.now()
        await presence.until(1, is_here=True)
        await alice.leave()

    scene_with(presence, scene)


def test_who_could_not_connect_has_not_left(presence: Presence) -> None:
    async def scene(events: EventStream) -> None:
        alice = Listener(events, **ALICE)
        await alice.until("id: ")
        presence.crowded.add("192.0.2.1")  # somebody there holds all the connections
        await alice.leave()
        await asyncio.sleep(3 * stream.LEFT_AFTER)
        assert (1, False) not in presence.told
        presence.crowded.clear()
        await presence.until(1, is_here=False)
        presence.told.clear()
        presence.crowded.add("192.0.2.1")
        await presence.until(1, is_here=True)

    scene_with(presence, scene)


def test_nobody_has_left_whose_neighbours_fill_the_line_before_the_door(presence: Presence) -> None:
    gate = Gate()

    async def scene(events: EventStream) -> None:
        alice = Listener(events, **ALICE)
        await alice.until("id: ")
        events.hooks = replace(events.hooks, grant_of_session=gate.look_up)
        asked = strangers(events, 4)
        await gate.reached()
        await alice.leave()
        assert await status_of(events, cookie="sessionid=alices-phone") == 429
        await asyncio.sleep(3 * stream.LEFT_AFTER)
        assert (1, False) not in presence.told
        gate.open()
        await presence.until(1, is_here=False)
        await asyncio.gather(*(one.end() for one in asked))

    try:
        scene_with(presence, scene, Limits(max_per_address=1))
    finally:
        gate.open()


def test_a_crowd_is_no_excuse_for_long(presence: Presence, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signs, "_EXCUSED_FOR", 1)

    async def scene(events: EventStream) -> None:
        presence.crowded.add("192.0.2.1")
        alice = Listener(events, **ALICE)
        await alice.until("id: ")
        await alice.leave()
        await presence.until(1, is_here=False)

    scene_with(presence, scene)


def test_who_asks_now_and_then_does_not_come_and_go(presence: Presence) -> None:
    async def scene(_events: EventStream) -> None:
        presence.absent[1] = clock.now() - timedelta(seconds=30)
        for _ in range(4):
            signs.note_heard(1)
            await asyncio.sleep(1.5 * stream.LEFT_AFTER)
        assert presence.told == [(1, True)]
        await presence.until(1, is_here=False)

    scene_with(presence, scene)


def test_what_another_process_has_heard_it_reports_itself(presence: Presence) -> None:
    async def scene(_events: EventStream) -> None:
        presence.absent[1] = clock.now() - timedelta(seconds=30)
        signs._heard_elsewhere(user_id=1, at=clock.now().isoformat())  # noqa: SLF001 - as a message comes in
        await asyncio.sleep(10 * stream.LOOK_EVERY)
        assert presence.told == []
        assert selectors.last_heard(1) is not None

    scene_with(presence, scene)


def test_a_process_listens_from_the_start_of_its_stream_to_its_end() -> None:
    async def scene(_events: EventStream) -> None:
        assert selectors.listening_since() is not None

    assert selectors.listening_since() is None
    run_scene(scene)
    assert selectors.listening_since() is None
