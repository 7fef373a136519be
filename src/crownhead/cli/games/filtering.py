"""``crownhead pdn filter``: write the games of some files that meet conditions."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import BinaryIO

from crownhead.cli.arguments import Commands, add_assumed, add_command, add_files, variant_key, whole_number
from crownhead.cli.games.conditions import Condition, conditions_of, date, ending
from crownhead.cli.games.convert import Rewriter
from crownhead.cli.games.entries import Entry, entries
from crownhead.cli.games.inputs import RunStatus, add_output, is_on_terminal, output, read_each
from crownhead.cli.sources import InputFile, shown
from crownhead.rules.lookup import variant_of
from crownhead.rules.schema import Variant

_MOST_MOVES = 100_000
_LINE_BREAK = "\n"
_DESCRIPTION = """
Write the games that meet all of the conditions, unchanged to the byte, in the order of the files. Of a
condition that is given several times one must be met. Names are parts of names, and upper and lower case are
the same. A game that cannot be read to its end is parse by what comes before.

The exit status is 0 however many games there are, 1 if a file is no text or a game cannot be rewritten, 2 if
a file cannot be read.
"""
_EXAMPLES = (
    ("crownhead pdn filter --player tinsley games.pdn", "the games of a player"),
    ("crownhead pdn filter --from 1950 --to 1959 --result draw games.pdn.gz", "the draws of ten years"),
    (
        'crownhead pdn filter --moves "11-15 23-19" games.pdn | crownhead pdn stats -',
        "what follows two moves",
    ),
    (
        'crownhead pdn filter --position "B:W18,21-32:B1-8,10-12,15" --count *.pdn',
        "how often was it reached?",
    ),
    (
        "crownhead pdn filter --valid --rewrite --out clean.pdn games.pdn",
        "legal games, written by the standard",
    ),
)


def register(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "filter",
        purpose="write the games that meet conditions",
        description=_DESCRIPTION,
        examples=_EXAMPLES,
    )
    add_files(parser)
    _add_conditions_on_tags(parser.add_argument_group("conditions on what is said of a game"))
    _add_conditions_on_play(parser.add_argument_group("conditions on how it was played"))
    what = parser.add_argument_group("what is written")
    what.add_argument("--not", dest="inverted", action="store_true", help="the other games instead")
    what.add_argument("--limit", metavar="N", type=whole_number(1, 10**9), help="no more than N games")
    what.add_argument("--count", action="store_true", help="only how many games there are")
    what.add_argument(
        "--rewrite",
        action="store_true",
        help="write games anew as PDN 3.0 has it, with their comments and variations",
    )
    add_output(what)
    add_assumed(parser)
    parser.set_defaults(run=run)


def _add_conditions_on_tags(group: argparse._ArgumentGroup) -> None:
    for name, whose in (
        ("player", "a player, of either side"),
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
        help="the year it was played in",
    )
    group.add_argument("--from", dest="begin", metavar="DATE", type=date, help="not earlier, as 1999-08")
    group.add_argument("--to", dest="end", metavar="DATE", type=date, help="not later, that day being within")
    group.add_argument(
        "--result",
        action="append",
        type=ending,
        metavar="RESULT",
        help="1-0: the side that begins won, 0-1: the other; black or white: that side won; draw; unknown",
    )
    group.add_argument(
        "--variant", metavar="V", type=variant_key, action="append", help="of a variant, by its key"
    )


def _add_conditions_on_play(group: argparse._ArgumentGroup) -> None:
    moves = whole_number(0, _MOST_MOVES)
    group.add_argument("--min-moves", metavar="N", type=moves, help="at least N moves (of both sides)")
    group.add_argument("--max-moves", metavar="N", type=moves, help="at most N moves (of both sides)")
    group.add_argument(
        "--opening",
        metavar="NAME",
        action="append",
        help="part of the opening's name, of its ballot or of its first moves, as 'pdn stats' tells them",
    )
    group.add_argument("--position", metavar="FEN", help="reaches a position with that side to move")
    group.add_argument("--moves", metavar="MOVES", help="begins with these moves, such as '11-15 23-19'")
    group.add_argument("--valid", action="store_true", help="can be replayed to its end")


def run(arguments: argparse.Namespace) -> int:
    """Write the games; raises ``CrownheadError`` where a condition makes no sense, ``OSError``."""
    conditions = conditions_of(arguments)
    default = variant_of(arguments.assume)
    selection = _Filter(arguments, conditions, default)
    is_shared = not arguments.count and is_on_terminal(arguments.out)
    with output(None if arguments.count else arguments.out, other_than=arguments.files) as written:
        selection.written = written
        selection.rewriter = Rewriter(written, default=default)
        try:
            status = read_each(arguments.files, selection.read, what="filtering", is_shared=is_shared)
        except _LimitReached as reached:
            status = reached.status
    if arguments.count:
        print(selection.passed)
    return status.status


class _LimitReached(Exception):
    """As many games as were wanted have passed."""

    def __init__(self, status: RunStatus) -> None:
        super().__init__()
        self.status = status


class _Filter:
    """Lets games pass."""

    written: BinaryIO
    rewriter: Rewriter

    def __init__(
        self, arguments: argparse.Namespace, conditions: Sequence[Condition], default: Variant
    ) -> None:
        self.passed = 0
        self._chosen = arguments
        self._conditions = conditions
        self._default = default
        self._last: Entry | None = None  # that passed
        self._is_next = False  # to be read right behind it

    def read(self, file: InputFile, status: RunStatus) -> None:
        """Let the games of an input pass or not."""
        self._is_next = False
        for entry in entries(file, self._default):
            status.game()
            met = all(condition(entry) for condition in self._conditions)
            if met is self._chosen.inverted:
                self._is_next = False
                continue
            self.passed += 1
            if self._chosen.rewrite and not self._chosen.count:
                self.rewriter.rewrite(entry, shown(file.name), status)
            elif not self._chosen.count:
                self._write(entry)
            if self.passed == self._chosen.limit:
                raise _LimitReached(status)

    def _write(self, entry: Entry) -> None:
        """Write a game as it stands."""
        gap = "" if self._is_next else _gap(self._last, entry)
        self.written.write((gap + entry.text).encode("utf-8", "surrogateescape"))
        self._last, self._is_next = entry, True


def _gap(before: Entry | None, entry: Entry) -> str:
    """What keeps a game apart from the one written before it, where they were not neighbours."""
    if before is None:
        return ""
    end = "" if before.record.terminator or entry.record.tags else "*"
    blank = before.text[len(before.text.rstrip()) :].count("\n")
    return f"{end}{max(0, 2 - blank) * _LINE_BREAK}"
