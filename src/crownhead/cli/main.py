"""``crownhead``: reads the command, calls it, turns errors into a sentence and an exit status.

0 is good, 1 something bad in the input, 2 wrong usage or a file that cannot be read.
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
from crownhead.cli import (
    analyse,
    bench,
    completion,
    diagram,
    dxp,
    endgames,
    hub,
    legal,
    pdn,
    perft,
    play,
    plugins,
    train,
    variants,
)
from crownhead.cli.arguments import help_texts
from crownhead.cli.sources import Unreadable
from crownhead.cli.tables import printable
from crownhead.rules.errors import CrownheadError

_DESCRIPTION = """
Checkers and draughts: the rules of every variant, the notation of games, and a club to host.

Each command tells more with --help. Where results are printed, --json prints them for programs. The exit
status is 0 if all is well, 1 if something in the input is bad, 2 if a command was used in a wrong way or a
file cannot be read or written, 130 after an interrupt.
"""
_EXAMPLES = (
    ("crownhead variants", "what can be played, and the keys of the variants"),
    ("crownhead legal --variant russian", "the legal moves of a position"),
    ("crownhead diagram --moves '11-15 23-18' --svg board.svg", "a picture of a position"),
    ("crownhead play", "a game against the engine"),
    ("crownhead pdn check games.pdn", "replay every game of a file"),
    ("crownhead pdn stats games.pdn", "results, lengths, openings and players of a file"),
    ('eval "$(crownhead completion bash)"', "let bash complete commands"),
)

GOOD, BAD_INPUT, WRONG_USAGE, INTERRUPTED = 0, 1, 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status; ``arguments`` default to the process's own."""
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - as long as we live
    if sys.stdout is None:
        return _refuse("standard output: closed", WRONG_USAGE)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a letter that it cannot show is no reason to stop
    try:
        try:
            return _run(arguments)
        finally:
            sys.stdout.flush()
    except BrokenPipeError:  # the reader, say `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return GOOD
    except KeyboardInterrupt:
        return INTERRUPTED


class _Parser(argparse.ArgumentParser):
    """Refuses in one sentence."""

    def error(self, message: str) -> NoReturn:
        self.exit(WRONG_USAGE, f"{self.prog}: {message} (see {self.prog} --help)\n")


def parser() -> argparse.ArgumentParser:
    """All commands: those of this room and those that other rooms have plugged in."""
    top = _Parser(prog="crownhead", **help_texts(_DESCRIPTION, _EXAMPLES))
    top.add_argument("--version", action="version", version=f"crownhead {crownhead.__version__}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    rooms = (variants, legal, perft, diagram, pdn, analyse, play, train, endgames, hub, dxp, bench, plugins)
    for room in rooms:
        room.register(commands)
    completion.register(commands, top)
    return top


def _run(arguments: Sequence[str] | None) -> int:
    try:
        options = parser().parse_args(arguments)
    except SystemExit as stop:  # argparse has said why, or has shown the help
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
        return _refuse(f"{error.name} is not installed; {plugins.HOW_TO_INSTALL}", WRONG_USAGE)


def _refuse(sentence: str, status: int) -> int:
    print(printable(f"crownhead: {sentence}"), file=sys.stderr)
    return status


def _message(error: OSError) -> str:
    reason = error.strerror or str(error)
    return f"{error.filename}: {reason}" if error.filename is not None else reason
