"""How commands handle missing, malformed, endless or truncated input."""

from __future__ import annotations

import errno
import gzip
import os
import shlex
import signal
import subprocess
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from crownhead.cli.command_tree import commands_of
from crownhead.cli.main import parser
from tests.cli.conftest import GAMES, PROGRAM, Command, program

ON_FILES = [["pdn", verb, "--assume", "american"] for verb in ("check", "stats", "filter", "convert")]
on_files = pytest.mark.parametrize("command", ON_FILES, ids=lambda command: command[1])


@on_files
def test_what_cannot_be_opened_is_reported_and_the_others_are_read(
    run: Command, games: Path, tmp_path: Path, command: list[str]
) -> None:
    ran = run(*command, tmp_path / "missing.pdn", tmp_path, "a\0b", games)
    assert ran.status == 2
    missing, folder, null = ran.err.splitlines()
    assert missing == f"crownhead: {tmp_path / 'missing.pdn'}: No such file or directory"
    assert folder == f"crownhead: {tmp_path}: Is a directory"
    assert null.startswith("crownhead: ")
    assert "4 games" in ran.out or "London" in ran.out


@on_files
def test_a_packed_file_that_is_damaged_is_reported(run: Command, tmp_path: Path, command: list[str]) -> None:
    cut, plain = tmp_path / "cut.pdn.gz", tmp_path / "plain.pdn.gz"
    cut.write_bytes(gzip.compress(GAMES.encode() * 100)[:-20])
    plain.write_text(GAMES)
    ran = run(*command, cut, plain)
    assert ran.status == 2
    first, second = ran.err.splitlines()
    assert first.startswith(f"crownhead: {cut}: damaged: ")
    assert second.startswith(f"crownhead: {plain}: Not a gzipped file")


@on_files
def test_a_binary_file_is_bad_input(run: Command, tmp_path: Path, command: list[str]) -> None:
    picture = tmp_path / "picture.pdn"
    picture.write_bytes(b"PDN3\0\1\2\3" * 1000)
    ran = run(*command, picture)
    assert ran.status == 1
    assert str(picture) in ran.err
    assert "expected a text file" in ran.err
    assert ran.err.count("\n") == 1


@on_files
def test_an_empty_file_has_no_games(run: Command, tmp_path: Path, command: list[str]) -> None:
    empty, packed = tmp_path / "empty.pdn", tmp_path / "empty.pdn.gz"
    empty.touch()
    packed.write_bytes(gzip.compress(b""))
    ran = run(*command, empty, packed)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out in ("", "0 games\n", "0 games, 0 rejected\n")


@on_files
def test_a_file_that_is_not_utf_8_is_read_as_latin_1(tmp_path: Path, command: list[str]) -> None:
    path = tmp_path / "latin.pdn"
    path.write_bytes(b'[Event "Li\xe8ge"]\n[White "Andr\xe9"]\n1. 11-15 *\n')
    ran = program(*command, path)
    assert (ran.returncode, ran.stderr) == (0, b"")


@on_files
@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "packed"])
def test_the_standard_input_is_read(command: list[str], pack: type[bytes], games: Path) -> None:
    ran = program(*command, "-", given=pack(GAMES.encode()))
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert ran.stdout == program(*command, games).stdout


@on_files
def test_a_standard_input_that_is_closed_is_reported(command: list[str]) -> None:
    closed = " ".join(map(shlex.quote, [*PROGRAM, *command, "-"])) + " <&-"
    ran = subprocess.run(["bash", "-c", closed], capture_output=True, check=False)
    assert ran.returncode == 2
    assert ran.stderr.startswith(b"crownhead: standard input: ")
    assert ran.stderr.count(b"\n") == 1


@pytest.mark.parametrize("command", [*ON_FILES, ["pdn", "check", "--jobs", "2"]], ids=" ".join)
def test_closed_outputs_are_no_reason_for_a_traceback(command: list[str], games: Path) -> None:
    line = " ".join(map(shlex.quote, [*PROGRAM, *command, str(games), str(games), "missing.pdn"]))
    deaf = subprocess.run(["bash", "-c", f"{line} >&-"], capture_output=True, check=False)
    assert (deaf.returncode, deaf.stderr) == (2, b"crownhead: standard output: closed\n")
    mute = subprocess.run(["bash", "-c", f"{line} 2>&-"], capture_output=True, check=False)
    assert mute.returncode == 2
    assert b"missing.pdn" not in mute.stdout
    assert mute.stdout


@on_files
def test_names_of_files_are_shown_without_what_a_terminal_would_obey(
    run: Command, command: list[str]
) -> None:
    ran = run(*command, "\x1b[2J.pdn", "", os.fsdecode(b"\xff.pdn"))
    assert ran.status == 2
    assert ran.err.splitlines() == [
        "crownhead: \N{REPLACEMENT CHARACTER}[2J.pdn: No such file or directory",
        "crownhead: '': expected a file name",
        "crownhead: \N{REPLACEMENT CHARACTER}.pdn: No such file or directory",
    ]


@on_files
def test_a_reader_that_has_seen_enough_is_no_error(command: list[str], tmp_path: Path) -> None:
    big = tmp_path / "big.pdn"
    big.write_text(GAMES * 3000)
    with subprocess.Popen(
        [*PROGRAM, *command, big], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


def _opened_once_read(pipe: Path) -> int:
    """The end of a pipe to write to; the system refuses it until somebody has opened the other."""
    while True:
        try:
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
            time.sleep(0.02)


@pytest.mark.parametrize("command", [*ON_FILES, ["pdn", "check", "--jobs", "3"]], ids=" ".join)
def test_an_interrupt_stops_everything_at_once_and_in_silence(command: list[str], tmp_path: Path) -> None:
    pipes = [tmp_path / f"pipe{number}.pdn" for number in range(3)]  # that nobody ever writes to
    for pipe in pipes:
        os.mkfifo(pipe)
    at_once = pipes if "--jobs" in command else pipes[:1]
    with ExitStack() as held:
        process = held.enter_context(
            subprocess.Popen(
                [*PROGRAM, *command, *map(str, pipes)],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        )
        for pipe in at_once:
            held.callback(os.close, _opened_once_read(pipe))
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, b"", b"")
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


def test_a_full_disk_is_reported(games: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    for command in (["pdn", "filter"], ["pdn", "convert"]):
        ran = program(*command, "--assume", "american", "--out", "/dev/full", games)
        assert (ran.returncode, ran.stdout) == (2, b"")
        assert ran.stderr == b"crownhead: No space left on device\n"


def test_letters_that_the_output_cannot_show_are_shown_otherwise(games: Path) -> None:
    for command in (
        ["pdn", "stats", "--variant", "american", games],
        ["variants"],
        ["variants", "--help"],
        ["pdn", "convert", "--help"],
    ):
        ran = subprocess.run(
            [*PROGRAM, *map(str, command)],
            capture_output=True,
            check=False,
            env={**os.environ, "PYTHONIOENCODING": "ascii"},
        )
        assert (ran.returncode, ran.stderr) == (0, b"")


def test_every_example_of_a_help_text_is_understood(
    run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my.toml").write_text('[variants.mine]\nbase = "russian"\nname = "Mine"\n', "utf-8")
    monkeypatch.setattr("crownhead.cli.arguments.register_files", lambda _: None)  # other tests go on
    lines = []
    for command in commands_of(parser()):
        _, _, shown = run(*command.path, "--help").out.partition("\nexamples:\n")
        lines += [line.strip() for line in shown.splitlines() if line.startswith("  crownhead ")]
    assert len(lines) >= 25
    for line in lines:
        for part in line.split(" | "):
            words = shlex.split(part)
            if words[0] == "crownhead" and "--help" not in words:
                assert callable(parser().parse_args(words[1:]).run)


# Of another package:
SITE = {"serve", "web", "worker", "prepare", "admin", "backup", "restore", "check", "demo", "mine"}


def test_every_command_of_this_package_has_examples(run: Command) -> None:
    for command in commands_of(parser()):
        if not SITE.intersection(command.path[:1]):
            assert "\nexamples:\n" in run(*command.path, "--help").out
