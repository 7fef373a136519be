"""``crownhead diagram``: draw a position as text or as an SVG image."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import Any

from crownhead.cli.arguments import Commands, add_command, add_position, one_of, position_of, whole_number
from crownhead.notation import diagram, moves
from crownhead.notation.numberings import Numbering
from crownhead.notation.svg import THEMES, Numbers
from crownhead.rules import Move
from crownhead.rules.errors import CrownheadError
from crownhead.rules.position import Position

_BIGGEST = 10_000  # pixels
_BLANKS = re.compile(r"[\s,]+")
_DESCRIPTION = """
Draw a position as text, with 'b' and 'w' for men and 'bK' and 'wK' for kings, or with --svg as an image.
White is at the bottom.

The exit status is 0, 1 if the position or a move is invalid, or 2 if the image cannot be written.
"""
_EXAMPLES = (
    ("crownhead diagram --variant turkish", "the start position of a variant"),
    ("crownhead diagram --moves '11-15 23-18' --svg after.svg", "after two moves, showing the last one"),
    ("crownhead diagram --fen 'B:W14,K22:B5,6' --svg - --mark 14 --arrow 14-10", "a ring and an arrow"),
)
_OF_PICTURES = ("flip", "mark", "arrow", "last", "theme", "numbers", "size")


def register(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = add_command(
        commands, "diagram", purpose="draw a position", description=_DESCRIPTION, examples=_EXAMPLES
    )
    add_position(parser)
    parser.add_argument(
        "--moves", metavar="MOVES", default="", help="moves to play first, such as '11-15 23-18'"
    )
    parser.add_argument(
        "--numbering",
        metavar="NUMBERING",
        type=one_of(Numbering),
        default=Numbering.NATIVE,
        help=f"how squares are numbered: {', '.join(Numbering)}",
    )
    parser.add_argument(
        "--svg", metavar="FILE", help="write an SVG image to this file; '-' for standard output"
    )
    _add_options_of_pictures(parser.add_argument_group("image options"))
    parser.set_defaults(run=run)


def _add_options_of_pictures(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--flip", action="store_true", default=None, help="put White at the top")
    group.add_argument(
        "--last", metavar="MOVE", help="show the path of this move (default: the last of --moves)"
    )
    group.add_argument(
        "--mark", metavar="SQUARES", action="append", help="put rings on squares, such as 14,18"
    )
    group.add_argument("--arrow", metavar="MOVE", action="append", help="draw an arrow, such as 14-10")
    group.add_argument("--theme", choices=sorted(THEMES), help="colours (default: light)")
    group.add_argument(
        "--numbers", choices=list(map(str, Numbers)), help="where to write square numbers (default: inside)"
    )
    group.add_argument(
        "--size", metavar="N", type=whole_number(1, _BIGGEST), help="width in pixels (default: scalable)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Draw the position; raises ``CrownheadError`` for invalid input, ``OSError`` if writing fails."""
    if arguments.svg is None:
        useless = [f"--{name}" for name in _OF_PICTURES if getattr(arguments, name) is not None]
        if useless:
            print(f"crownhead diagram: {', '.join(useless)} can only be used with --svg", file=sys.stderr)
            return 2
    position, last = _played(arguments)
    if arguments.svg is None:
        print(diagram.text_diagram(position, arguments.numbering))
        return 0
    picture = position.svg(last_move=last, **_options(arguments, position)) + "\n"
    if arguments.svg == "-":
        sys.stdout.write(picture)
    else:
        Path(arguments.svg).write_text(picture, encoding="utf-8")
    return 0


def _played(arguments: argparse.Namespace) -> tuple[Position, Move | None]:
    """Return the position to draw, and the move whose path to show."""
    position, last = position_of(arguments), None
    for text in arguments.moves.split():
        last = moves.parse(position, text, arguments.numbering)
        position = position.play(last)
    if arguments.last is not None:
        last = Move(moves.read_squares(arguments.last, position.variant, arguments.numbering))
    return position, last


def _options(arguments: argparse.Namespace, position: Position) -> dict[str, Any]:
    """Return the options of the image."""
    paths = [
        moves.read_squares(text, position.variant, arguments.numbering) for text in arguments.arrow or ()
    ]
    long = next((path for path in paths if len(path) != 2), None)
    if long is not None:
        raise CrownheadError(f"expected an arrow between two squares, got {len(long)}")
    options = {
        "flip": arguments.flip,
        "theme": arguments.theme,
        "numbers": arguments.numbers,
        "size": arguments.size,
    }
    return {
        "marks": [square for text in arguments.mark or () for square in _BLANKS.split(text) if square],
        "arrows": paths,
        "numbering": arguments.numbering,
        **{name: value for name, value in options.items() if value is not None},
    }
