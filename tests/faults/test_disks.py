"""A disk that is full: nothing is acknowledged that is not stored, and play goes on once there is room."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.club import Answer, Club, Player
from tests.faults.test_kills import new_club, processes_of, stopped_at_the_end
from tests.faults.waiting import wait_until

pytestmark = pytest.mark.slow

SIZE = "64m"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder on a disk of its own."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", folder], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("only root may mount a disk")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


@pytest.fixture
def club(small_disk: Path) -> Iterator[Club]:
    """A club on that disk."""
    running = Club(small_disk / "club")
    running.data.mkdir()
    running.start()
    yield running
    running.stop()


def test_a_full_disk_is_said_and_loses_nothing(club: Club, small_disk: Path) -> None:
    players = Player(club.port, "anna"), Player(club.port, "bert")
    for player in players:
        player.register()
    terms = {"variant": "american", "colour": "first", "days_per_move": 3}
    game = players[0].expect(201, "POST", "/games", terms)
    state = players[1].expect(200, "POST", f"/waiting-room/{game['id']}/join")
    club.stop()  # which leaves no journal with room in it
    club.start()
    filler = small_disk / "filler"
    fill(filler)
    refused = 0
    for _ in range(20):
        answer = move(players, state)
        if answer.status == 200:
            state = answer.body
            continue
        assert answer.status == 503, answer
        refused += 1
    assert refused, "expected a full disk to refuse moves"
    filler.unlink()
    assert players[0].expect(200, "GET", f"/games/{game['id']}")["moves"] == state["moves"]
    assert move(players, state).status == 200


@pytest.mark.nightly
@pytest.mark.parametrize("workers", [1, 2])
def test_a_disk_that_becomes_read_only_is_said_and_comes_back(tmp_path: Path, workers: int) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    sign = tmp_path / "is read-only"
    club = new_club(
        disk / "club",
        workers=workers,
        environment={
            "LD_PRELOAD": str(refusing_library(tmp_path)),
            "READ_ONLY_DISK": str(disk),
            "READ_ONLY_IF": str(sign),
        },
    )
    assert club.process is not None
    started = processes_of(club)
    with stopped_at_the_end(club):
        players = Player(club.port, "anna"), Player(club.port, "bert")
        for player in players:
            player.register()
        terms = {"variant": "american", "colour": "first", "days_per_move": 3}
        game = players[0].expect(201, "POST", "/games", terms)
        state = players[1].expect(200, "POST", f"/waiting-room/{game['id']}/join")
        sign.touch()
        for _ in range(5):
            assert move(players, state).status == 503
        assert players[0].expect(200, "GET", f"/games/{game['id']}")["moves"] == state["moves"]
        wait_until(lambda: club.asked("/health") == (503, "5"))
        assert club.asked("/rules/")[0] == 200
        sign.unlink()
        wait_until(lambda: club.asked("/health")[0] == 200)
        assert processes_of(club) == started, "a process has ended"
        assert move(players, state).status == 200


def refusing_library(folder: Path) -> Path:
    """The library that makes a disk read-only; the kernel itself refuses to while files are open."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("needs a C compiler")
    made = folder / "read_only.so"
    source = Path(__file__).with_name("read_only.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-o", made, source], check=True)
    return made


def move(players: tuple[Player, Player], state: dict[str, Any]) -> Answer:
    """Ask for the first legal move."""
    mover = players[0 if state["turn"] == "first" else 1]
    body = {"move": state["legal_moves"][0]["notation"], "version": state["version"]}
    return mover.call("POST", f"/games/{state['id']}/moves", body)


def fill(path: Path) -> None:
    """Write until there is no room."""
    with path.open("wb", buffering=0) as file:
        size = 1 << 20
        while size:
            try:
                while file.write(b"x" * size) == size:
                    pass
            except OSError:
                pass
            size //= 2
