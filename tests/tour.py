"""Asks an installed package for something out of each kind of file that it brings along.

For tests of an installation without a checkout: of the distribution, and ``tests.nightly.wheels``.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from urllib.request import urlopen

from tests.club import Club, Player

# Weights, ballots and endgame tables; then where they came from.
_LIBRARY = """
from pathlib import Path
import crownhead
from crownhead import Position, engine, openings
from crownhead.engine.tables import Tables
from crownhead.engine.weights import shipped

assert shipped("american")
assert engine.analyse(Position.start("american"), depth=1).pv
assert len(openings.three_move_deck().ballots) == 174
assert Tables.shipped("american").probe(Position.from_fen("W:WK1:BK32")) is not None
assert Position.start("american").perft(6) == 36768
print(Path(crownhead.__file__).parent)
"""
# A page each of templates, Markdown of the help, introductions, templates of another library, and scripts.
PAGES = ("/", "/help/", "/questions/", "/rules/american/", "/accounts/signup/", "/api/v1/openapi.json")


def library(python: Path, environment: Mapping[str, str], folder: Path) -> Path:
    """Run the library in a folder that holds nothing of it; where it is installed."""
    command = [str(python), "-c", _LIBRARY]
    done = subprocess.run(command, env=environment, cwd=folder, check=True, capture_output=True, text=True)
    return Path(done.stdout.strip())


def site(club: Club) -> None:
    """Visit pages, fetch every file that the home page names, and play a move."""
    for path in PAGES:
        assert len(_fetched(club, path)) > 1000, path
    home = _fetched(club, "/").decode()
    files = set(re.findall(r'(?:href|src)="(/static/[^"]+|/worker\.js)"', home))
    assert {Path(file).suffix for file in files} >= {".css", ".js"}
    for file in files:
        assert _fetched(club, file), file
    alice, bobby = Player(club.port, "alice"), Player(club.port, "bobby")
    for player in (alice, bobby):
        player.register()
    terms = {"variant": "american", "colour": "first", "days_per_move": 3}
    game = alice.expect(201, "POST", "/games", terms)["id"]
    bobby.expect(200, "POST", f"/waiting-room/{game}/join")
    alice.expect(200, "POST", f"/games/{game}/moves", {"move": "11-15", "version": 0})
    assert _fetched(club, f"/games/{game}.png").startswith(b"\x89PNG")


def _fetched(club: Club, path: str) -> bytes:
    with urlopen(f"{club.address}{path}") as response:
        body: bytes = response.read()
        return body
