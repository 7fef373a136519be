"""``crownhead pdn filter``: select games by conditions."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import BinaryIO

from crownhead.cli.arguments import (
    VARIANT,
    Commands,
    add_assumed,
    add_command,
    add_files,
    add_numbering,
    variant_key,
    whole_number,
)
from crownhead.cli.games.conditions import Condition, conditions_of, date, ending
from crownhead.cli.games.convert import Rewriter
from crownhead.cli.games.entries import Entry, entries
from crownhead.cli.games.inputs import RunStatus, add_output, is_on_terminal, output, read_each
from crownhead.cli.sources import InputFile, display_name
from crownhead.notation.pdn.conventions import Conventions

_MAX_MOVES = 100_000
_LINE_BREAK = "\n"
_DESCRIPTION = """
Write the games that meet all conditions, in order and unchanged byte for byte. If a
condition is given several times, one of them must be met. Names match parts of names and ignore case.
A game that cannot be read completely is tested up to the error.

The exit status is 0 (even if no game matches), 1 if a file is not text or a game cannot be rewritten, or 2 if
a file cannot be read.
"""
_EXAMPLES = (
    ("crownhead pdn filter --player tinsley games.pdn", "the games of a player"),
    ("crownhead pdn filter --from 1950 --to 1959 --result draw games.pdn.gz", "the draws of a decade"),
    (
        'crownhead pdn filter --moves "11-15 23-19" games.pdn | crownhead pdn stats -',
        "statistics after two moves",
    ),
    (
        'crownhead pdn filter --position "B:W18,21-32:B1-8,10-12,15" --count *.pdn',
        "how often a position was reached",
    ),
    (
        "crownhead pdn filter --valid --rewrite --out clean.pdn games.pdn",
        "valid games, rewritten as standard PDN",
    ),
)


def register(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = add_command(
        commands,
        "filter",
        purpose="select games by conditions",
        description=_DESCRIPTION,
        examples=_EXAMPLES,
    )
    add_files(parser)
    _add_conditions_on_tags(parser.add_argument_group("conditions on tags"))
    _add_conditions_on_play(parser.add_argument_group("conditions on moves"))
    what = parser.add_argument_group("output")
    what.add_argument(
        "--not", dest="inverted", action="store_true", help="select the games that do not match"
    )
    what.add_argument("--limit", metavar="N", type=whole_number(1, 10**9), help="stop after N games")
    what.add_argument("--count", action="store_true", help="print only the number of games")
    what.add_argument(
        "--rewrite",
        action="store_true",
        help="rewrite games as standard PDN 3.0, with comments and variations",
    )
    add_output(what)
    add_assumed(parser)
    add_numbering(parser)
    parser.set_defaults(run=run)


def _add_conditions_on_tags(group: argparse._ArgumentGroup) -> None:
    for name, whose in (
        ("player", "either player"),
        ("white", "the player of the white pieces"),
        ("black", "the player of the black pieces"),
        ("event", "the event"),
    ):
        group.add_argument(f"--{name}", metavar="NAME", action="append", help=f"part of the name of {whose}")
    group.add_argument(
        "--year",
        metavar="Y",
        type=whole_number(1000, 9999),
        action="append",
        help="year of the game",
    )
    group.add_argument(
        "--from", dest="begin", metavar="DATE", type=date, help="not before this date, such as 1999-08"
    )
    group.add_argument("--to", dest="end", metavar="DATE", type=date, help="not after this date")
    group.add_argument(
        "--result",
        action="append",
        type=ending,
        metavar="RESULT",
        help="1-0 (the side that begins won), 0-1, black or white (that side won), draw, or unknown",
    )
    group.add_argument("--variant", metavar="V", type=variant_key, action="append", help=VARIANT)


def _add_conditions_on_play(group: argparse._ArgumentGroup) -> None:
    moves = whole_number(0, _MAX_MOVES)
    group.add_argument("--min-moves", metavar="N", type=moves, help="at least N moves (by both sides)")
    group.add_argument("--max-moves", metavar="N", type=moves, help="at most N moves (by both sides)")
    group.add_argument(
        "--opening",
        metavar="NAME",
        action="append",
        help="part of the opening's name, ballot or first moves, as shown by 'pdn stats'",
    )
    group.add_argument("--position", metavar="FEN", help="the game reaches this position")
    group.add_argument(
        "--moves", metavar="MOVES", help="the game begins with these moves, such as '11-15 23-19'"
    )
    group.add_argument("--valid", action="store_true", help="the game can be replayed completely")


def run(arguments: argparse.Namespace) -> int:
    """Write the games; raises ``CrownheadError`` for invalid conditions, ``OSError`` if writing fails."""
    conditions = conditions_of(arguments)
    selection = _Filter(arguments, conditions)
    is_shared = not arguments.count and is_on_terminal(arguments.out)
    with output(None if arguments.count else arguments.out, other_than=arguments.files) as written:
        selection.written = written
        selection.rewriter = Rewriter(written)
        try:
            status = read_each(arguments.files, selection.read, what="filtering", is_shared=is_shared)
        except _LimitReached as reached:
            status = reached.status
    if arguments.count:
        print(selection.passed)
    return status.status


class _LimitReached(Exception):
    """Raised when the wanted number of games has been written."""

    def __init__(self, status: RunStatus) -> None:
        super().__init__()
        self.status = status


class _Filter:
    """Applies the conditions and writes the matching games."""

    written: BinaryIO
    rewriter: Rewriter

    def __init__(self, arguments: argparse.Namespace, conditions: Sequence[Condition]) -> None:
        self.passed = 0
        self._chosen = arguments
        self._conditions = conditions
        self._last: Entry | None = None  # the last one written
        self._is_next = False  # whether the next game directly follows it

    def read(self, file: InputFile, status: RunStatus) -> None:
        """Write the matching games of an input."""
        self._is_next = False
        conventions = Conventions.of(self._chosen.assume, self._chosen.numbering)
        for entry in entries(file, conventions, on_recognised=lambda _: None):
            status.game()
            met = all(condition(entry) for condition in self._conditions)
            if met is self._chosen.inverted:
                self._is_next = False
                continue
            self.passed += 1
            if self._chosen.rewrite and not self._chosen.count:
                self.rewriter.rewrite(entry, display_name(file.name), status)
            elif not self._chosen.count:
                self._write(entry)
            if self.passed == self._chosen.limit:
                raise _LimitReached(status)

    def _write(self, entry: Entry) -> None:
        """Write a game unchanged."""
        gap = "" if self._is_next else _gap(self._last, entry)
        self.written.write((gap + entry.text).encode("utf-8", "surrogateescape"))
        self._last, self._is_next = entry, True


def _gap(before: Entry | None, entry: Entry) -> str:
    """Return the separator between two games that were not adjacent in the input."""
    if before is None:
        return ""
    end = "" if before.record.terminator or entry.record.tags else "*"
    blank = before.text[len(before.text.rstrip()) :].count("\n")
    return f"{end}{max(0, 2 - blank) * _LINE_BREAK}"
