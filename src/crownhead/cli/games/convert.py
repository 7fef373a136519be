"""``crownhead pdn convert``: rewrite games in another notation."""

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
Rewrite games in the strict grammar of PDN 3.0, with all tags, comments, variations, annotations and
clock times; moves and positions are written in the chosen style.

  native     the variant's own notation: 11-15, cb4 becomes c3-b4
  numeric    numbers, even where the variant uses names; 1 is b8 then
  algebraic  c3-b4, even where the variant uses numbers
  short      Russian short notation, cb4, unless it is ambiguous
  mirrored   numbers from the other end, as on YourTurnMyTurn: 22-18 for 11-15
  from-a1    numbers along the ranks from a1, as in pydraughts for Russian draughts

Input can be in any of these; for the last two, whose numbers mean other squares, say so with --from.

The exit status is 0 if all games were written, 1 if one could not be written, or 2 if a file cannot be read.
"""
_EXAMPLES = (
    ("crownhead pdn convert games.pdn --out clean.pdn.gz", "standard PDN, compressed"),
    ("crownhead pdn convert --to short russian.pdn", "cb4 ba5 bc5 …"),
    ("crownhead pdn convert --to algebraic games.pdn", "c3-d4 for 11-15"),
    ("crownhead pdn convert --from mirrored ytmt.pdn", "games from YourTurnMyTurn in the usual numbering"),
)


def register(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
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
        help="how to write moves and positions (default: native)",
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
    """Write the games; raises ``OSError`` if writing fails."""
    with output(arguments.out, other_than=arguments.files) as written:
        writer = Rewriter(written, default=variant_of(arguments.assume), style=arguments.style)

        def read(file: InputFile, status: RunStatus) -> None:
            for entry in entries(file, writer.default):
                status.game()
                writer.rewrite(entry, shown(file.name), status, numbering=arguments.numbering)

        shared = is_on_terminal(arguments.out)
        return read_each(arguments.files, read, what="converting", is_shared=shared).status


class Rewriter:
    """Writes games as standard PDN, with comments and variations."""

    def __init__(self, written: BinaryIO, *, default: Variant, style: Style = Style.NATIVE) -> None:
        """``default`` is the variant of games that do not name one."""
        self.default = default
        self._written = written
        self._style = style
        self._count = 0

    def rewrite(
        self, entry: Entry, name: str, status: RunStatus, *, numbering: Numbering = Numbering.NATIVE
    ) -> None:
        """Write a game of the input ``name``; problems are reported to ``status``."""

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
