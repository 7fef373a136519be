"""What two tutorials build works: the bot plays in a club, the new variant in a kernel that knows it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import time
import venv
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest

from tests.club import Club, Player
from tests.house.pages import blocks
from tests.house.tree import HOUSE

PATIENCE = 60  # seconds
DEEP, LINES = 12, 3_069_916  # of nursery draughts, as the tutorial says
ROWS = "src/crownhead/rules/rows/inventions.py"
TABLE = "src/crownhead/rules/variants.py"
ALL = "(*AMERICAN_FAMILY, *NATIONAL, *INVENTIONS, *EVERY_SQUARE)"

_T = TypeVar("_T")


def awaited(answer: Callable[[], _T | None]) -> _T:
    """The first answer that is something."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        found = answer()
        if found is not None:
            return found
        time.sleep(0.05)
    raise AssertionError("nothing came in time")


@contextmanager
def running(club: Club, *arguments: str) -> Iterator[None]:
    """The bot, while the block lasts."""
    bot = [sys.executable, str(HOUSE / "docs" / "files" / "bot.py"), club.address, *arguments]
    with subprocess.Popen(bot, stderr=subprocess.PIPE) as process:
        try:
            yield
            assert process.poll() is None, process.stderr and process.stderr.read().decode()
        finally:
            process.kill()


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    """A club that is open."""
    club = Club(tmp_path / "data")
    club.start()
    yield club
    club.stop()


def test_the_bot_of_the_tutorial_keeps_a_game_open_and_plays_whoever_takes_it(club: Club) -> None:
    ada = Player(club.port, "ada")
    ada.register()

    def offered() -> dict[str, Any] | None:
        items: list[dict[str, Any]] = ada.expect(200, "GET", "/waiting-room")["items"]
        return items[0] if items else None

    def my_turn() -> dict[str, Any] | None:
        game: dict[str, Any] = ada.expect(200, "GET", f"/games/{game_id}")
        return game if game["turn"] == mine else None

    with running(club, "Deepling", "a long word for it", "russian"):
        game_id = awaited(offered)["id"]
        joined = ada.expect(200, "POST", f"/waiting-room/{game_id}/join")
        mine = "first" if joined["players"]["first"]["username"] == "ada" else "second"
        for _ in range(3):
            game = awaited(my_turn)
            move = {"move": game["legal_moves"][0]["notation"], "version": game["version"]}
            ada.expect(200, "POST", f"/games/{game_id}/moves", move)
        assert len(awaited(my_turn)["moves"]) >= 6
        ended = ada.expect(200, "POST", f"/games/{game_id}/resign")
        assert ended["outcome"]["winner"] != mine
        assert awaited(offered)["id"] != game_id


def new_row() -> str:
    """The row that the tutorial on variants adds, as one would put it among others."""
    page = HOUSE / "docs" / "tutorials" / "adding_a_variant.md"
    (code,) = [block.body for block in blocks(page) if "NURSERY = replace(" in block.body]
    return code[code.index("NURSERY = replace(") + len("NURSERY = ") :].rstrip() + ","


def copy_with_the_row(house: Path) -> None:
    """The sources of the library in another place, with the row in its table, and American checkers.

    To compile all other variants again would take minutes and show nothing of this one.
    """
    for part in ("src/crownhead", "native", "CMakeLists.txt"):
        source, target = HOUSE / part, house / part
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("server", "*.so", "__pycache__"))
        else:
            shutil.copy(source, target)
    rows = house / ROWS
    text = rows.read_text("utf-8")
    text = text.replace("INVENTIONS = (\n", f"INVENTIONS = (\n{new_row()}\n", 1)
    imports = "from crownhead.rules.boards import numbered\nfrom crownhead.rules.schema import Board, Start\n"
    rows.write_text(re.sub(r"^(from crownhead)", imports + r"\1", text, count=1, flags=re.MULTILINE), "utf-8")
    table = house / TABLE
    assert ALL in table.read_text("utf-8")
    table.write_text(
        table.read_text("utf-8").replace(ALL, "(*AMERICAN_FAMILY[:1], *INVENTIONS[:1])"), "utf-8"
    )


def build(house: Path) -> None:
    """Compile the kernel of the copy, quickly and not for speed."""
    venv.create(house / "venv", symlinks=True)
    site = next((house / "venv").glob("lib/python*/site-packages"))
    # The packages that build, but not the one that is installed here: it would be read instead of the copy.
    (site / "tools.pth").write_text(sysconfig.get_path("purelib") + "\n")
    python = house / "venv" / "bin" / "python"
    cmake = Path(sys.executable).parent / "cmake"
    flags = [f"-DPython_EXECUTABLE={python}", "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O0"]
    commands: tuple[list[str | Path], ...] = (
        [cmake, "-S", house, "-B", house / "build", *flags],
        [cmake, "--build", house / "build", "--target", "_kernel", "--parallel", str(os.cpu_count() or 1)],
    )
    for command in commands:
        subprocess.run(command, check=True, capture_output=True)
    (module,) = (house / "build").glob("_kernel*.so")
    shutil.copy(module, house / "src" / "crownhead")


@pytest.mark.slow
def test_the_variant_of_the_tutorial_can_be_built_and_counted(tmp_path: Path) -> None:
    copy_with_the_row(tmp_path)
    build(tmp_path)
    asked = (
        "import json, crownhead; start = crownhead.Position.start('nursery');"
        f"print(json.dumps([start.perft(depth) for depth in [*range(1, 8), {DEEP}]]))"
    )
    told = subprocess.run(
        [tmp_path / "venv" / "bin" / "python", "-c", asked],
        env={**os.environ, "PYTHONPATH": str(tmp_path / "src")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(told.stdout) == [5, 25, 106, 369, 1306, 4324, 13346, LINES]
    page = (HOUSE / "docs" / "tutorials" / "adding_a_variant.md").read_text("utf-8")
    assert f"{LINES:,}" in page
