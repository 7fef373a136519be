"""Engines outside this process through ``engine.connect``, with our own at the other end."""

from __future__ import annotations

import asyncio
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import aclosing, contextmanager, suppress
from typing import Any

import pytest

from crownhead import CrownheadError, Game, Position, engine
from crownhead.engine import Engine
from crownhead.engine.clock import Clock
from crownhead.engine.dxp.game import accept
from crownhead.engine.dxp.link import called, listening
from crownhead.engine.dxp.messages import DxpError
from crownhead.engine.hub.client import HubError
from crownhead.rules import Move

OURS = [sys.executable, "-m", "crownhead.cli", "hub"]


class Quick(Engine):
    """Our engine at a depth of three plies, whatever the time."""

    def play(
        self,
        subject: Position | Game,
        *,
        seconds: float | None = None,
        depth: int | None = None,
        clock: Clock | None = None,
    ) -> Move:
        assert seconds is not None or clock is not None
        return super().play(subject, depth=depth or 3)


@contextmanager
def a_program_that_plays(variant: str) -> Iterator[str]:
    """Where our program waits for connections; it plays game after game of one of them."""
    with listening(port=0) as server:

        def serve() -> None:
            with suppress(DxpError, OSError), called(server) as link:
                while accept(link, Quick(variant, megabytes=1), name="Other") is not None:
                    pass

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"127.0.0.1:{server.getsockname()[1]}"
        thread.join(30)
        assert not thread.is_alive()


# ------------------------------------------------------------------------------------ Hub
def test_a_command_line_starts_a_hub_engine() -> None:
    command = " ".join(f'"{word}"' for word in OURS)
    with engine.connect(command, "russian") as other:
        assert (other.name, other.variant.key) == ("Crownhead", "russian")
        assert other.analyse(Position.start("russian"), depth=4).depth == 4
        assert other.play(Game("russian"), depth=4) in Position.start("russian").legal_moves()


def test_the_program_ends_with_the_block() -> None:
    with engine.connect(OURS) as other:
        pass
    with pytest.raises(HubError, match="has ended"):
        other.analyse(Position.start(), depth=1)


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (["no-such-engine-anywhere"], "expected an engine, got 'no-such-engine-anywhere': No such file"),
        ("", "expected a command line or host:port"),
        ("'half quoted", "expected a command line"),
        (None, "expected a command line or host:port, got None"),
        ([5], r"expected a command line or host:port, got \[5\]"),
        ("127.0.0.1:99999", "expected a port from 1 to 65535, got 99999"),
        ([sys.executable, "-c", "import sys; sys.exit(3)"], "ended with status 3"),
        ([sys.executable, "-c", "import time; time.sleep(60)"], "it is silent"),
    ],
)
def test_what_is_not_an_engine_is_refused(program: Any, message: str) -> None:
    with pytest.raises(CrownheadError, match=message):
        engine.connect(program, patience=0.5 if "sleep" in str(program) else 30)


@pytest.mark.parametrize(
    ("script", "message"),
    [
        (
            "read hub; echo hello world; exit 0",
            "ended with status 0; what it said is no Hub protocol: 'hello world'",
        ),
        ("echo hello world; exec sleep 60", "it is silent; what it said is no Hub protocol: 'hello world'"),
        ("while :; do echo hello world; done", "expected 'wait' of an engine with the Hub protocol"),
    ],
)
def test_a_program_that_talks_nonsense_is_refused_in_time(script: str, message: str) -> None:
    with pytest.raises(HubError, match=message):
        engine.connect(["sh", "-c", script], patience=0.5 if "sleep" in script else 30)


def test_an_illegal_answer_is_reported_and_the_engine_stays() -> None:
    wrong = (
        "import sys\n"
        "moves = iter(['1-32', '11-15'])\n"
        "for line in sys.stdin:\n"
        "    if line.startswith('hub'): print('id name=Wrong'); print('wait', flush=True)\n"
        "    if line.startswith('init'): print('ready', flush=True)\n"
        "    if line.startswith('go'): print('done move=' + next(moves), flush=True)\n"
        "    if line.startswith('quit'): break\n"
    )
    with engine.connect([sys.executable, "-c", wrong]) as other:
        with pytest.raises(HubError, match="Wrong: expected a legal move, got '1-32'"):
            other.play(Position.start(), depth=1)
        assert str(Position.start().notation(other.play(Position.start(), depth=1))) == "11-15"


def test_an_engine_that_is_left_in_the_middle_is_ended() -> None:
    with engine.connect(OURS) as other:

        def fail(_report: object) -> None:
            raise KeyError("the caller's own")

        with pytest.raises(KeyError):
            other.analyse(Position.start(), depth=8, on_report=fail)
        with pytest.raises(HubError, match="has ended"):
            other.analyse(Position.start(), depth=1)


# ------------------------------------------------------------------------------------ DamExchange
def test_a_game_against_a_program_on_the_network() -> None:
    with (
        a_program_that_plays("international") as place,
        engine.connect(place, "international") as other,
    ):
        ours = Quick("international", megabytes=1)
        game = Game("international")
        game.push(ours.play(game, seconds=1))
        while len(game.moves) < 12:
            game.push(other.play(game))
            game.push(ours.play(game, seconds=1))
        assert other.name == "Other"
        position = Position.from_fen("B:W31-50:B1-20", "international")  # another game
        assert other.play(position) in position.legal_moves()
        with pytest.raises(DxpError, match="carries no analyses"):
            other.analyse(game)


def test_what_damexchange_cannot_do_is_refused() -> None:
    with a_program_that_plays("russian") as place, engine.connect(f"dxp://{place}", "russian") as other:
        with pytest.raises(ValueError, match="expected no depth"):
            other.play(Position.start("russian"), depth=3)
        with pytest.raises(ValueError, match="expected a position of russian"):
            other.play(Position.start("american"))
        with pytest.raises(ValueError, match="the game is over"):
            other.play(Position.from_fen("W:W:Bb8", "russian"))


def test_nobody_at_the_other_end_is_reported() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(DxpError, match=f"expected a program at 127.0.0.1, port {port}"):
        engine.connect(f"127.0.0.1:{port}", "international")


def test_a_program_that_never_answers_is_reported() -> None:
    with listening(port=0) as server:
        place = f"127.0.0.1:{server.getsockname()[1]}"
        with (
            engine.connect(place, "international", patience=0.2) as other,
            pytest.raises(DxpError, match="in time"),
        ):
            other.play(Position.start("international"))


# ------------------------------------------------------------------------------------ asyncio
def test_an_engine_is_asked_beside_an_event_loop() -> None:
    async def ask() -> tuple[str, list[int], Move | None, Move]:
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                ticks += 1
                await asyncio.sleep(0)

        beside = asyncio.create_task(tick())
        async with engine.connect_async(OURS, "russian") as other:
            position = Position.start("russian")
            depths = [report.depth async for report in other.stream(position, depth=6)]
            report = await other.analyse(position, depth=5)
            move = await other.play(Game("russian"), depth=5)
            name = other.name
        beside.cancel()
        assert ticks > 10
        return name, depths, report.move, move

    name, depths, best, played = asyncio.run(ask())
    assert name == "Crownhead"
    assert depths == sorted(depths)
    assert depths[-1] == 6
    assert {best, played} <= set(Position.start("russian").legal_moves())


def test_cancelling_ends_the_search() -> None:
    async def ask() -> Move:
        async with engine.connect_async(OURS) as other:
            search = asyncio.create_task(other.analyse(Position.start(), seconds=600))
            await asyncio.sleep(0)  # until it has begun
            search.cancel()
            with pytest.raises(asyncio.CancelledError):
                await search
            return await other.play(Position.start(), depth=2)

    assert asyncio.run(asyncio.wait_for(ask(), 60)) in Position.start().legal_moves()


def test_leaving_the_reports_ends_the_search() -> None:
    async def ask() -> Move:
        async with engine.connect_async(OURS) as other:
            async with aclosing(other.stream(Position.start(), seconds=600)) as reports:
                async for _ in reports:
                    break
            return await other.play(Position.start(), depth=2)

    assert asyncio.run(asyncio.wait_for(ask(), 60)) in Position.start().legal_moves()


def test_a_missing_engine_is_reported_beside_an_event_loop_too() -> None:
    async def ask() -> None:
        async with engine.connect_async(["no-such-engine-anywhere"]):
            raise AssertionError("there is no such engine")

    with pytest.raises(HubError, match="No such file"):
        asyncio.run(ask())
