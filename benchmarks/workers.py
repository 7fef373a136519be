"""How reading and moving scale with processes, for results/: `PYTHONPATH=. python benchmarks/workers.py`.

A club of its own is served over loopback with one worker, then with two and so on. The clients are plain
sockets with requests made before: they take a few per cent of the time that they measure. With `--dry` the
figures are only printed.
"""

from __future__ import annotations

import argparse
import os
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from sections import WORKERS, provenance, table, write_section
from tests.club import Club, Player

CLIENTS = 16
SECONDS = 8.0
ROUNDS = 3

Ask = Callable[[socket.socket], None]


@dataclass(frozen=True, slots=True)
class Rate:
    """Requests a second, and the milliseconds within which half and 99 of a hundred are answered."""

    each_second: float
    p50: float
    p99: float


@contextmanager
def served(workers: int) -> Iterator[Club]:
    """A fresh club whose limits are far away."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        data.mkdir()
        (data / "settings.toml").write_text(
            '[limits]\napi = "none"\nmoves = "none"\npages = "none"\noffers = "none"\n'
        )
        club = Club(data, workers=workers)
        club.start()
        try:
            yield club
        finally:
            club.stop()


def a_game(club: Club) -> tuple[Player, str]:
    """A running game of two new members, and one of them."""
    players = [Player(club.port, name) for name in ("anna", "bert")]
    for player in players:
        player.register()
    terms = {"variant": "american", "colour": "first", "days_per_move": 3}
    game = players[0].expect(201, "POST", "/games", terms)
    players[1].expect(200, "POST", f"/waiting-room/{game['id']}/join")
    return players[0], str(game["id"])


def rate(club: Club, path: str, token: str) -> Rate:
    """Ask for one path as fast as it is answered, from `CLIENTS` connections."""
    lines = [f"GET {path} HTTP/1.1", "Host: 127.0.0.1", f"Authorization: Bearer {token}" if token else ""]
    request = ("\r\n".join(line for line in lines if line) + "\r\n\r\n").encode()
    took: list[float] = []
    until = time.monotonic() + SECONDS

    def client() -> None:
        with socket.create_connection(("127.0.0.1", club.port)) as connection:
            while (started := time.monotonic()) < until:
                connection.sendall(request)
                _read_answer(connection)
                took.append(time.monotonic() - started)

    threads = [threading.Thread(target=client) for _ in range(CLIENTS)]
    began = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    passed = time.monotonic() - began
    ordered = sorted(took)
    return Rate(len(took) / passed, 1000 * median(ordered), 1000 * ordered[int(0.99 * len(ordered))])


def _read_answer(connection: socket.socket) -> None:
    """Read one answer whole; fails unless it is 200."""
    data = connection.recv(65536)
    head, _, body = data.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200"), head[:200]
    length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
    left = length - len(body)
    while left > 0:
        left -= len(connection.recv(65536))


def measure(most: int) -> list[list[str]]:
    """The lines of the table: what is read, then the rates by the number of workers."""
    found: dict[str, dict[int, list[Rate]]] = {}
    for _ in range(ROUNDS):
        for workers in range(1, most + 1):
            with served(workers) as club:
                member, game = a_game(club)
                for name, path, token in (
                    ("the game by the API", f"/api/v1/games/{game}", member.token),
                    ("the page of the game, as a guest", f"/games/{game}/", ""),
                    ("the waiting room, as a guest", "/waiting-room/", ""),
                ):
                    found.setdefault(name, {}).setdefault(workers, []).append(rate(club, path, token))
    return [line for name, by_workers in found.items() for line in _lines(name, by_workers)]


def _lines(name: str, by_workers: dict[int, list[Rate]]) -> list[list[str]]:
    middle = {
        workers: sorted(rates, key=lambda each: each.each_second)[len(rates) // 2]
        for workers, rates in by_workers.items()
    }
    return [
        [
            name if workers == 1 else "",
            str(workers),
            f"{each.each_second:.0f}",
            f"× {each.each_second / middle[1].each_second:.2f}",
            f"{each.p50:.0f} ms",
            f"{each.p99:.0f} ms",
        ]
        for workers, each in middle.items()
    ]


def main() -> None:
    """Measure, print, and write the section."""
    parser = argparse.ArgumentParser(description="measure how a club scales with its processes")
    parser.add_argument("--dry", action="store_true", help="print the figures and write nothing")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="the most processes")
    chosen = parser.parse_args()
    lines = measure(chosen.workers)
    for line in lines:
        print(" | ".join(line))
    if not chosen.dry:
        text = f"""{provenance("workers.py")}
{CLIENTS} clients on the same machine ask for one address on SQLite; the median of {ROUNDS} rounds."""
        heads = ["what is read", "workers", "a second", "beside one", "p50", "p99"]
        write_section(WORKERS, f"{text}\n\n{table(heads, lines)}")


if __name__ == "__main__":
    main()
