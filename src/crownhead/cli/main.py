"""The program ``crownhead``: runs commands and turns errors into messages and exit statuses.

0 means success, 1 invalid input, 2 wrong usage or an unreadable file.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

import crownhead
from crownhead.cli.arguments import help_texts
from crownhead.cli.on_demand import OnDemand, add_commands
from crownhead.cli.sources import Unreadable
from crownhead.cli.tables import printable
from crownhead.rules.errors import CrownheadError
from crownhead.rules.house import VARIABLE, register_named

_DESCRIPTION = """
Checkers and draughts: rules, notation and an engine for many variants, and a club website to host.

Use --help with a command for details, and --json for output that programs can read. The exit
status is 0 on success, 1 if the input is invalid, 2 for wrong usage or if a
file cannot be read or written, and 130 after an interrupt.
"""
_EXAMPLES = (
    ("crownhead variants", "list the variants and their keys"),
    ("crownhead legal --variant russian", "the legal moves of a position"),
    ("crownhead diagram --moves '11-15 23-18' --svg board.svg", "an image of a position"),
    ("crownhead play", "play against the engine"),
    ("crownhead pdn check games.pdn", "replay every game of a file"),
    ("crownhead pdn stats games.pdn", "statistics of results, lengths, openings and players"),
    ('eval "$(crownhead completion bash)"', "turn on completion in bash"),
)

_COMMANDS = (  # name, purpose, module
    ("variants", "list the variants", "crownhead.cli.variants"),
    ("legal", "list the legal moves of a position", "crownhead.cli.legal"),
    ("perft", "count move sequences", "crownhead.cli.perft"),
    ("diagram", "draw a position", "crownhead.cli.diagram"),
    ("pdn", "work with PDN files", "crownhead.cli.pdn"),
    ("analyse", "analyse a position with the engine", "crownhead.cli.analyse"),
    ("play", "play against the engine", "crownhead.cli.play"),
    ("problems", "find and verify problems", "crownhead.cli.problems"),
    ("train", "train the engine", "crownhead.cli.train"),
    ("tables", "build and inspect endgame tables", "crownhead.cli.endgames"),
    ("hub", "run the engine with the Hub protocol", "crownhead.cli.hub"),
    ("dxp", "play against another program over the network", "crownhead.cli.dxp"),
    ("bench", "measure speed and print the search signature", "crownhead.cli.bench"),
    ("completion", "print a completion script for a shell", "crownhead.cli.completion"),
)

GOOD, BAD_INPUT, WRONG_USAGE, INTERRUPTED = 0, 1, 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status; ``arguments`` defaults to those of the process."""
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - as long as we live
    if sys.stdout is None:
        return _refuse("standard output: closed", WRONG_USAGE)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # do not fail on characters that it cannot encode
    try:
        try:
            return _run(arguments)
        finally:
            sys.stdout.flush()
    except BrokenPipeError:  # the reader, such as `head`, has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return GOOD
    except KeyboardInterrupt:
        return INTERRUPTED


class _Parser(argparse.ArgumentParser):
    """A parser that reports errors in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(WRONG_USAGE, f"{self.prog}: {message} (see {self.prog} --help)\n")


def parser() -> argparse.ArgumentParser:
    """Create the parser with all commands and their arguments, including those of other packages."""
    top, commands = _parser()
    _add_plugins(commands)
    commands.load_all()
    return top


def _parser() -> tuple[argparse.ArgumentParser, OnDemand]:
    """Create the parser with our own commands, whose arguments are added when they are used."""
    top = _Parser(prog="crownhead", **help_texts(_DESCRIPTION, _EXAMPLES))
    top.add_argument("--version", action="version", version=f"crownhead {crownhead.__version__}")
    return top, add_commands(top, _COMMANDS)


def _add_plugins(commands: OnDemand) -> None:
    from crownhead.cli import plugins

    plugins.register(commands)


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    top, commands = _parser()
    if not arguments or (arguments[0] not in commands.choices and arguments[0] != "--version"):
        _add_plugins(commands)
    return top.parse_args(arguments)


def _run(arguments: Sequence[str] | None) -> int:
    try:
        register_named(os.environ.get(VARIABLE, ""), os.pathsep)
    except CrownheadError as error:
        return _refuse(str(error), WRONG_USAGE)
    except OSError as error:
        return _refuse(f"{VARIABLE}: {_message(error)}", WRONG_USAGE)
    try:
        options = _parsed(sys.argv[1:] if arguments is None else arguments)
    except SystemExit as stop:  # argparse has printed the error or the help
        return stop.code if isinstance(stop.code, int) else GOOD
    command: Callable[[argparse.Namespace], int | None] = options.run
    try:
        return command(options) or GOOD
    except CrownheadError as error:
        return _refuse(str(error), BAD_INPUT)
    except BrokenPipeError:
        raise
    except Unreadable as error:
        return _refuse(str(error), WRONG_USAGE)
    except OSError as error:
        return _refuse(_message(error), WRONG_USAGE)
    except ModuleNotFoundError as error:
        from crownhead.cli.plugins import HOW_TO_INSTALL

        return _refuse(f"{error.name} is not installed; {HOW_TO_INSTALL}", WRONG_USAGE)


def _refuse(sentence: str, status: int) -> int:
    print(printable(f"crownhead: {sentence}"), file=sys.stderr)
    return status


def _message(error: OSError) -> str:
    reason = error.strerror or str(error)
    return f"{error.filename}: {reason}" if error.filename is not None else reason
