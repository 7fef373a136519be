"""Random game trees of every variant survive writing and reading in every style."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crownhead import VARIANTS, Colour, Game, Position, pdn
from crownhead.notation.pdn import GameTree, Node, PdnError, PdnWarning, Style
from crownhead.notation.pdn.game_type import variant_tags
from crownhead.rules.schema import Variant
from tests.lengths import short_and_full

_WORDS = st.text(
    st.characters(codec="utf-8", exclude_categories=("C", "Z"), exclude_characters="{}"), max_size=6
)
_COMMENTS = st.lists(
    st.lists(_WORDS, max_size=3).map(lambda words: " ".join(filter(None, words))), max_size=2
)
_STRENGTHS = st.sampled_from(["", "", "!", "?", "!?", "?!", "!!"])
_NAGS = st.lists(st.integers(0, 255), max_size=2)


@st.composite
def trees(draw: st.DrawFn, variant: str) -> GameTree:
    """A tree with variations three deep at most, from the start or from a position of play."""
    row, start = VARIANTS[variant], Position.start(variant)
    for _ in range(draw(st.sampled_from([0, 0, 7, 40]))):
        moves = start.legal_moves()
        if not moves:
            break
        start = start.play(draw(st.sampled_from(moves)))
    tags = {
        "Event": draw(_WORDS),
        "Result": draw(st.sampled_from(["*", "1-0", "2-0", "1/2-1/2", "0-1", "?!"])),
    }
    tags |= variant_tags(row, {})
    if start != Position.start(variant):
        tags["FEN"] = start.fen()
    return GameTree(row, start, tags, draw(_COMMENTS), draw(lines(start, 3)))


@st.composite
def lines(draw: st.DrawFn, position: Position, depth: int) -> list[Node]:
    """Return a line of moves with annotations."""
    nodes: list[Node] = []
    for index in range(draw(st.integers(1, 6))):
        before, moves = position, position.legal_moves()
        if not moves:
            break
        move = draw(st.sampled_from(moves))
        position = position.play(move)
        node = Node(position, move, draw(_STRENGTHS), draw(_NAGS), draw(_COMMENTS))
        if depth < 3 and index == 0:
            node.before = draw(_COMMENTS)
        if depth and draw(st.integers(0, 3)) == 0:
            others = [draw(lines(before, depth - 1)) for _ in range(draw(st.integers(1, 2)))]
            node.variations = [line for line in others if line]
        nodes.append(node)
    return nodes


def read_back(text: str, style: Style = Style.NATIVE, variant: str = "american") -> list[GameTree]:
    """Return the trees of a text without errors and warnings."""
    bad: list[PdnError] = []
    messages: list[PdnWarning] = []
    reader = pdn.read_trees(
        io.StringIO(text),
        variant=variant,
        numbering=style.numbering,
        on_error=bad.append,
        on_warning=messages.append,
    )
    found = list(reader)
    assert (bad, messages) == ([], [])
    return found


@pytest.mark.parametrize("examples", short_and_full(6, 60))
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_tree_comes_back_as_it_was(variant: str, examples: int) -> None:
    @settings(max_examples=examples, deadline=None)
    @given(tree=trees(variant), style=st.sampled_from(Style))
    def comes_back(tree: GameTree, style: Style) -> None:
        assert read_back(pdn.write_tree(tree, style=style), style) == [tree]

    comes_back()


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("style", Style)
def test_a_game_comes_back_from_every_style(variant: str, style: Style) -> None:
    start = Position.start(variant)
    for ply in range(6):
        moves = start.legal_moves()
        start = start.play(moves[ply * 5 % len(moves)])
    for game in (Game(variant), Game(variant, start=start)):
        for ply in range(16):
            moves = game.position.legal_moves()
            if not moves:
                break
            game.push(moves[ply * 7 % len(moves)])
        text = pdn.write(game, style=style)
        for source in (text, io.BytesIO(text.encode())):
            (again,) = pdn.read(source, numbering=style.numbering)
            assert (again.start, again.moves) == (game.start, game.moves)
        checked = pdn.check(text, numbering=style.numbering)
        assert len(list(checked)) == checked.good == 1


def test_a_position_in_the_middle_and_a_misprint_are_read_in_the_numbering() -> None:
    text = '1. 22-18 /FEN "B:W1,K32:B12"/ 12-8 *'
    (tree,) = pdn.read_trees(text, variant="american", numbering=pdn.Numbering.MIRRORED)
    assert [node.position.fen() for node in tree.line[1:]] == ["B:WK1,32:B21", "W:WK1,32:B25"]
    reader = pdn.read("1. 22-19 *", variant="american", numbering=pdn.Numbering.MIRRORED)
    assert list(reader) == []
    assert "the piece on 22 can move to 18 or 17" in str(reader.errors[0].cause)


def test_the_strict_grammar_is_kept_for_every_variant_and_style() -> None:
    for row in VARIANTS.values():
        tree = _played(row)
        for style in Style:
            tags, _, body = pdn.write_tree(tree, style=style).partition("\n\n")
            assert all(re.fullmatch(r'\[[A-Z]\w* "[^"\\]*"\]', line, re.ASCII) for line in tags.splitlines())
            word = _grammar(row, style)
            assert [
                text for text in re.sub(r"\{[^{}]*\}", "", body).split() if not word.fullmatch(text)
            ] == []


def _played(row: Variant) -> GameTree:
    """Return sixty plies, some with a variation and a comment."""
    position, nodes = Position.start(row.key), list[Node]()
    for ply in range(60):
        moves = position.legal_moves()
        if not moves:
            break
        before, move = position, moves[ply * 7 % len(moves)]
        position = position.play(move)
        node = Node(position, move, "!?" if ply % 5 == 0 else "")
        if ply % 6 == 0 and len(moves) > 1:
            other = moves[(ply * 7 + 1) % len(moves)]
            node.variations = [[Node(before.play(other), other, nags=[3], comments=["or so"])]]
        nodes.append(node)
    return GameTree(row, Position.start(row.key), {"Result": "1-0"}, ["played"], nodes)


def _grammar(row: Variant, style: Style) -> re.Pattern[str]:
    """A word of a body: PDN 3.0 for writing, with the capture signs that its GameTypes ask for."""
    is_named = style is Style.ALGEBRAIC or (style is Style.NATIVE and row.notation.algebraic)
    square = r"[a-l][1-9]\d?" if is_named or style is Style.SHORT else r"[1-9]\d{0,2}"
    sign = re.escape(row.notation.capture_sign)
    move = rf"{square}(-{square}|({sign}{square})+)"
    if style is Style.SHORT:
        move = rf"({move}|[a-l]{square})"
    return re.compile(rf"\(?(\d+\.|\d+\.\.\.|{move}[!?]*|\$\d+|\*)?\)*", re.ASCII)


def test_a_strict_record_leaves_the_result_to_its_tag() -> None:
    game = Game("international")
    game.resign()
    assert pdn.write(game).startswith('[Result "0-2"]\n')
    assert pdn.write(game).endswith("\n\n*\n")
    (tree,) = read_back(pdn.write(game))
    assert pdn.write_tree(tree) == pdn.write(game)
    assert read_back(pdn.write_tree(tree)) == [tree]


def test_a_record_for_old_readers_ends_with_the_result() -> None:
    game = Game("international")
    game.resign()
    assert pdn.write(game, strict=False).endswith("\n\n0-2\n")
    (tree,) = read_back(pdn.write(game, strict=False))
    assert pdn.write_tree(tree, strict=False) == pdn.write(game, strict=False)


def test_results_are_written_as_the_game_type_has_them() -> None:
    for row in VARIANTS.values():
        game = Game(row)
        game.resign(Colour.BLACK)
        won = row.start.first is Colour.WHITE
        points = ("2-0", "0-2") if row.notation.game_type in (20, 27) else ("1-0", "0-1")
        assert pdn.write(game, strict=False).endswith(f"\n{points[0 if won else 1]}\n")


def test_positions_put_up_within_the_moves_come_back_in_every_variant() -> None:
    for row in VARIANTS.values():
        tree = _played(row)
        first, last = tree.line[0], tree.line[-1]
        put_up = Node(first.position, comments=["again"])
        tree = replace(tree, tags=tree.tags | variant_tags(row, {}), line=[*tree.line, put_up])
        for style in Style:
            assert read_back(pdn.write_tree(tree, style=style), style) == [tree], row.key
        assert last.position != put_up.position
