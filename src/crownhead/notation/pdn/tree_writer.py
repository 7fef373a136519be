"""Writing game trees as PDN records in the strict grammar, with moves in a chosen style.

Comments and tags are kept with normalised white space, so reading the record gives the same tree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from crownhead.notation import fen, moves
from crownhead.notation.moves import Style
from crownhead.notation.pdn import results
from crownhead.notation.pdn.game_type import variant_tags
from crownhead.notation.pdn.lexer import DEEPEST
from crownhead.notation.pdn.start import start_fen
from crownhead.notation.pdn.tree import GameTree, Node
from crownhead.notation.pdn.writer import escaped_tag, wrapped
from crownhead.rules.errors import NotationError
from crownhead.rules.position import Position

_ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
_STRENGTHS = frozenset("!?")


def write_tree(tree: GameTree, *, style: Style = Style.NATIVE, strict: bool = True) -> str:
    """Return the record of a tree, with moves and positions in a style.

    A ``strict`` record has its result only in the tag and ends with ``*``, as PDN 3.0 requires;
    others end with the result if it is a valid terminator. Raises ``NotationError`` for a comment with
    braces, an invalid annotation, a tag name that PDN does not allow, or too deeply nested variations.
    """
    values = dict(_tags(tree, style))
    ordered = [
        *(name for name in _ROSTER if name in values),
        *(name for name in values if name not in _ROSTER),
    ]
    tags = "\n".join(escaped_tag(name, values[name]) for name in ordered)
    writer = _Writer(tree, style)
    end = results.UNFINISHED if strict or tree.result not in results.SEPARATORS else tree.result
    comments = map(_comment, tree.comments)
    return f"{tags}\n\n{wrapped([*comments, *writer.line(tree.start, tree.line, 1, 0), end])}\n"


def _tags(tree: GameTree, style: Style) -> Iterator[tuple[str, str]]:
    yield "Result", tree.result
    yield from tree.tags.items()
    if "GameType" not in tree.tags and "Variant" not in tree.tags:
        yield from variant_tags(tree.variant, {}).items()
    recorded = tree.tags.get("FEN", "")
    if recorded.strip() or tree.start != Position.start(tree.variant):
        yield "FEN", start_fen(recorded, tree.start, style.numbering)


class _Writer:
    """Turns lines into words of PDN text."""

    def __init__(self, tree: GameTree, style: Style) -> None:
        self._first = tree.variant.start.first
        self._style = style

    def line(self, start: Position, line: Sequence[Node], number: int, depth: int) -> Iterator[str]:
        """Yield the words of a line that starts with move ``number``."""
        if depth > DEEPEST:
            raise NotationError(f"variations at most {DEEPEST} deep", f"{depth} levels")
        before = start
        for index, node in enumerate(line):
            yield from map(_comment, node.before)
            if node.move is not None and before.turn is self._first:
                yield f"{number}."
            elif node.move is not None and index == 0:
                yield f"{number}..."
            yield self._step(before, node)
            yield from self._remarks(before, node, number, depth)
            number += node.move is not None and before.turn is not self._first
            before = node.position

    def _step(self, before: Position, node: Node) -> str:
        if node.move is None:
            return f'/FEN "{fen.write(node.position.setup(), self._style.numbering)}"/'
        if not set(node.strength) <= _STRENGTHS:
            raise NotationError("a strength such as '!?'", node.strength)
        return moves.write(before, node.move, self._style) + node.strength

    def _remarks(self, before: Position, node: Node, number: int, depth: int) -> Iterator[str]:
        yield from (f"${nag}" for nag in node.nags)
        yield from map(_comment, node.comments)
        for variation in node.variations:
            words = list(self.line(before, variation, number, depth + 1))
            if words:
                yield from (
                    (f"({words[0]}", *words[1:-1], f"{words[-1]})") if len(words) > 1 else (f"({words[0]})",)
                )


def _comment(text: str) -> str:
    if "{" in text or "}" in text:
        raise NotationError("a comment without braces", text)
    return f"{{{' '.join(text.split())}}}"
