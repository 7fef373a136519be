"""Long answers: the bridge makes a piece once the client has taken most of the one before."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

from crownhead.server.config import bridge
from crownhead.server.config.bridge import Environ
from tests.server.config.test_bridge import Exchange, body, run


def test_of_a_long_answer_one_piece_at_a_time_is_made_and_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge, "PIECE", 5)
    made: list[bytes] = []
    ahead: list[int] = []

    class Long:
        """An answer of ten chunks."""

        closed = 0

        def __iter__(self) -> Iterator[bytes]:
            for number in range(10):
                made.append(b"%d--" % number)
                yield made[-1]

        def close(self) -> None:
            self.closed += 1

    class Reader(Exchange):
        """A client that looks how far the server is when a piece arrives."""

        async def send(self, message: Any) -> None:
            await super().send(message)
            ahead.append(len(b"".join(made)) - sum(len(told.get("body", b"")) for told in self.told))

    def answer(_environ: Environ, start: Callable[..., Any]) -> Iterable[bytes]:
        start("200 OK", [])
        return long

    long, exchange = Long(), Reader(body())
    run(answer, exchange)
    assert [told["body"] for told in exchange.told[1:-1]] == [
        b"%d--%d--" % (number, number + 1) for number in range(0, 10, 2)
    ]
    assert [told.get("more_body", False) for told in exchange.told[1:]] == [True] * 5 + [False]
    assert ahead == [6, 0, 0, 0, 0, 0, 0]
    assert long.closed == 1


def test_a_piece_that_takes_long_to_make_ends_with_its_next_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    """However short: others have their turn in between."""
    now = 0.0
    monkeypatch.setattr("time.thread_time", lambda: now)

    def slow() -> Iterator[bytes]:
        nonlocal now
        for number in range(6):
            now += bridge.PIECE_TIME * 0.6
            yield b"%d" % number

    def answer(_environ: Environ, start: Callable[..., Any]) -> Iterable[bytes]:
        start("200 OK", [])
        return slow()

    exchange = Exchange(body())
    run(answer, exchange)
    assert [told["body"] for told in exchange.told[1:]] == [b"01", b"23", b"45", b""]
    assert [told.get("more_body", False) for told in exchange.told[1:]] == [True] * 3 + [False]


def test_each_later_piece_begins_with_a_connection_that_works_and_gives_it_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The threads of pages make them after the request, which would have given it back."""
    done: list[str] = []
    monkeypatch.setattr(bridge, "PIECE", 1)
    monkeypatch.setattr(bridge, "close_old_connections", lambda: done.append("connections"))

    def piecewise() -> Iterator[bytes]:
        for number in range(3):
            done.append(f"{number}")
            yield b"%d" % number

    def answer(_environ: Environ, start: Callable[..., Any]) -> Iterable[bytes]:
        start("200 OK", [])
        return piecewise()

    run(answer, Exchange(body()))
    between = ["connections", "connections"]
    assert done == ["0", "connections", "1", *between, "2", *between, "connections"]


def test_an_answer_that_breaks_off_is_closed_and_not_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge, "PIECE", 2)

    def breaking() -> Iterator[bytes]:
        yield b"12"
        raise OSError("broken")

    def answer(_environ: Environ, start: Callable[..., Any]) -> Iterable[bytes]:
        start("200 OK", [])
        return chunks

    chunks, exchange = breaking(), Exchange(body())
    with pytest.raises(OSError, match="broken"):
        run(answer, exchange)
    assert [told.get("more_body", False) for told in exchange.told[1:]] == [True]


def test_a_long_answer_to_a_client_that_has_left_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge, "PIECE", 2)
    closed: list[bool] = []

    def long() -> Iterator[bytes]:
        try:
            for _ in range(1000):
                yield b"12"
        finally:
            closed.append(True)

    class Leaving(Exchange):
        """A client whose connection breaks at the third piece."""

        async def send(self, message: Any) -> None:
            await super().send(message)
            if len(self.told) == 4:
                raise OSError("gone")

    def answer(_environ: Environ, start: Callable[..., Any]) -> Iterable[bytes]:
        start("200 OK", [])
        return long()

    exchange = Leaving(body())
    with pytest.raises(OSError, match="gone"):
        run(answer, exchange)
    assert (len(exchange.told), closed) == (4, [True])


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_of_a_long_answer_that_nobody_reads_no_more_is_made(
    monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    monkeypatch.setattr(bridge, "PIECE", 2)
    made: list[bytes] = []
    closed: list[bool] = []

    def long() -> Iterator[bytes]:
        try:
            for _ in range(1000):
                made.append(b"12")
                yield made[-1]
        finally:
            closed.append(True)

    def answer(_environ: Environ, start: Callable[..., Any]) -> Iterable[bytes]:
        start("200 OK", [])
        return long()

    leaves = [] if method == "HEAD" else [{"type": "http.disconnect"}]
    run(answer, Exchange(body(), *leaves), method=method)
    assert (len(made) <= 2, closed) == (True, [True])
