"""A command imports what it needs, and the list of commands says what they say of themselves."""

from __future__ import annotations

import argparse
import subprocess
import sys

import pytest

from crownhead.cli.main import parser
from crownhead.cli.on_demand import OnDemand
from tests.cli.conftest import Command

_SCRIPT = """
import sys
from crownhead.cli.main import main
main(sys.argv[1:])
print(*sorted(name for name in sys.modules if name.startswith("crownhead")), file=sys.stderr)
"""


def imported(*arguments: str) -> set[str]:
    """Return the modules of Crownhead that a command imports."""
    command = [sys.executable, "-c", _SCRIPT, *arguments]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stderr.split())


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["variants"], ["legal"], ["pdn", "--help"]])
def test_a_command_starts_without_the_others(arguments: list[str]) -> None:
    modules = imported(*arguments)
    assert "crownhead.cli.main" in modules
    heavy = ("crownhead.engine", "crownhead.cli.play", "crownhead.cli.games", "crownhead.notation.svg")
    assert not modules & set(heavy)


def test_the_library_is_imported_without_files_and_the_engine() -> None:
    code = "import sys, crownhead; print(*(name for name in sys.modules if name.startswith('crownhead.')))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    rooms = {name.split(".")[1] for name in ran.stdout.split()}
    assert rooms == {"_kernel", "notation", "rules"}
    assert "crownhead.notation.pdn" not in ran.stdout.split()


def commands(parser: argparse.ArgumentParser) -> dict[str, str]:
    """Return the names and purposes of the commands of a parser, and of those below them."""
    found: dict[str, str] = {}
    for action in parser._actions:  # noqa: SLF001 - argparse has no public list of them
        if isinstance(action, OnDemand):
            found |= {choice.dest: choice.help or "" for choice in action._choices_actions}  # noqa: SLF001
            for below in action.choices.values():
                found |= {f"{below.prog} {name}": purpose for name, purpose in commands(below).items()}
    return found


def test_the_list_of_commands_says_what_they_say_of_themselves(run: Command) -> None:
    told = commands(parser())
    assert {"legal", "tables", "crownhead pdn check"} <= set(told)
    for name, purpose in told.items():
        *above, last = name.removeprefix("crownhead ").split()
        listed = " ".join(run(*above, "--help").out.split())
        assert f" {last} {purpose} " in f"{listed} "


def test_commands_are_listed_in_their_order_when_all_are_loaded() -> None:
    order = [name for name in commands(parser()) if " " not in name]
    assert order[:5] == ["variants", "legal", "perft", "diagram", "pdn"]
    assert order.index("bench") < order.index("completion")
