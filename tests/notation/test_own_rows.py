"""Rows of one's own in every notation: FEN, moves, diagrams, images, Hub strings and PDN."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from random import Random

import pytest

from crownhead import VARIANTS, Game, NotationError, Position, UnknownVariant, Variant, pdn
from crownhead.notation import Numbering, diagram, fen, hub
from crownhead.notation.moves import Style, parse, read_squares, write
from crownhead.notation.numberings import names, numbers
from crownhead.notation.pdn.game_type import type_of
from crownhead.rules.fingerprint import fingerprint
from crownhead.rules.house import register
from crownhead.rules.schema import ORTHOGONALLY
from tests.house_rows import FORWARD_RUSSIAN, ROWS, SMALL, WIDE, called

every_row = pytest.mark.parametrize("row", ROWS, ids=called)


def walk(row: Variant, plies: int = 25) -> Game:
    """A game of random moves."""
    game, dice = Game(row, draw_rules="none"), Random(row.key)
    while len(game.moves) < plies and game.outcome() is None:
        game.push(dice.choice(game.position.legal_moves()))
    return game


@every_row
@pytest.mark.parametrize("numbering", Numbering)
def test_positions_and_moves_go_out_and_come_back(row: Variant, numbering: Numbering) -> None:
    game = walk(row)
    for position, move in zip(game.positions, game.moves, strict=False):
        setup = position.setup()
        assert fen.read(fen.write(setup, numbering), row, numbering) == setup
        assert diagram.read(diagram.text_diagram(position, numbering), row, numbering) == setup
        assert parse(position, write(position, move, numbering), numbering) == move
        assert parse(position, write(position, move, Style.SHORT)) == move
        assert hub.read(hub.write(setup), row) == setup
        assert Position.from_fen(position.fen(), row) == position
        assert Position.from_setup(setup) == position


@every_row
def test_an_image_has_every_square_and_piece(row: Variant) -> None:
    position = Position.start(row)
    image = position.svg(last_move=position.legal_moves()[0], numbers="outside", marks=[1])
    assert image.startswith("<svg")
    assert image.count("<g transform=") == len(position.pieces)


@every_row
def test_games_go_out_and_come_back_with_the_row(row: Variant) -> None:
    game = walk(row)
    text = game.pdn()
    for source in (text, BytesIO(text.encode())):  # the careful reader, and the fast one
        reader = pdn.read(source, variant=row)
        (again,) = list(reader)
        assert reader.errors == []
        assert (again.variant, again.moves, again.positions) == (row, game.moves, game.positions)
    (tree,) = pdn.read_trees(text, variant=row)
    assert tree.variant == row
    assert [game.moves for game in pdn.read(pdn.write_tree(tree), variant=row)] == [game.moves]
    assert pdn.check(text, variant=row).good == 0
    checked = pdn.check(text, variant=row)
    assert list(checked)[-1:] in ([], [1])
    assert (checked.good, checked.bad) == (1, 0)


def test_a_record_never_claims_the_rules_of_another_variant() -> None:
    text = Game(FORWARD_RUSSIAN).pdn()
    assert "GameType" not in text
    assert f'[Variant "russian with rules {fingerprint(FORWARD_RUSSIAN)}"]' in text
    reader = pdn.read(text, variant="russian")
    assert list(reader) == []
    assert isinstance(reader.errors[0].cause, UnknownVariant)
    assert type_of(FORWARD_RUSSIAN) is None
    assert type_of(VARIANTS["russian"]) == "25"


def test_a_record_of_the_package_keeps_its_own_rules() -> None:
    text = Game("russian", start="W:Wc5:Bb4,h8").pdn()
    (game,) = pdn.read(text, variant=FORWARD_RUSSIAN)
    assert game.variant == VARIANTS["russian"]
    (game,) = pdn.read('[Variant "Russian draughts"]\n*', variant=FORWARD_RUSSIAN)
    assert game.variant == VARIANTS["russian"]


def test_records_of_registered_rows_are_read_by_their_tags(house: None) -> None:
    text = walk(SMALL).pdn()
    assert '[Variant "small-russian"]' in text
    register([SMALL])
    (game,) = pdn.read(text)
    assert game.variant == SMALL
    (game,) = pdn.read('[Variant "SMALL RUSSIAN"]\n*')
    assert game.variant == SMALL


def test_squares_have_names_by_row_or_key() -> None:
    assert names(VARIANTS["russian"]) == names("russian")
    assert len(names(SMALL)) == len(set(numbers(SMALL, Numbering.NUMERIC).values())) == 18
    assert names(WIDE)[40] == "40"
    assert read_squares("c5-b6", FORWARD_RUSSIAN) == (14, 9)


def test_what_is_no_move_is_told_with_an_example_of_any_board() -> None:
    along = replace(SMALL.rules, man_steps=ORTHOGONALLY, man_captures=ORTHOGONALLY)
    for row in (*ROWS, replace(SMALL, rules=along)):
        with pytest.raises(NotationError, match="expected a move such as '"):
            Position.start(row).parse("well")
