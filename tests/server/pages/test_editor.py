"""The set-up mode without JavaScript, its judgement of positions, and the pictures of positions."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest

from crownhead import VARIANTS, Position, Variant
from tests.server.pages.conftest import Open
from tests.server.pages.window import View

EACH = pytest.mark.parametrize("variant", VARIANTS.values(), ids=lambda row: row.key)


def editor(window: Open, variant: str = "american", fen: str = "", **query: str) -> View:
    """The editor as a guest without JavaScript sees it."""
    asked = "".join(f"&{name}={quote(value)}" for name, value in query.items())
    return window().get(f"/analysis/?setup=1&variant={variant}&fen={quote(fen)}{asked}")


def fen_of(page: View) -> str:
    """What the next touch begins with."""
    found = re.search(r'name="fen" value="([^"]*)"', page.html)
    assert found
    return found[1]


@EACH
def test_the_editor_begins_with_the_start_and_its_own_pieces(window: Open, variant: Variant) -> None:
    page = editor(window, variant.key)

    assert page.status == 200
    assert fen_of(page) == Position.start(variant).fen()
    brushes = re.findall(r'name="put" value="(\w+)"', page.html)
    assert brushes[-1] == "none"
    assert len(brushes) == len(set(brushes)) >= 3


def test_a_touch_puts_the_chosen_piece_and_a_second_one_takes_it_off(window: Open) -> None:
    once = editor(window, fen="W:W:B", at="18", put="WK")
    twice = editor(window, fen=fen_of(once), at="18", put="WK")
    other = editor(window, fen=fen_of(once), at="18", put="BM")
    none = editor(window, fen=fen_of(once), at="18", put="none")

    assert [fen_of(page) for page in (once, twice, other, none)] == [
        "W:WK18:B",
        "W:W:B",
        "W:W:B18",
        "W:W:B",
    ]
    assert once.square(18)["aria-label"] == "18, white king"
    assert re.search(r'value="WK" checked', once.html)


def test_the_side_to_move_is_chosen(window: Open) -> None:
    page = editor(window, fen="W:W18:BK9", turn="black")

    assert fen_of(page) == "B:W18:BK9"
    assert "Red to move." in page.text


@pytest.mark.parametrize(
    "query", [{"at": "99"}, {"at": "x"}, {"at": "٣"}, {"at": "7", "put": "XX"}, {"turn": "green"}]
)
def test_nonsense_changes_nothing(window: Open, query: dict[str, str]) -> None:
    page = editor(window, fen="W:W18:BK9", **query)

    assert page.status == 200
    assert fen_of(page) == "W:W18:BK9"


@pytest.mark.parametrize(
    ("variant", "fen", "said"),
    [
        ("american", "W:W40:B1", "This isn't a position we can read: check “40:B1”."),
        ("american", "W:W1" + ",2" * 400, "The FEN is too long"),
        ("chess", "", "There is no variant called “chess”."),
        ("american", "hello", "hello"),
    ],
)
def test_what_cannot_be_read_is_shown_beside_the_start(
    window: Open, variant: str, fen: str, said: str
) -> None:
    page = editor(window, variant, fen)

    assert page.status == 422
    assert said in page.text
    assert fen_of(page) == Position.start("american").fen()


def test_all_that_the_laws_object_to_is_reported_at_once_by_name(window: Open) -> None:
    page = editor(window, "russian", "W:Wb8,d8,Kf8:Ba1")

    assert "This position is not possible in Russian draughts." in page.text
    assert len(re.findall(r"<li>A man of [^<]* it would have been crowned there\.</li>", page.html)) == 3
    assert "A man of White can't stand on d8: it would have been crowned there." in page.text
    assert page.text.count("not allowed here") == 0  # said of squares alone
    assert page.html.count("not allowed here") >= 3
    assert page.text.count("Analyse this position") == 1  # in the template of the script


def test_a_position_that_is_over_says_so(window: Open) -> None:
    assert "White wins: one side has no pieces left." in editor(window, fen="B:W18:B").text


def test_the_board_is_emptied_set_up_again_and_flipped_by_links(window: Open) -> None:
    page = editor(window, fen="W:W18:BK9")

    assert "fen=W%3AW%3AB&quot;" in page.html or "fen=W%3AW%3AB" in page.html
    assert "flip=1" in page.html
    squares = re.findall(r'data-square="(\d+)"', page.html)
    turned = re.findall(r'data-square="(\d+)"', editor(window, fen="W:W18:BK9", flip="1").html)
    assert squares == turned[::-1]


def test_the_moves_lead_to_setting_up_and_back(window: Open) -> None:
    tried = window().get("/analysis/?variant=russian&moves=c3-d4")
    edited = editor(window, fen="W:W18:BK9")

    after = Position.start("russian")
    after = after.play(after.parse("c3-d4"))
    assert f"/analysis/?variant=russian&amp;fen={quote(after.fen(), safe='')}&amp;setup=1" in tried.html
    assert 'href="/analysis/?variant=american&amp;fen=W%3AW18%3ABK9"' in edited.html


@EACH
def test_a_picture_is_that_of_the_library(window: Open, variant: Variant) -> None:
    start = Position.start(variant)

    page = window().get(f"/diagram.svg?variant={variant.key}&fen={quote(start.fen())}&flip=1&numbers=outside")

    assert page.status == 200
    assert page.headers["Content-Type"].startswith("image/svg+xml")
    assert "max-age=" in page.headers["Cache-Control"]
    assert page.html == start.svg(flip=True, numbers="outside")


@pytest.mark.parametrize(
    "query",
    [
        "variant=chess",
        "fen=W:W33:B",
        "fen=W:W1:B",
        "size=0",
        "size=9999999",
        "size=x",
        "theme=x",
        "numbers=x",
    ],
)
def test_a_picture_that_cannot_be_drawn_says_why(window: Open, query: str) -> None:
    page = window().get(f"/diagram.svg?{query}")

    assert page.status == 422
    assert page.headers["Content-Type"].startswith("text/plain")
    assert page.text
