"""A running server: pages, static files, the API and the event stream on one port."""

from __future__ import annotations

import http.client
import re
import signal
import socket
import time
from collections.abc import Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener

import pytest

from tests.club import Club, Player

PATIENCE = 30  # seconds


@pytest.fixture(
    scope="module",
    params=[pytest.param(1, marks=pytest.mark.nightly), 3],  # browsers drive a server of one
    ids=["one process", "three workers"],
)
def club(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Club]:
    running = Club(tmp_path_factory.mktemp("host") / "club", workers=request.param)
    running.start()
    yield running
    assert running.stop() == 0
    assert "Traceback" not in running.log()


@pytest.fixture(scope="module")
def players(club: Club) -> tuple[Player, Player]:
    both = (Player(club.port, "alice"), Player(club.port, "bobby"))
    for player in both:
        player.register()
    return both


class Stream:
    """An open event stream."""

    def __init__(self, club: Club, path: str, **headers: str) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", club.port, timeout=PATIENCE)
        self.connection.request("GET", path, headers={k.replace("_", "-"): v for k, v in headers.items()})
        self.response = self.connection.getresponse()
        self.text = ""

    def until(self, text: str) -> str:
        """Everything received once `text` is in it; fails after half a minute."""
        deadline = time.monotonic() + PATIENCE
        while text not in self.text:
            assert time.monotonic() < deadline, self.text
            self.text += self.response.fp.readline().decode()
        return self.text

    def close(self) -> None:
        """Close the connection."""
        self.response.close()
        self.connection.close()


def page(club: Club, path: str, **headers: str) -> tuple[http.client.HTTPResponse, str]:
    """GET a page: the response and its text."""
    connection = http.client.HTTPConnection("127.0.0.1", club.port, timeout=30)
    connection.request("GET", path, headers=headers)
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    return response, text


def make_game(players: tuple[Player, Player]) -> Any:
    """A running game between the two players."""
    terms = {"variant": "american", "colour": "first", "days_per_move": 3}
    game = players[0].expect(201, "POST", "/games", terms)
    return players[1].expect(200, "POST", f"/waiting-room/{game['id']}/join")


def test_an_event_follows_the_move_by_itself(club: Club, players: tuple[Player, Player]) -> None:
    game = make_game(players)
    mine = Stream(club, "/events", Authorization=f"Bearer {players[1].token}")
    watching = Stream(club, f"/api/v1/events?game={game['id']}")
    for stream in (mine, watching):
        stream.until("id: ")
    players[0].expect(
        200, "POST", f"/games/{game['id']}/moves", {"move": "11-15", "version": game["version"]}
    )
    mine.until("event: me\n")
    assert f'"id":"{game["id"]}"' in mine.until('"version":1')
    watching.until('"version":1')
    for stream in (mine, watching):
        stream.close()


def test_a_reconnecting_stream_gets_what_it_missed(club: Club, players: tuple[Player, Player]) -> None:
    game = make_game(players)
    stream = Stream(club, f"/events?game={game['id']}")
    place = re.search(r"id: (\d+)", stream.until("id: ") + stream.until("\n\n"))
    stream.close()
    players[0].expect(
        200, "POST", f"/games/{game['id']}/moves", {"move": "11-15", "version": game["version"]}
    )
    players[1].expect(
        200, "POST", f"/games/{game['id']}/moves", {"move": "22-18", "version": game["version"] + 1}
    )
    assert place
    again = Stream(club, f"/events?game={game['id']}", Last_Event_ID=place[1])
    text = again.until(f'"version":{game["version"] + 2}')
    assert f'"version":{game["version"] + 1}' in text
    again.close()


def test_a_browser_signs_up_and_its_session_opens_the_stream(club: Club) -> None:
    jar = CookieJar()
    browser = build_opener(HTTPCookieProcessor(jar))
    form = browser.open(f"{club.address}/accounts/signup/").read().decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', form)
    assert token
    fields = {
        "csrfmiddlewaretoken": token[1],
        "username": "dora",
        "email": "dora@club.example",
        "password1": "a quiet corner",
    }
    home = browser.open(f"{club.address}/accounts/signup/", urlencode(fields).encode()).read().decode()
    assert "Welcome, dora." in home
    cookies = {cookie.name: cookie for cookie in jar}
    assert cookies["sessionid"].has_nonstandard_attr("HttpOnly")
    stream = Stream(club, "/events", Cookie=f"sessionid={cookies['sessionid'].value}")
    assert stream.response.status == 200
    stream.until("id: ")
    stream.close()


def test_a_game_that_does_not_exist_cannot_be_watched(club: Club) -> None:
    response, text = page(club, "/events?game=nothing")
    assert response.status == 404
    assert response.headers["Content-Type"] == "application/problem+json"
    assert "nothing" in text


def test_static_files_are_compressed_and_cached_forever_under_hashed_names(club: Club) -> None:
    _, text = page(club, "/accounts/login/")
    sheets = re.findall(r'(?:href|src)="(/static/[^"]+\.(?:css|js))"', text)
    assert sheets
    for sheet in sheets:
        assert re.search(r"\.[0-9a-f]{12}\.(css|js)$", sheet), sheet
        response, _ = page(club, sheet)
        assert response.status == 200, sheet
        assert "immutable" in response.headers["Cache-Control"]
    connection = http.client.HTTPConnection("127.0.0.1", club.port, timeout=30)
    connection.request("GET", sheets[0], headers={"Accept-Encoding": "gzip"})
    assert connection.getresponse().headers["Content-Encoding"] == "gzip"
    connection.close()


def test_javascript_modules_import_urls_that_exist(club: Club) -> None:
    _, text = page(club, "/accounts/login/")
    pending = re.findall(r'<script type="module" src="([^"]+)"', text)
    seen: set[str] = set()
    while pending:
        path = pending.pop()
        if path in seen:
            continue
        seen.add(path)
        response, source = page(club, path)
        assert response.status == 200, path
        for relative in re.findall(r'\b(?:from|import)\s*\(?"(\.[^"]+)"', source):
            pending.append(str(Path("/", *Path(path).parent.parts[1:], relative).resolve()))
    assert len(seen) > 1


def test_e_mail_is_written_to_the_data_folder(club: Club, players: tuple[Player, Player]) -> None:
    messages = "".join(file.read_text() for file in (club.data / "mail").iterdir())
    assert "Confirm your e-mail address" in messages
    assert f"http://127.0.0.1:{club.port}/accounts/confirm-email/" in messages


def test_a_malformed_request_does_not_stop_the_server(club: Club) -> None:
    for data in (
        b"\x00\xff\xfe\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST /api/v1/tokens HTTP/1.1\r\n\r\n",
    ):
        with socket.create_connection(("127.0.0.1", club.port), timeout=5) as line:
            line.sendall(data)
            line.recv(4096)
    assert page(club, "/health")[0].status == 200


@pytest.mark.parametrize(
    "path", ["/%00", "/%ff%fe", "/a%2fb", "/events%00", "/?%ff=%00", "/..%2f..%2fetc/passwd"]
)
def test_a_malformed_url_is_not_a_server_error(club: Club, path: str) -> None:
    response, _ = page(club, path)
    assert response.status < 500


def test_a_slow_client_does_not_block_others(club: Club) -> None:
    with socket.create_connection(("127.0.0.1", club.port), timeout=5) as slow:
        slow.sendall(b"POST /api/v1/tokens HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{")
        assert page(club, "/health")[0].status == 200
        slow.setblocking(False)
        with pytest.raises(BlockingIOError):  # it is still being waited for
            slow.recv(1)


def test_an_open_stream_does_not_keep_the_server_from_stopping(tmp_path: Path) -> None:
    club = Club(tmp_path / "club")
    club.start()
    player = Player(club.port, "alice")
    player.register()
    stream = Stream(club, "/events", Authorization=f"Bearer {player.token}")
    stream.until("id: ")
    assert club.process is not None
    club.process.send_signal(signal.SIGINT)
    assert club.process.wait(PATIENCE) == 0
    assert "graceful shutdown exceeded" not in club.log()  # what the server says when it gives up waiting
    stream.close()


def test_data_survives_a_restart(tmp_path: Path) -> None:
    club = Club(tmp_path / "club")
    club.start()
    player = Player(club.port, "alice")
    player.register()
    club.kill()
    club.start()
    assert player.expect(200, "GET", "/me")["username"] == "alice"
    assert club.stop() == 0
