"""A move that was typed and cannot be played is refused with the reason, on every page with a board."""

from __future__ import annotations

import pytest
from django.test import Client

from crownhead import CrownheadError, Position
from crownhead.server.accounts.models import User
from crownhead.server.play.problems.reasons import why_refused
from tests.server.pages.conftest import Open
from tests.server.play.factories import make_game

AT_START = "B:W21-32:B1-12"


@pytest.mark.parametrize(
    ("fen", "text", "reason"),
    [
        (AT_START, "18-22", "There is no piece on 18."),
        (AT_START, "24-20", "The piece on 24 is your opponent's."),
        (AT_START, "33-29", "There is no such square on this board."),
        (AT_START, "1-5", "The piece on 1 can't move."),
        (AT_START, "11-18", "The piece on 11 can go to 15, 16."),
        (AT_START, "eleven", "Type the squares of a move, such as 9-13."),
        ("B:W6,7,14,15:BK2,4", "eleven", ""),  # 2x2 would be no example
        ("W:W22,24:B17,1", "24-20", "You must jump with 22."),
        ("W:W22,24:B17,1", "22-18", "The piece on 22 must jump to 13."),
        ("B:W6,15,32:B1,28", "1x10", "The jump goes on to 19."),
        ("B:W6,15,32:B1,28", "1x9x19", "No move from 1 to 19 passes these squares."),
        ("B:WK1:B", "2-6", "The game is over."),
        (
            "W:WK3:B5,7,8,14,15,16,25,26",
            "3x17",
            "Several moves fit. Choose one: 3x10x17, 3x12x19x10x17.",
        ),
    ],
)
def test_the_reason_is_a_sentence_for_the_player(fen: str, text: str, reason: str) -> None:
    position = Position.from_fen(fen, "american")
    with pytest.raises(CrownheadError) as refused:
        position.parse(text)

    assert why_refused(refused.value, position) == reason


@pytest.mark.parametrize(
    ("key", "fen", "text", "reason"),
    [
        (
            "international",
            "W:WK9,K37:B14,22,28",
            "9x20",
            "The capture that takes the most pieces is compulsory. You must jump with 37.",
        ),
        (
            "frisian",
            "W:W10,K35:B13,18,20",
            "10x30",
            "The most valuable capture is compulsory, a king counting a little less than two men. "
            "You must jump with 35.",
        ),
        (
            "czech",
            "W:WKg5,b4:Be7,c5,d4",
            "b4xf8",
            "The capture made by a king is compulsory. You must jump with g5.",
        ),
        (
            "spanish",
            "W:W12,K25,26:B7,K15",
            "25x4",
            "The capture that takes the most kings is compulsory. You must jump with 12.",
        ),
        (
            "italian",
            "W:WK11,K28:B1,K15,23",
            "28x12",
            "The capture that takes a king earliest is compulsory. You must jump with 11.",
        ),
    ],
)
def test_a_capture_is_refused_by_the_law_that_decides_for_another(
    key: str, fen: str, text: str, reason: str
) -> None:
    position = Position.from_fen(fen, key)
    with pytest.raises(CrownheadError) as refused:
        position.parse(text)

    assert why_refused(refused.value, position) == reason


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("touched", "said"),
    [
        (9, "The capture that takes the most pieces is compulsory. You must jump with 37."),
        (50, "You must jump with 37."),
    ],
)
def test_a_touched_piece_is_refused_by_the_law_that_decides_for_another(
    window: Open, touched: int, said: str
) -> None:
    page = window().get(f"/analysis/?variant=international&fen=W:WK9,K37,50:B14,22,28&at={touched}")
    assert f'<p class="hint" data-hint>{said}</p>' in page.html


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("query", "said"),
    [
        (
            "variant=american&fen=W:W1,31:B2",
            "This position is not possible in American checkers. "
            "A man of White can't stand on 1: it would have been crowned there.",
        ),
        (
            "variant=russian&fen=B:Wc3:Ba1",
            "This position is not possible in Russian draughts. "
            "A man of Black can't stand on a1: it would have been crowned there.",
        ),
        ("fen=zzz", "This isn't a position we can read: check “zzz”. Example: W:W21,22,K30:B1,2"),
        ("fen=W", "This isn't a position we can read: its end is missing. Example: W:W21,22,K30:B1,2"),
        ("variant=rusian", "There is no variant called “rusian”. Did you mean Russian draughts?"),
        ("variant=xyz", "There is no variant called “xyz”."),
        ("moves=11-15+22-13", "“22-13” is not legal here. The piece on 22 can go to 17, 18."),
        ("moves=eleven", "“eleven” is not legal here. Type the squares of a move, such as 9-13."),
    ],
)
def test_an_address_that_cannot_be_read_is_answered_in_plain_words(
    window: Open, query: str, said: str
) -> None:
    page = window().get(f"/analysis/?{query}")

    assert page.status == 422
    assert said in page.text
    assert "expected" not in page.text


@pytest.mark.django_db
def test_programs_are_told_in_the_words_of_the_library(client: Client, alice: User) -> None:
    client.force_login(alice)
    body = {"variant": "american", "fen": "zzz"}
    answer = client.post("/api/v1/analyses", body, content_type="application/json")

    assert answer.status_code == 422
    assert answer.json()["detail"] == "expected the side to move, 'W' or 'B', got 'zzz' at column 1"


@pytest.mark.django_db
def test_a_board_of_ones_own_keeps_its_moves_and_says_why(window: Open) -> None:
    page = window().get("/analysis/?moves=11-15&move=22-13")

    assert page.status == 422
    assert "That move is not legal here. The piece on 22 can go to 17, 18." in page.text
    assert page.square(15)["aria-label"] == "15, red man, last move"


@pytest.mark.django_db
def test_the_planner_keeps_its_line_and_says_why(window: Open, alice: User, bob: User) -> None:
    game = make_game(alice, bob)

    page = window(bob).get(f"/games/{game.public_id}/plan/?line=11-15&move=22-13")

    assert page.status == 422
    assert "That move is not legal here. The piece on 22 can go to 17, 18." in page.text
    assert page.square(15)["aria-label"] == "15, red man, last move"


@pytest.mark.django_db
def test_the_page_of_a_game_keeps_what_was_typed(window: Open, alice: User, bob: User) -> None:
    game = make_game(alice, bob)

    page = window(alice).post(f"/games/{game.public_id}/", {"do": "move", "move": "11-18", "version": "0"})

    assert page.status == 422
    assert 'name="move" value="11-18"' in page.html
