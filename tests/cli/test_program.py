"""The program as a process: its help, plug-in commands and error handling."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest

from crownhead.cli import plugins
from crownhead.cli.arguments import Commands
from crownhead.cli.command_tree import commands_of
from crownhead.cli.main import main, parser
from tests.cli.conftest import PROGRAM, Command, Ran
from tests.notation.files import SAMPLE

COMMANDS = [list(command.path) for command in commands_of(parser())]


def plug_in(monkeypatch: pytest.MonkeyPatch, *values: str) -> None:
    """Replace the plug-in commands with these functions."""
    found = EntryPoints(EntryPoint(f"room{n}", value, "crownhead.commands") for n, value in enumerate(values))
    monkeypatch.setattr(plugins, "entry_points", lambda group: found.select(group=group))


def register_greeting(commands: Commands[argparse.ArgumentParser]) -> None:
    """Register a command that prints a greeting."""

    def run(arguments: argparse.Namespace) -> None:
        sys.stdout.write(f"hello {arguments.name}\n")

    parser = commands.add_parser("greet", help="greet somebody")
    parser.add_argument("name")
    parser.set_defaults(run=run)


def register_failing(commands: Commands[argparse.ArgumentParser]) -> None:
    """Register a command whose dependencies are missing."""

    def run(_chosen: argparse.Namespace) -> int:
        raise ModuleNotFoundError("No module named 'ponies'", name="ponies")

    commands.add_parser("ride").set_defaults(run=run)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_explains_itself(run: Command, command: list[str]) -> None:
    ran = run(*command, "--help")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("usage: crownhead")


def test_the_version_is_reported(run: Command) -> None:
    assert run("--version").out.startswith("crownhead 0.")


@pytest.mark.parametrize("arguments", [[], ["nonsense"], ["legal", "--nonsense"], ["variants", "more"]])
def test_wrong_usage_is_reported_in_a_sentence(run: Command, arguments: list[str]) -> None:
    ran = run(*arguments)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("crownhead")
    assert ran.err.count("\n") == 1


def test_another_package_registers_its_commands(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    plug_in(monkeypatch, f"{__name__}:register_greeting")
    assert run("greet", "Alice") == Ran(0, "hello Alice\n", "")
    assert "greet somebody" in run("--help").out


@pytest.mark.parametrize("command", [["serve", "--port", "8000"], ["admin", "create", "alice"]])
def test_without_the_site_its_commands_say_what_to_install(
    run: Command, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    plug_in(monkeypatch, "crownhead.no_such_room:register")
    ran = run(*command)
    assert (ran.status, ran.out) == (2, "")
    assert "pip install 'crownhead[server]'" in ran.err
    assert "serve" in run("--help").out


def test_a_command_whose_dependency_is_missing_names_it(
    run: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    plug_in(monkeypatch, f"{__name__}:register_failing")
    ran = run("ride")
    assert (ran.status, ran.out) == (2, "")
    assert (
        ran.err
        == "crownhead: ponies is not installed; to install the site, run: pip install 'crownhead[server]'\n"
    )


def test_a_process_has_the_same_status_and_words() -> None:
    good = subprocess.run([*PROGRAM, "legal"], capture_output=True, text=True, check=False)
    assert (good.returncode, good.stdout.split()[0], good.stderr) == (0, "9-13", "")
    bad = subprocess.run([*PROGRAM, "legal", "--fen", "x"], capture_output=True, text=True, check=False)
    assert (bad.returncode, bad.stdout) == (1, "")
    assert bad.stderr == "crownhead: expected the side to move, 'W' or 'B', got 'x' at column 1\n"
    wrong = subprocess.run([*PROGRAM, "perft"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 2


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    files = [str(SAMPLE)] * 20
    with subprocess.Popen(
        [*PROGRAM, "pdn", "check", "--json", *files], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


def _spent(pid: int) -> float:
    """The seconds of a processor that a running program has used."""
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_an_interrupted_count_stops_at_once_without_a_traceback() -> None:
    command = [*PROGRAM, "perft", "--variant", "international", "--depth", "12"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        while _spent(process.pid) < 3:  # several times what it takes until it counts
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, b"", b"")


def test_output_that_cannot_show_a_letter_shows_another(tmp_path: Path) -> None:
    path = tmp_path / "bad.pdn"
    path.write_text('[Event "高文龙"]\n1. ### *', encoding="utf-8")
    ran = subprocess.run(
        [*PROGRAM, "pdn", "check", str(path)],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert ran.returncode == 1
    assert b"Traceback" not in ran.stderr


def test_main_returns_its_status(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["variants"]) == 0
    assert main(["--help"]) == 0
    assert main(["variants", "--nonsense"]) == 2
    capsys.readouterr()
