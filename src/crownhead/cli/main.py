"""``crownhead``: reads the command, calls it, turns errors into a sentence and an exit status.

0 is good, 1 something bad in the input, 2 wrong usage or a file that cannot be read.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

import crownhead
from crownhead.cli import legal, pdn, perft, plugged, variants
from crownhead.rules.errors import CrownheadError

GOOD, BAD_INPUT, WRONG_USAGE, INTERRUPTED = 0, 1, 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status; ``arguments`` default to the process's own."""
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
    top = _Parser(prog="crownhead", description="Checkers and draughts: rules, notation and a club to host.")
    top.add_argument("--version", action="version", version=f"crownhead {crownhead.__version__}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for room in (variants, legal, perft, pdn, plugged):
        room.register(commands)
    return top


def _run(arguments: Sequence[str] | None) -> int:
    try:
        chosen = parser().parse_args(arguments)
    except SystemExit as stop:  # argparse has said why, or has shown the help
        return stop.code if isinstance(stop.code, int) else GOOD
    command: Callable[[argparse.Namespace], int | None] = chosen.run
    try:
        return command(chosen) or GOOD
    except CrownheadError as error:
        return _refuse(str(error), BAD_INPUT)
    except BrokenPipeError:
        raise
    except OSError as error:
        return _refuse(_told(error), WRONG_USAGE)
    except ModuleNotFoundError as error:
        return _refuse(f"{error.name} is not installed; {plugged.HOW_TO_INSTALL}", WRONG_USAGE)


def _refuse(sentence: str, status: int) -> int:
    print(f"crownhead: {sentence}", file=sys.stderr)
    return status


def _told(error: OSError) -> str:
    reason = error.strerror or str(error)
    return f"{error.filename}: {reason}" if error.filename is not None else reason
