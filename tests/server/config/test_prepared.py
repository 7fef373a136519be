"""What is made in the background once a process listens."""

from __future__ import annotations

import asyncio
import logging
import threading

import pytest
from django.test import Client

from crownhead.server.config import asgi, prepared
from crownhead.server.config.api import Api, api
from crownhead.server.config.bridge import Message
from crownhead.server.config.openapi import Document


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is waited for."""
    monkeypatch.setattr(prepared, "AFTER", 0.0)


def test_the_openapi_document_is_written_before_anybody_asks(
    monkeypatch: pytest.MonkeyPatch, client: Client
) -> None:
    made: dict[str, Document] = {}
    monkeypatch.setattr(api, "_documents", made)
    asyncio.run(prepared.prepare_in_background())
    assert list(made) == ["/api/v1/"]
    assert client.get("/api/v1/openapi.json").json()["paths"]
    assert list(made) == ["/api/v1/"]


def test_what_fails_is_logged_and_stops_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_api: Api) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(Api, "get_openapi_schema", fail)
    with caplog.at_level(logging.ERROR):
        asyncio.run(prepared.prepare_in_background())
    assert "could not be prepared" in caplog.text


def test_a_process_prepares_it_once_it_has_started_and_beside_the_pages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said: list[str] = []
    written = threading.Event()

    def write() -> None:
        said.append(threading.current_thread().name)
        written.set()

    async def receive() -> dict[str, str]:
        if "lifespan.startup.complete" in said:
            await asyncio.to_thread(written.wait)
        return {"type": "lifespan"}

    async def send(message: Message) -> None:
        said.append(message["type"])

    monkeypatch.setattr(prepared, "_write_openapi", write)
    application = asgi.Application()
    monkeypatch.setattr(application, "stream", _NoStream())
    asyncio.run(application({"type": "lifespan"}, receive, send))

    begun, thread, ended = said
    assert (begun, ended) == ("lifespan.startup.complete", "lifespan.shutdown.complete")
    assert not thread.startswith("pages")


class _NoStream:
    """Nobody listens."""

    async def start(self) -> None:
        """Nothing to start."""

    async def stop(self) -> None:
        """Nothing to stop."""
