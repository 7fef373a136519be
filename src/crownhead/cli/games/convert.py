"""``crownhead pdn convert``: rewrite games in another notation."""

from __future__ import annotations

import argparse
import io
from dataclasses import replace
from typing import BinaryIO

from crownhead.cli.arguments import (
    Commands,
    add_assumed,
    add_command,
    add_files,
    add_numbering,
    one_of,
)
from crownhead.cli.games.entries import Entry, entries
from crownhead.cli.games.inputs import BAD_INPUT, RunStatus, add_output, is_on_terminal, output, read_each
from crownhead.cli.games.style_tags import kind_tags
from crownhead.cli.sources import InputFile, display_name
from crownhead.notation.pdn import PdnError, Style, write_tree
from crownhead.notation.pdn.conventions import Conventions
from crownhead.notation.pdn.tree_reader import trees_read
from crownhead.rules.errors import NotationError

_DESCRIPTION = """
Rewrite games in the strict grammar of PDN 3.0, with all tags, comments, variations, annotations and
clock times; moves and positions are written in the chosen style.

  native     the variant's own notation: 11-15, cb4 becomes c3-b4
  numeric    numbers, even where the variant uses names; 1 is then b8
  algebraic  c3-b4, even where the variant uses numbers
  short      Russian short notation, cb4, unless it is ambiguous
  mirrored   numbers from the other end, as on YourTurnMyTurn: 22-18 for 11-15
  from-a1    numbers along the ranks from a1, as in pydraughts for Russian draughts

Input can be in any of these; for the last two, whose numbers mean other squares, say so with --from. The
variant of games that do not name theirs is recognised and written.

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
    add_numbering(parser, "--from")
    add_output(parser)
    add_assumed(parser, "--variant")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write the games; raises ``OSError`` if writing fails."""
    with output(arguments.out, other_than=arguments.files) as written:
        writer = Rewriter(written, style=arguments.style)

        def read(file: InputFile, status: RunStatus) -> None:
            conventions = Conventions.of(arguments.assume, arguments.numbering)
            for entry in entries(file, conventions, status.reporter(file)):
                status.game()
                writer.rewrite(entry, display_name(file.name), status)

        shared = is_on_terminal(arguments.out)
        return read_each(arguments.files, read, what="converting", is_shared=shared).status


class Rewriter:
    """Writes games as standard PDN, with comments and variations."""

    def __init__(self, written: BinaryIO, *, style: Style = Style.NATIVE) -> None:
        """``style`` is how moves and positions are written."""
        self._written = written
        self._style = style
        self._count = 0

    def rewrite(self, entry: Entry, name: str, status: RunStatus) -> None:
        """Write a game of the input ``name``; problems are reported to ``status``."""

        def complain(bad: PdnError) -> None:
            placed = replace(bad, number=status.games, line=entry.line + bad.line - 1)
            status.complain(f"{name}: {placed}", BAD_INPUT)

        text = io.StringIO(entry.proper_text)
        try:
            for tree in trees_read(text, entry.conventions, on_error=complain):
                tree.tags.update(kind_tags(tree.variant, self._style))
                self._write(write_tree(tree, style=self._style))
        except NotationError as error:
            status.complain(f"{name}: game {status.games}, line {entry.line}: {error}", BAD_INPUT)

    def _write(self, record: str) -> None:
        gap = "\n" if self._count else ""
        self._written.write(f"{gap}{record}".encode())
        self._count += 1
