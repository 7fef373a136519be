"""The progress line on the terminal."""

from __future__ import annotations

import io
import json
import os
import pty
import subprocess
import time

import pytest

from crownhead.cli import progress
from crownhead.cli.progress import Progress
from tests.cli.conftest import GAMES, PROGRAM, program
from tests.notation.files import SAMPLE


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal on which progress shows at once."""
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    monkeypatch.setattr(progress, "_PAUSE", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    return Terminal()


def test_a_bar_a_share_a_note_and_the_time_left_are_shown(terminal: Terminal) -> None:
    with Progress("counting", total=4, stream=terminal) as line:
        line.show(1, "17 nodes")
    shown = terminal.getvalue()
    assert "counting  [######..................]   25%  17 nodes  0:01 left" in shown
    assert shown.endswith("\r\033[K")


def test_without_a_total_there_is_no_bar(terminal: Terminal) -> None:
    with Progress("counting", stream=terminal) as line:
        line.show(3, "3 games")
    assert terminal.getvalue() == "\r\033[Kcounting  3 games\r\033[K"


def test_a_line_is_no_longer_than_the_terminal(terminal: Terminal) -> None:
    with Progress("counting", stream=terminal) as line:
        line.show(3, "x" * 500)
    assert max(map(len, terminal.getvalue().split("\033[K"))) <= 80


def test_a_message_takes_the_place_of_the_line(terminal: Terminal) -> None:
    line = Progress("counting", stream=terminal)
    line.show(1)
    line.print("something is wrong")
    assert terminal.getvalue() == "\r\033[Kcounting\r\033[Ksomething is wrong\n"


def test_nothing_is_shown_where_there_is_no_terminal(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Progress("counting", total=2, is_shared=True, stream=terminal) as line:
        line.show(1)
    monkeypatch.setenv("TERM", "dumb")
    with Progress("counting", total=2, stream=terminal) as line:
        line.show(1)
    assert terminal.getvalue() == ""
    pipe = io.StringIO()
    with Progress("counting", total=2, stream=pipe) as line:
        line.show(1)
    assert pipe.getvalue() == ""


def test_pipes_hold_results_alone() -> None:
    for command in (["pdn", "check", "--jobs", "2"], ["pdn", "stats"], ["pdn", "filter"], ["pdn", "convert"]):
        ran = program(*command, "--assume", "american", *[SAMPLE] * 40)
        assert (ran.returncode, ran.stderr) == (0, b"")
        assert b"\033" not in ran.stdout


def test_long_reading_shows_itself_on_a_terminal_and_goes_away() -> None:
    master, slave = pty.openpty()
    with subprocess.Popen(
        [*PROGRAM, "pdn", "stats", "--json", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=slave,
        env={**os.environ, "TERM": "xterm"},
    ) as process:
        os.close(slave)
        assert process.stdin is not None
        for _ in range(4):  # for longer than the line waits
            process.stdin.write(GAMES.encode() * 100)
            process.stdin.flush()
            time.sleep(0.4)
        out, _ = process.communicate()
        shown = read_all(master)
    os.close(master)
    assert (process.returncode, json.loads(out)["games"]) == (0, 1600)
    assert shown.startswith(b"\r\033[Kcounting  ")
    assert shown.endswith(b" games\r\033[K")


def read_all(terminal: int) -> bytes:
    """What a process that has gone wrote to its terminal."""
    shown = b""
    try:
        while part := os.read(terminal, 4096):
            shown += part
    except OSError:  # the end, as Linux tells it of terminals
        pass
    return shown
