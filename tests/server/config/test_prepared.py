"""What is made in the background once a process listens."""

from __future__ import annotations

import asyncio
import logging
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from django.test import Client

from crownhead.server.config import asgi, prepared
from crownhead.server.config.api import Api, api
from crownhead.server.config.openapi import Document
from crownhead.server.core.http.outside_django import Message


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is waited for."""
    monkeypatch.setattr(prepared, "WORK", [(0.0, make) for _seconds, make in prepared.WORK])


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
    assert "the_openapi_document could not be prepared" in caplog.text


def test_the_api_is_loaded_before_anybody_calls_it(tmp_path: Path) -> None:
    """In a process of its own: this one has loaded everything."""
    program = (
        "import asyncio, sys; from crownhead.server.config import prepared;"
        "prepared.WORK = [(0.0, make) for _seconds, make in prepared.WORK[:1]];"
        "asyncio.run(prepared.prepare_in_background());"
        "print('crownhead.server.config.api' in sys.modules)"
    )
    settings = {"DJANGO_SETTINGS_MODULE": "crownhead.server.config.settings", "CROWNHEAD_DATA": str(tmp_path)}
    program = f"import django; django.setup(); {program}"
    told = subprocess.run(
        [sys.executable, "-c", program], env=os.environ | settings, capture_output=True, text=True, check=True
    )
    assert told.stdout == "True\n"


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

    monkeypatch.setattr(prepared, "WORK", [(0.0, write)])
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
