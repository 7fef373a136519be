"""`crownhead completion`: the scripts are run by their shells, if these are installed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from crownhead import VARIANTS
from crownhead.cli.command_tree import Kind, commands_of
from crownhead.cli.main import parser
from tests.cli.conftest import Command

CASES = [
    (["crownhead", "perf"], {"perft"}),
    (["crownhead", "pdn", ""], {"check", "convert", "filter", "stats"}),
    (["crownhead", "pdn", "check", "--js"], {"--json"}),
    (["crownhead", "legal", "--variant", "amer"], {"american"}),
    (["crownhead", "variants", "spa"], {"sparse", "spanish", "spantsiretti"}),
    (["crownhead", "pdn", "convert", "--to", "n"], {"native", "numeric"}),
    (["crownhead", "pdn", "filter", "--result", "d"], {"draw"}),
    (["crownhead", "completion", ""], {"bash", "fish", "zsh"}),
    (["crownhead", "perft", "--depth", ""], set()),
]


def shell(name: str) -> str:
    """Return the path of a shell; skips the test if it is not installed."""
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"{name} is not installed")
    return path


def completed_by_bash(script: Path, words: list[str], folder: Path) -> set[str]:
    """Return what bash offers for the last word."""
    quoted = " ".join(f"'{word}'" for word in words)
    asked = f"source {script}; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _crownhead"
    done = subprocess.run(
        [shell("bash"), "--norc", "-c", f"{asked}; printf '%s\\n' \"${{COMPREPLY[@]}}\""],
        capture_output=True,
        text=True,
        check=True,
        cwd=folder,
    )
    assert done.stderr == ""
    return set(done.stdout.split("\n")) - {""}


@pytest.fixture
def bash(run: Command, tmp_path: Path) -> Path:
    """The script for bash."""
    path = tmp_path / "crownhead.bash"
    path.write_text(run("completion", "bash").out)
    return path


def case_id(part: list[str] | set[str]) -> str:
    """The same in every process: a set has no order of its own."""
    return " ".join(sorted(part) if isinstance(part, set) else part)


@pytest.mark.parametrize(("words", "offered"), CASES, ids=case_id)
def test_bash_completes(bash: Path, tmp_path: Path, words: list[str], offered: set[str]) -> None:
    assert completed_by_bash(bash, words, tmp_path) == offered


def test_bash_completes_what_stands_behind_an_equals_sign(bash: Path, tmp_path: Path) -> None:
    assert completed_by_bash(bash, ["crownhead", "legal", "--variant", "=", "tha"], tmp_path) == {"thai"}
    assert completed_by_bash(bash, ["crownhead", "legal", "--variant", "="], tmp_path) == set(VARIANTS)


def test_bash_completes_files_with_blanks(bash: Path, tmp_path: Path) -> None:
    (tmp_path / "my games.pdn").touch()
    (tmp_path / "other").mkdir()
    assert completed_by_bash(bash, ["crownhead", "pdn", "check", "my"], tmp_path) == {"my games.pdn"}
    assert completed_by_bash(bash, ["crownhead", "pdn", "stats", "--plot", "o"], tmp_path) == {"other"}


@pytest.mark.parametrize(("words", "offered"), CASES, ids=case_id)
def test_fish_completes(run: Command, tmp_path: Path, words: list[str], offered: set[str]) -> None:
    script = tmp_path / "crownhead.fish"
    script.write_text(run("completion", "fish").out)
    done = subprocess.run(
        [shell("fish"), "--no-config", "-c", f"source {script}; complete -C '{' '.join(words)}'"],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
    )
    assert {line.split("\t")[0] for line in done.stdout.splitlines()} == offered


def test_zsh_understands_its_script(run: Command, tmp_path: Path) -> None:
    script = tmp_path / "_crownhead"
    script.write_text(run("completion", "zsh").out)
    done = subprocess.run([shell("zsh"), "-n", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_zsh_completes(run: Command, tmp_path: Path) -> None:
    (tmp_path / "_crownhead").write_text(run("completion", "zsh").out)
    asked = f"""
        zmodload zsh/zpty
        zpty shell zsh -f -i
        zpty -w shell 'fpath=({tmp_path} $fpath); autoload -U compinit; compinit -u -D; PS1=ready'
        zpty -r -m shell seen '*ready*ready*'
        zpty -w -n shell $'crownhead legal --variant ame\\t'
        zpty -r -m shell seen '*variant american*' && print -r completed
    """
    done = subprocess.run(
        [shell("zsh"), "-f", "-c", asked], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stdout == "completed\n"


def test_a_shell_that_is_not_known_is_wrong_usage(run: Command) -> None:
    ran = run("completion", "tcsh")
    assert (ran.status, ran.out) == (2, "")
    assert "'tcsh'" in ran.err


def test_every_command_and_option_is_offered(run: Command) -> None:
    tree = list(commands_of(parser()))
    assert ("pdn", "filter") in [command.path for command in tree]
    scripts = [run("completion", name).out for name in ("bash", "zsh", "fish")]
    for command in tree:
        for option in command.options:
            name = option.names[-1]
            assert all(name in script or f"-l {name[2:]}" in script for script in scripts)
            assert option.purpose
            assert "%" not in option.purpose
    (check,) = [command for command in tree if command.path == ("pdn", "check")]
    assert check.operands is Kind.FILES
