"""A club behind a proxy for HTTPS passes Django's own checks for deployment without a warning."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.tree import HOUSE


def told(folder: Path, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """What a program says that runs with the settings of a club."""
    (folder / "secret_key").write_text("k" + "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CROWNHEAD_")}
    return subprocess.run(
        [sys.executable, *command],
        cwd=HOUSE,
        env={**kept, "CROWNHEAD_DATA": str(folder), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_checks_for_deployment_find_nothing(tmp_path: Path) -> None:
    done = told(
        tmp_path,
        *("manage.py", "check", "--deploy", "--fail-level", "WARNING"),
        CROWNHEAD_ADDRESS="https://club.example",
        CROWNHEAD_PROXIES="1",
    )
    assert done.returncode == 0, done.stderr
    assert "WARNINGS" not in done.stderr


_ASK = """
import django
from django.test import Client
django.setup()
for path in ("/rules/", "/health", "/api/v1/variants"):
    answer = Client(SERVER_NAME="club.example").get(path)
    print(answer.status_code, answer.headers.get("Location"))
by_https = Client(SERVER_NAME="club.example", headers={"X-Forwarded-Proto": "https"})
secure = by_https.get("/manifest.webmanifest")
print(secure.status_code, secure.headers.get("Strict-Transport-Security"))
import asyncio
from crownhead.server.config.asgi import application
answers = []
async def send(message):
    answers.append(message)
for host, proto in (("club.example", "http"), ("evil.example", "https")):
    headers = [(b"host", host.encode()), (b"x-forwarded-proto", proto.encode())]
    scope = {"type": "http", "method": "GET", "path": "/api/v1/events", "headers": headers}
    asyncio.run(application(scope, None, send))
print(*(answer["status"] for answer in answers if "status" in answer))
"""


@pytest.mark.slow
def test_pages_and_api_are_served_by_https_alone_and_the_health_check_by_both(tmp_path: Path) -> None:
    done = told(
        tmp_path,
        "-c",
        _ASK,
        CROWNHEAD_ADDRESS="https://club.example",
        CROWNHEAD_PROXIES="1",
        DJANGO_SETTINGS_MODULE="crownhead.server.config.settings",
    )
    plain, health, api, secure, streams = done.stdout.splitlines()
    assert plain == "301 https://club.example/rules/"
    assert health.split()[0] in {"200", "503"}  # there is no database in this folder
    assert api == "403 None"  # a redirect would hide that a token went through in the clear
    assert secure == "200 max-age=31536000"
    assert streams == "403 400"
