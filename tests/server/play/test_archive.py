"""Looking for games, their records in one file, and any moment by its address."""

from __future__ import annotations

import gzip
import json
from contextlib import nullcontext
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client

from crownhead import Position, TooManyCaptures, pdn
from crownhead.rules.budget import capture_budget, captures_left
from crownhead.server.accounts.models import User
from crownhead.server.core import pagination
from crownhead.server.play.api import archive as archive_api
from crownhead.server.play.archive import selectors as archive_selectors
from crownhead.server.play.draws.services import accept_draw, offer_draw, resign
from crownhead.server.play.games.selectors.replay import UNWRITTEN, write_pdn, write_pdn_unreplayed
from crownhead.server.play.models import Game
from tests.server.conftest import Api
from tests.server.play.factories import DAY, NOW, api_of, make_game, play_moves, slug

pytestmark = pytest.mark.django_db


@pytest.fixture
def games(alice: User, bob: User, charlie: User) -> list[str]:
    """Alice's games: won, lost, drawn, one that counts for nothing, and one in progress."""
    made: list[Game] = []
    moves = ("11-15", "22-18", "15x22", "25x18")
    for number, opponent in enumerate((bob, charlie, bob, charlie, bob)):
        game = make_game(alice, opponent, variant="anti" if number == 1 else "american")
        made.append(play_moves(game, *moves) if number < 3 else game)
    won, lost, drawn, nothing, _ = made
    resign(user=bob, game_id=won.public_id, now=NOW)
    resign(user=alice, game_id=lost.public_id, now=NOW + DAY)
    offer_draw(user=alice, game_id=drawn.public_id, now=NOW + 2 * DAY)
    accept_draw(user=bob, game_id=drawn.public_id, now=NOW + 2 * DAY)
    resign(user=charlie, game_id=nothing.public_id, now=NOW + 2 * DAY)
    return [game.public_id for game in made]


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ({}, [0, 1, 2, 3]),
        ({"variant": "anti"}, [1]),
        ({"opponent": "BOB"}, [0, 2]),
        ({"opponent": "alice"}, []),
        ({"result": "won"}, [0, 3]),
        ({"result": "lost"}, [1]),
        ({"result": "drawn"}, [2]),
        ({"result": "annulled"}, [3]),
        ({"since": "2026-03-02"}, [1, 2, 3]),
        ({"until": "2026-03-02"}, [0, 1]),
        ({"since": "0001-01-01", "until": "9999-12-31"}, [0, 1, 2, 3]),
        ({"since": "2026-03-02", "until": "2026-03-02", "opponent": "charlie"}, [1]),
    ],
)
def test_my_finished_games_are_found_by_what_they_were(
    alice: User, games: list[str], query: dict[str, str], wanted: list[int]
) -> None:
    answer = api_of(alice).get("/games", mine=1, status="finished", **query)
    found = {game["id"] for game in json.loads(answer.content)["items"]}
    assert found == {games[number] for number in wanted}
    text = api_of(alice).get("/games.pdn", **query).getvalue().decode()
    assert text.count("[Event ") == len(wanted)
    assert not text or len(list(pdn.read(text))) == len(wanted)


def test_anybody_looks_through_the_games_of_two_players(games: list[str]) -> None:
    answer = api_of().get("/games", opponent="charlie", status="finished", result="annulled")
    assert [game["id"] for game in json.loads(answer.content)["items"]] == [games[3]]
    assert slug(api_of().get("/games", result="won")) == "bad-request"
    assert slug(api_of().get("/games", result="gone")) == "unprocessable"
    assert slug(api_of().get("/games", since="yesterday")) == "unprocessable"
    assert slug(api_of().get("/games.pdn")) == "not-signed-in"


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ({}, [0, 1, 2, 3, 4]),
        ({"status": "playing"}, [4]),
        ({"status": "finished"}, [0, 1, 2, 3]),
        ({"status": "waiting"}, []),
        ({"variant": "anti"}, [1]),
        ({"opponent": "bob"}, [0, 2, 4]),
        ({"opponent": "bob", "status": "finished", "result": "drawn"}, [2]),
        ({"opponent": "nobody"}, []),
        ({"result": "drawn"}, [2]),
        ({"result": "annulled"}, [3]),
        ({"result": "annulled", "status": "playing"}, []),
        ({"since": "2026-03-01"}, [0, 1, 2, 3]),
        ({"until": "2026-03-01"}, [0]),
    ],
)
def test_anybody_finds_games_by_what_they_were_however_few_rows_a_page_looks_at(
    alice: User, games: list[str], query: dict[str, str], wanted: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    Game.objects.filter(public_id=games[4]).update(hidden=True)
    wanted_keys = [games[number] for number in reversed(wanted)]
    for looked_at in (1, 2, 1000):
        monkeypatch.setattr(pagination, "LOOKED_AT", looked_at)
        assert _all_pages(api_of(alice), query) == wanted_keys
        guests = [key for key in wanted_keys if key != games[4]]
        assert _all_pages(api_of(), query) == guests


def _all_pages(api: Api, query: dict[str, str]) -> list[str]:
    keys: list[str] = []
    more: dict[str, str] | None = {}
    while more is not None:
        part = api.get("/games", limit=2, **query, **more).json()
        keys += [row["id"] for row in part["items"]]
        more = {"cursor": part["next"]} if part["next"] else None
    return keys


def test_any_moment_is_had_as_fen_picture_and_record(alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15", "22-18")
    door, path = api_of(), f"/games/{game.public_id}"
    start = Position.start("american")
    assert door.get(f"{path}.fen", ply=0).content.decode().strip() == start.fen()
    assert door.get(f"{path}.fen", ply=1).content.decode().strip() == start.play("11-15").fen()
    assert door.get(f"{path}.fen").content.decode().strip() == start.play("11-15").play("22-18").fen()
    picture = door.get(f"{path}.svg", ply=1, flip=1, theme="print", size=200)
    assert picture.headers["Content-Type"] == "image/svg+xml"
    assert picture.content.startswith(b"<svg")
    assert "1. 11-15 *" in door.get(f"{path}.pdn", ply=1).content.decode()
    for kind in ("fen", "svg"):
        assert slug(door.get(f"{path}.{kind}", ply=3)) == "not-found"
        assert slug(door.get(f"{path}.{kind}", ply=-1)) == "unprocessable"


@pytest.mark.parametrize(("bound", "most"), [("MAX_PLIES", 20), ("MAX_GAMES", 1)])  # 14 plies are a game's
def test_games_too_many_for_one_file_go_on_in_the_next(
    bound: str, most: int, alice: User, games: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    all_of_them = api_of(alice).get("/games.pdn", opponent="bob").getvalue().decode()
    monkeypatch.setattr(archive_selectors, bound, most)
    answer, files = api_of(alice).get("/games.pdn", opponent="bob"), []
    while "Link" in answer:
        files.append(answer.getvalue().decode())
        assert len(files) < 5
        address = answer.headers["Link"].removeprefix("</api/v1").removesuffix('>; rel="next"')
        answer = api_of(alice).get(address)
    files.append(answer.getvalue().decode())
    assert [text.count("[Event ") for text in files] == [1, 1]
    assert "".join(files) == all_of_them
    assert slug(api_of(alice).get("/games.pdn", cursor="x")) == "bad-request"


def test_a_page_of_games_too_many_for_one_file_says_what_to_do(
    alice: User, games: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    client = Client()
    client.force_login(alice)
    monkeypatch.setattr(archive_selectors, "MAX_PLIES", 20)
    page = client.get("/games/finished/all.pdn?opponent=bob", follow=True)
    assert page.redirect_chain == [("/games/finished/?opponent=bob", 302)]
    assert "These games are too many for one file." in page.content.decode()
    file = client.get("/games/finished/all.pdn?opponent=bob&since=2026-03-02")
    assert file.getvalue().decode().count("[Event ") == 1


def test_a_game_of_few_moves_counts_too(
    alice: User, games: list[str], settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive_api, "PLIES_OF_A_PAGE", archive_selectors.PLIES_OF_A_GAME)
    settings.LIMITS = settings.LIMITS | {"pages": "4/10m"}
    statuses = [api_of(alice).get("/games.pdn", result="drawn").status_code for _ in range(5)]
    assert statuses == [200, 200, 200, 200, 429]


def test_a_game_beyond_the_budget_of_captures_spoils_no_file(
    alice: User, games: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its moves are in a comment, as the club keeps them; the other games are as ever."""

    def write(game: Game) -> str:
        with capture_budget(1) if game.public_id == games[0] else nullcontext():
            return write_pdn(game)

    monkeypatch.setattr(archive_selectors, "write_pdn", write)
    records = list(pdn.read(api_of(alice).get("/games.pdn").getvalue().decode()))
    assert [len(record.moves) for record in records] == [0, 4, 4, 0]
    text = api_of(alice).get("/games.pdn", opponent="bob", result="won").getvalue().decode()
    assert f"{{{UNWRITTEN} 11-15 22-18 15x22 25x18}}" in " ".join(text.split())
    assert '[White "bob"]' in text


def test_a_record_up_to_a_moment_has_no_result(alice: User, games: list[str]) -> None:
    text = api_of().get(f"/games/{games[0]}.pdn", ply=2).content.decode()
    assert "1. 11-15 22-18 *" in text
    assert '[Result "*"]' in text


def test_moments_of_a_hidden_game_are_hidden(alice: User, bob: User, charlie: User) -> None:
    game = make_game(alice, bob, hidden=True, now=datetime(2026, 3, 1, tzinfo=UTC))
    for kind in ("fen", "svg", "pdn", "chat"):
        path = f"/games/{game.public_id}" + ("/chat" if kind == "chat" else f".{kind}")
        assert api_of(charlie).get(path).status_code == 404
        assert api_of(alice).get(path).status_code == 200


@pytest.mark.parametrize("path", ["/games/finished/all.pdn", "/api/v1/games.pdn"])
def test_the_records_of_a_file_are_written_as_its_reader_gets_to_them(
    path: str, alice: User, games: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One at a time, each within a budget of its own, which lasts no longer."""
    written: list[bool] = []

    def write(game: Game) -> str:
        written.append(captures_left() is not None)
        return write_pdn(game)

    def write_otherwise(game: Game) -> str:
        written.append(captures_left() is not None)
        return write_pdn_unreplayed(game)

    def refuse(game: Game) -> str:
        written.append(captures_left() is not None)
        raise TooManyCaptures

    monkeypatch.setattr(archive_selectors, "write_pdn", write)
    monkeypatch.setattr(archive_selectors, "write_pdn_unreplayed", write_otherwise)
    client = Client()
    client.force_login(alice)
    answer: Any = client.get(path)
    assert (answer.status_code, written) == (200, [])
    pieces = iter(answer.streaming_content)
    first = next(pieces)
    assert (first.count(b"[Event "), written, captures_left()) == (1, [True], None)
    monkeypatch.setattr(archive_selectors, "write_pdn", refuse)
    rest = b"".join(pieces)
    assert (rest.count(b"[Event "), written) == (3, [True] * 7)


@pytest.mark.parametrize("path", ["/games/finished/all.pdn", "/api/v1/games.pdn"])
def test_a_file_of_many_records_is_compressed_for_who_reads_that(
    path: str, alice: User, games: list[str]
) -> None:
    client = Client()
    client.force_login(alice)
    plain: Any = client.get(path)
    packed: Any = client.get(path, headers={"Accept-Encoding": "gzip, br"})
    assert gzip.decompress(packed.getvalue()) == plain.getvalue()
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in plain.headers["Vary"]
    for name in ("Content-Type", "Content-Disposition", "Cache-Control"):
        assert packed.headers.get(name) == plain.headers.get(name)
    assert client.head(path).getvalue() == b""
