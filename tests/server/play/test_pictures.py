"""Pictures of positions by address: what they show, how they are kept, and who may see them."""

from __future__ import annotations

import itertools
import re
import struct
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from crownhead import VARIANTS, Position
from crownhead.notation.svg import THEMES
from crownhead.server.accounts.models import User
from crownhead.server.play.draws.services import resign
from crownhead.server.play.presenters.board import png as board_png
from crownhead.server.play.presenters.board import strokes
from tests.server.conftest import PASSWORD
from tests.server.crafted.adversary import full_of_kings
from tests.server.play.factories import NOW, api_of, make_game, play_moves, slug

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def _size(png: bytes) -> tuple[int, int]:
    assert png.startswith(SIGNATURE)
    width, height = struct.unpack(">II", png[16:24])
    return width, height


@pytest.mark.parametrize("numbering", ["native", "numeric", "algebraic", "mirrored", "from-a1"])
def test_all_that_is_written_on_boards_can_be_drawn_without_a_font(numbering: str) -> None:
    for key in VARIANTS:
        for numbers in ("inside", "outside"):
            svg = Position.start(key).svg(numbers=numbers, numbering=numbering)
            written = "".join(re.findall(r"<text[^>]*>([^<]*)</text>", svg))
            assert written
            assert set(written) <= set(strokes.GLYPHS), key


def test_a_picture_is_as_wide_as_it_is_asked_for_and_shows_numbers() -> None:
    start = Position.start("international")
    bare, numbered = start.svg(numbers="none"), start.svg(numbers="inside")
    assert _size(board_png.png(bare, 200)) == (200, 200)
    assert _size(board_png.png(bare)) == (board_png.USUAL, board_png.USUAL)
    assert board_png.png(bare, 200) != board_png.png(numbered, 200)
    points = Position.start("alquerque").svg(numbers="inside")
    assert board_png.png(points, 200) != board_png.png(Position.start("alquerque").svg(numbers="none"), 200)


@pytest.mark.parametrize("key", VARIANTS)
def test_a_crowded_board_has_a_smaller_picture_and_hardly_any_beginning_of_a_game_is_one(key: str) -> None:
    """Drawing it lets no other request go on, and takes as long as its edges are, in pixels."""
    for numbers, theme in zip(("none", "inside", "outside"), itertools.cycle(THEMES), strict=False):
        start = Position.start(key).svg(numbers=numbers, theme=theme)
        is_full = key == "hawaiian"  # whose first moves take men away
        assert _size(board_png.png(start))[0] == (board_png.CROWDED if is_full else board_png.USUAL)
        kings = full_of_kings(key).svg(numbers=numbers, theme=theme)
        edges = kings.count("<circle") * _size(board_png.png(kings))[0]
        assert edges <= board_png.SHAPES * board_png.USUAL
    assert _size(board_png.png(kings, 100))[0] == 100


@pytest.mark.django_db
def test_any_moment_of_a_game_has_an_address_in_each_form(client: Client, alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15", "22-18")
    path, start = f"/games/{game.public_id}", Position.start("american")
    assert client.get(f"{path}.fen?ply=1").content.decode().strip() == start.play("11-15").fen()
    assert client.get(f"{path}.fen").content.decode().strip() == start.play("11-15").play("22-18").fen()
    svg = client.get(f"{path}.svg?ply=0&theme=dark&numbers=none").content.decode()
    assert svg == start.svg(theme="dark", numbers="none")
    png = client.get(f"{path}.png?ply=1&flip=1&size=120")
    assert png.headers["Content-Type"] == "image/png"
    assert _size(png.content) == (120, 120)
    assert png.content != client.get(f"{path}.png?ply=1&size=120").content
    over_api = api_of().get(f"{path}.png", ply=1, flip=1, size=120)
    assert over_api.content == png.content
    for kind in ("svg", "png", "fen"):
        assert client.get(f"{path}.{kind}?ply=3").status_code == 404
        assert client.get(f"{path}.{kind}?ply=x").status_code == 422
    assert client.get("/games/nosuchgame00.png").status_code == 404
    assert slug(api_of().get(f"{path}.png", size=1201)) == "unprocessable"


@pytest.mark.django_db
def test_what_has_not_changed_is_neither_drawn_nor_sent_again(client: Client, alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    path = f"/games/{game.public_id}.png?size=100"
    first = client.get(path)
    assert "no-cache" in first.headers["Cache-Control"]
    known = {"If-None-Match": first.headers["ETag"]}
    again = client.get(path, headers=known)
    assert (again.status_code, again.content) == (304, b"")
    play_moves(game, "11-15")
    changed = client.get(path, headers=known)
    assert changed.status_code == 200
    assert changed.content != first.content
    resign(user=bob, game_id=game.public_id, now=NOW)
    over = client.get(path)
    assert over.headers["Cache-Control"] == "public, max-age=86400"
    assert over.headers["Cross-Origin-Resource-Policy"] == "cross-origin"


@pytest.mark.django_db
def test_pictures_of_a_hidden_game_are_for_its_players_and_no_cache_in_between(
    client: Client, alice: User, bob: User
) -> None:
    game = make_game(alice, bob, hidden=True)
    for kind in ("svg", "png", "fen"):
        assert client.get(f"/games/{game.public_id}.{kind}").status_code == 404
    client.login(username="alice", password=PASSWORD)
    for kind in ("svg", "png", "fen"):
        answer = client.get(f"/games/{game.public_id}.{kind}")
        assert answer.status_code == 200
        assert "private" in answer.headers["Cache-Control"]
        assert "Cookie" in answer.headers["Vary"]


@pytest.mark.django_db
def test_any_position_has_a_picture_in_pixels(client: Client) -> None:
    answer = client.get("/diagram.png", {"variant": "russian", "fen": "W:Wc3,Ke1:Bf6", "size": "160"})
    assert _size(answer.content) == (160, 160)
    assert "max-age=86400" in answer.headers["Cache-Control"]
    assert client.head("/diagram.png").status_code == 200
    assert client.post("/diagram.png").status_code == 405


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("query", "what"),
    [
        ({"fen": "W:W99:B1"}, "99"),
        ({"variant": "chess"}, "chess"),
        ({"size": "39"}, "size: Enter a whole number from 40 to 400."),
        ({"size": "99999999"}, "size"),
        ({"theme": "plaid"}, "plaid"),
        ({"numbering": "roman"}, "roman"),
    ],
)
def test_what_cannot_be_drawn_is_reported_in_plain_words(client: Client, query: Any, what: str) -> None:
    answer = client.get("/diagram.png", query)
    assert answer.status_code == 422
    assert answer.headers["Content-Type"].startswith("text/plain")
    assert what in answer.content.decode()


@pytest.mark.django_db
def test_pictures_in_pixels_have_a_limit_of_their_own(client: Client, settings: Settings) -> None:
    settings.LIMITS = {**settings.LIMITS, "pictures": "1/h"}
    assert client.get("/diagram.png?size=50").status_code == 200
    refused = client.get("/diagram.png?size=50")
    assert refused.status_code == 429
    assert int(refused.headers["Retry-After"]) > 0
    assert client.get("/diagram.svg").status_code == 200
