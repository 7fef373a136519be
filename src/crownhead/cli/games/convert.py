"""``crownhead pdn convert``: write games anew, their squares and moves in another notation."""

from __future__ import annotations

import argparse
import io
from dataclasses import replace
from typing import BinaryIO

from crownhead.cli.arguments import Commands, add_assumed, add_command, add_files, one_of
from crownhead.cli.games.entries import Entry, entries
from crownhead.cli.games.inputs import BAD_INPUT, RunStatus, add_output, is_on_terminal, output, read_each
from crownhead.cli.games.renumber import kind_tags, renumbered
from crownhead.cli.sources import InputFile, shown
from crownhead.notation.numberings import Numbering
from crownhead.notation.pdn import PdnError, Style, read_trees, write_tree
from crownhead.rules.errors import NotationError
from crownhead.rules.lookup import variant_of
from crownhead.rules.schema import Variant

_DESCRIPTION = """
Write games anew, by the strict grammar of PDN 3.0, with all their tags, comments, variations, marks and
clocks; moves and positions are written in the style that is asked for.

  native     as the variant writes them: 11-15, cb4 becomes c3-b4
  numeric    the variant's numbers, also where it has names; 1 is b8 then
  algebraic  c3-b4, also where the variant has numbers
  short      in the Russian manner, cb4, where that is one move only
  mirrored   numbers from the other end, as YourTurnMyTurn counts: 22-18 for 11-15
  from-a1    numbers along the ranks from a1, as pydraughts counts Russian squares

Input is read in any of these but the last two, which say other squares with the same numbers: --from tells
which it is.

The exit status is 0 if all games were written, 1 if one could not be, 2 if a file cannot be read.
"""
_EXAMPLES = (
    ("crownhead pdn convert games.pdn --out clean.pdn.gz", "by the standard, and packed"),
    ("crownhead pdn convert --to short russian.pdn", "cb4 ba5 bc5 …"),
    ("crownhead pdn convert --to algebraic games.pdn", "c3-d4 for 11-15"),
    ("crownhead pdn convert --from mirrored ytmt.pdn", "games of YourTurnMyTurn in the usual numbers"),
)


def register(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "convert",
        purpose="write games in another notation",
        description=_DESCRIPTION,
        examples=_EXAMPLES,
    )
    add_files(parser)
    parser.add_argument(
        "--to",
        "--style",
        dest="style",
        metavar="STYLE",
        type=one_of(Style),
        default=Style.NATIVE,
        help="how moves and positions are written (default: native)",
    )
    parser.add_argument(
        "--from",
        "--numbering",
        dest="numbering",
        metavar="NUMBERING",
        type=one_of(Numbering),
        default=Numbering.NATIVE,
        help="how squares are numbered in the input (default: native)",
    )
    add_output(parser)
    add_assumed(parser, "--variant")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write the games; raises ``OSError`` where that cannot be done."""
    with output(arguments.out, other_than=arguments.files) as written:
        writer = Rewriter(written, default=variant_of(arguments.assume), style=arguments.style)

        def read(file: InputFile, status: RunStatus) -> None:
            for entry in entries(file, writer.default):
                status.game()
                writer.rewrite(entry, shown(file.name), status, numbering=arguments.numbering)

        shared = is_on_terminal(arguments.out)
        return read_each(arguments.files, read, what="converting", is_shared=shared).status


class Rewriter:
    """Writes games by the standard, with all that is said of them."""

    def __init__(self, written: BinaryIO, *, default: Variant, style: Style = Style.NATIVE) -> None:
        """``default`` is the variant of games that name none."""
        self.default = default
        self._written = written
        self._style = style
        self._count = 0

    def rewrite(
        self, entry: Entry, name: str, status: RunStatus, *, numbering: Numbering = Numbering.NATIVE
    ) -> None:
        """Write a game of the input that is called ``name``; ``status`` is told of one that cannot be."""

        def complain(bad: PdnError) -> None:
            placed = replace(bad, number=status.games, line=entry.line + bad.line - 1)
            status.complain(f"{name}: {placed}", BAD_INPUT)

        text = entry.proper_text
        try:
            if numbering is not Numbering.NATIVE and entry.variant is not None:
                text = renumbered(text, entry.variant, numbering)
            for tree in read_trees(io.StringIO(text), variant=self.default, on_error=complain):
                tree.tags.update(kind_tags(tree.variant, self._style))
                self._write(write_tree(tree, style=self._style))
        except NotationError as error:
            status.complain(f"{name}: game {status.games}, line {entry.line}: {error}", BAD_INPUT)

    def _write(self, record: str) -> None:
        gap = "\n" if self._count else ""
        self._written.write(f"{gap}{record}".encode())
        self._count += 1
