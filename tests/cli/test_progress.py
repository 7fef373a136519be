"""The line that tells how far long work is."""

from __future__ import annotations

import io
import os
import pty
import subprocess
from pathlib import Path

import pytest

from crownhead.cli import progress
from crownhead.cli.progress import Progress
from tests.cli.conftest import PROGRAM, program
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
    line.say("something is wrong")
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


def test_pipes_hold_results_alone(tmp_path: Path) -> None:
    for command in (["pdn", "check", "--jobs", "2"], ["pdn", "stats"], ["pdn", "filter"], ["pdn", "convert"]):
        ran = program(*command, *[SAMPLE] * 40)
        assert (ran.returncode, ran.stderr) == (0, b"")
        assert b"\033" not in ran.stdout


def test_a_long_count_shows_itself_on_a_terminal() -> None:
    master, slave = pty.openpty()
    command = [*PROGRAM, "perft", "--variant", "international", "--depth", "9", "--json"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=slave, env={**os.environ, "TERM": "xterm"}
    ) as process:
        os.close(slave)
        shown = b""
        try:
            while part := os.read(master, 4096):
                shown += part
        except OSError:  # what a closed terminal says on Linux
            pass
        out, _ = process.communicate()
    os.close(master)
    assert process.returncode == 0
    assert b'"nodes": 41022423' in out
    assert shown == b"" or shown.startswith(b"\r\033[Kcounting  [")
