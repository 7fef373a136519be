"""The example of the manual is followed to the letter: in a page of another site, and in Deno."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Response

from tests.browser.conftest import NewVisitor
from tests.club import Club
from tests.house.tree import HOUSE
from tests.wasm.asking import DENO

pytestmark = pytest.mark.browser

MANUAL = HOUSE / "docs" / "browser_module.md"
MAX_LINES = 30
MAX_BYTES = 150_000  # of the module for all variants, compressed
ENDS = 60_000  # milliseconds: a game, and a search of three seconds


def example(club: str) -> str:
    """The example with the address of a club, as the manual tells to complete it."""
    (_, code) = MANUAL.read_text("utf-8").split("```{code-block} javascript\n")
    code = code.split("```")[0]
    assert len(code.splitlines()) <= MAX_LINES
    for path in ("/static/", "/api/"):
        code = code.replace(f'"{path}', f'"{club}{path}')
    return code


def test_the_example_of_the_manual_runs_in_a_page_of_another_site(new_visitor: NewVisitor) -> None:
    visitor = new_visitor()
    page, elsewhere = visitor.page, "https://elsewhere.example"
    script = f"{example(visitor.address)}\nglobalThis.isOver = true;"
    page.route(f"{elsewhere}/", lambda route: route.fulfill(body=f'<script type="module">{script}</script>'))
    answers: list[Response] = []
    told: list[str] = []
    page.on("response", lambda answer: answers.append(answer))
    page.on("console", lambda line: told.append(line.text))
    page.goto(f"{elsewhere}/")
    page.wait_for_function("globalThis.isOver", timeout=ENDS)
    assert len(told) > 10
    (module,) = (one for one in answers if ".wasm" in one.url)
    assert module.headers["content-encoding"] == "br"
    assert int(module.headers["content-length"]) <= MAX_BYTES


def test_the_example_of_the_manual_runs_in_deno(club: Club, tmp_path: Path) -> None:
    program = tmp_path / "example.js"
    program.write_text(example(club.address), "utf-8")
    done = subprocess.run(
        [DENO, "run", "--quiet", "--no-prompt", "--allow-net", "--allow-import", program],
        env={**os.environ, "DENO_DIR": str(tmp_path / "deno"), "DENO_NO_UPDATE_CHECK": "1", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=ENDS / 1000,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) > 10
