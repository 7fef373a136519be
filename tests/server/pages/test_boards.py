"""The boards of every family: squares, names, marked men, half-made moves by the law, which way round."""

from __future__ import annotations

import json
import re
from urllib.parse import quote

import pytest

from crownhead import VARIANTS, Position, Variant
from crownhead.rules.geometry import numbers_by_name
from crownhead.rules.schema import Grid
from crownhead.server.accounts.models import User
from crownhead.server.play.games.options import LiveClock
from tests.server.pages.conftest import Open
from tests.server.pages.window import View
from tests.server.play.factories import make_game

DATA = re.compile(r'<script type="application/json">(.*?)</script>', re.DOTALL)
NO_SHADES = ("turkish", "brainking-turkish", "hawaiian")  # nothing goes diagonally there
EACH = pytest.mark.parametrize("variant", VARIANTS.values(), ids=lambda row: row.key)


def trial(window: Open, variant: str, fen: str = "", **query: str) -> View:
    """The try-out board as a guest without JavaScript sees it."""
    asked = "".join(f"&{name}={quote(value)}" for name, value in query.items())
    return window().get(f"/analysis/?variant={variant}&fen={quote(fen)}{asked}")


def shades(page: View) -> list[str]:
    return re.findall(r'data-shade="(\w+)"', page.html)


@EACH
def test_every_played_square_is_a_named_button_of_its_shade(window: Open, variant: Variant) -> None:
    page, board = trial(window, variant.key), variant.board

    assert page.html.count('role="row"') == board.height
    assert page.html.count('class="square-button"') == board.squares
    found = shades(page)
    match board.grid:
        case Grid.CHECKERED:
            assert set(found) == {"dark"}
        case Grid.FULL if variant.key in NO_SHADES:
            assert set(found) == {"point"}
            assert 'class="lines"' in page.html
            assert "data-stones" in page.html
        case Grid.FULL:
            assert found.count("dark") == found.count("light") == board.squares // 2
        case Grid.LINES:
            assert set(found) == {"point"}
            assert 'class="lines"' in page.html


@EACH
def test_every_piece_of_the_start_is_named_by_side_and_kind(window: Open, variant: Variant) -> None:
    page = trial(window, variant.key)

    for square, piece in Position.start(variant).pieces.items():
        side = "white" if piece.colour.value == "white" else variant.dark_name.lower()
        assert f", {side} {piece.kind.value}" in page.square(square)["aria-label"]
    assert f'data-dark="{variant.dark_name.lower()}"' in page.html


@EACH
def test_the_element_is_told_the_same_moves_as_the_laws(window: Open, variant: Variant) -> None:
    (written,) = DATA.findall(trial(window, variant.key).html)

    data = json.loads(written)

    moves = Position.start(variant).legal_moves()
    assert [tuple(move["path"]) for move in data["legal"]] == [move.path for move in moves]
    assert all(len(move["kinds"]) == len(move["path"]) for move in data["legal"])


def test_the_american_family_says_red_and_the_others_black(window: Open) -> None:
    assert "Red to move." in trial(window, "mule").text
    assert "Black to move." in trial(window, "pool").text
    assert "White to move." in trial(window, "turkish").text


def test_where_all_go_one_way_both_players_see_the_board_alike(window: Open, alice: User, bob: User) -> None:
    game = make_game(alice, bob, variant="one-way")

    boards = [window(user).get(f"/games/{game.public_id}/").html for user in (alice, bob)]

    orders = [re.findall(r'data-square="(\d+)"', board) for board in boards]
    assert orders[0] == orders[1]
    turned = window(bob).get(f"/games/{game.public_id}/?flip=1").html
    assert re.findall(r'data-square="(\d+)"', turned) == orders[0][::-1]


def test_ones_own_strip_is_the_lower_one_even_then(window: Open, alice: User, bob: User) -> None:
    game = make_game(alice, bob, variant="one-way")

    page = window(bob).get(f"/games/{game.public_id}/").text

    assert page.index("alice White") < page.index("bob Black · you")


def test_a_piece_taken_at_once_is_gone_while_the_move_is_under_way(window: Open) -> None:
    # Turkish: d1 takes d2 and has the choice of two more, so the move stops half-way.
    page = trial(window, "turkish", "W:Wd3:Bd4,c5,e5,h8", at=path("turkish", "d3 d5"))

    assert page.square(square("turkish", "d5"))["data-state"] == "selected"
    assert page.square(square("turkish", "d4"))["aria-label"] == "d4, empty"


def test_a_piece_that_stays_till_the_end_is_a_ghost_until_then(window: Open) -> None:
    page = trial(window, "dameo", "W:Wd3:Bd4,c5,e5,h8", at=path("dameo", "d3 d5"))

    assert page.square(square("dameo", "d4"))["aria-label"] == "d4, empty, taken"


def test_a_man_crowned_on_its_way_continues_as_a_king(window: Open) -> None:
    # Russian: b6 takes a man on c7 and is a king on d8, with two ways on.
    page = trial(window, "russian", "W:Wb6:Bc7,e7,g5,h2", at=path("russian", "b6 d8"))

    assert "white king" in page.square(square("russian", "d8"))["aria-label"]


def test_a_parachutist_is_a_man_once_it_has_taken(window: Open) -> None:
    before = trial(window, "parachute", "W:Wa1,Pb8:Ba7,c7,h8", at=path("parachute", "b8"))
    after = trial(window, "parachute", "W:Wa1,Pb8:Bc7,h6", moves="b8xd6")

    assert "white parachutist" in before.square(square("parachute", "b8"))["aria-label"]
    assert "white man" in after.square(square("parachute", "d6"))["aria-label"]


def test_a_capture_that_may_end_on_the_way_waits_to_be_told(window: Open) -> None:
    fen = "W:Wa1:Ba2,a4,h8,h7"

    half = trial(window, "hawaiian", fen, at=path("hawaiian", "a1 a3"))

    assert half.status == 200
    assert "Send it, or continue with the same piece: a5." in half.text
    assert re.search(r'name="move" value="a1xa3"', half.html)
    whole = trial(window, "hawaiian", fen, at=path("hawaiian", "a1 a3 a5"))
    assert whole.status == 302


def test_the_first_pieces_are_taken_off_by_one_touch(window: Open) -> None:
    page = trial(window, "hawaiian")

    off = square("hawaiian", "d5")
    assert page.square(off)["aria-label"] == "d5, black man, can be removed"
    assert page.square(off)["value"] == f"{off}-{off}"
    assert trial(window, "hawaiian", at=f"{off}-{off}").status == 302
    refused = trial(window, "hawaiian", at=path("hawaiian", "b1"))
    assert "Remove one of your own pieces: a8, d5, e4, h1." in refused.text


def test_a_piece_that_was_taken_off_is_announced(window: Open) -> None:
    first = Position.start("hawaiian").legal_moves()[0]
    text = Position.start("hawaiian").notation(first)

    page = trial(window, "hawaiian", moves=text)

    assert "Black removes the piece on a8." in page.text
    assert page.square(first.origin)["aria-label"] == "a8, empty, taken, last move"


def test_a_king_that_has_stepped_too_often_is_explained(window: Open) -> None:
    moves = "46-41 1-6 41-46 6-1 46-41 1-6"

    page = trial(window, "frisian", "W:WK46,35:BK1,20", moves=moves, at="41")

    assert "The king on 41 has moved too many times in a row. Move another piece first." in page.text
    assert json.loads(DATA.findall(page.html)[0])["barred"] == 41


def square(variant: str, name: str) -> int:
    """The number of a square by its name."""
    row = VARIANTS[variant]
    return numbers_by_name(row.board, row.notation)[name]


def path(variant: str, names: str) -> str:
    """Squares by name as an address has them."""
    return "-".join(str(square(variant, name)) for name in names.split())


def laws_of(page: View) -> list[str | dict[str, str]] | None:
    """What the script of the board is told to ask the laws."""
    found = DATA.search(page.html)
    assert found
    laws: list[str | dict[str, str]] | None = json.loads(found[1]).get("laws")
    return laws


def test_a_board_asks_the_laws_where_one_of_several_captures_is_compulsory(window: Open) -> None:
    assert laws_of(trial(window, "american")) is None
    laws = laws_of(trial(window, "spanish"))
    assert laws
    module, row, words = laws
    assert "board_laws" in str(module)
    assert row == "/api/v1/variants/spanish/rules"
    assert isinstance(words, dict)
    assert words["most-kings"] == "The capture that takes the most kings is compulsory."


@pytest.mark.parametrize("variant", ["american", "international"])
def test_only_players_premove_and_ask_the_laws(
    window: Open, alice: User, bob: User, charlie: User, variant: str
) -> None:
    clock = LiveClock(initial=300, increment=0)
    live = make_game(alice, bob, variant=variant, clock=clock, days_per_move=None)
    address = f"/games/{live.public_id}/"
    assert laws_of(window(alice).get(address))
    assert laws_of(window(bob).get(address))
    assert laws_of(window(charlie).get(address)) is None
    assert laws_of(window().get(address)) is None
