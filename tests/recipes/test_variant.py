"""The recipe for a variant is followed to the letter; site, API and command line then have it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.club import Club, Player
from tests.recipes.copies import Copy
from tests.recipes.page import RECIPES

PAGE = RECIPES / "adding_a_variant.md"
KEY, NAME = "nursery", "Nursery draughts"


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    """The tree after the recipe."""
    copy = Copy(tmp_path / "house")
    copy.follow(PAGE)
    return copy


@pytest.mark.nightly
def test_the_recipe_works_to_the_letter(copy: Copy, tmp_path: Path) -> None:
    legal = ["crownhead", "legal", "--variant", KEY]
    told = subprocess.run(legal, env=copy.environment, capture_output=True, text=True, check=True)
    assert len(told.stdout.splitlines()) == 5
    club = Club(
        tmp_path / "data",
        environment={name: copy.environment[name] for name in ("PATH", "PYTHONPATH")},
        python=str(copy.python),
    )
    club.start()
    try:
        shown_on_the_site(club)
        played_by_the_api(club)
    finally:
        club.stop()


def shown_on_the_site(club: Club) -> None:
    """The rules and the form for a new game have it."""
    rules = club.page(f"/rules/{KEY}/")
    assert f"<h1>{NAME}</h1>" in rules
    assert "Nursery draughts is a game for the first evening." in rules
    assert f'href="/rules/{KEY}/"' in club.page("/rules/")
    assert f'value="{KEY}"' in club.page("/new/")
    assert "on a board of six by six with six men a side" in club.page(f"/new/?variant={KEY}")


def played_by_the_api(club: Club) -> None:
    """Two people play a move of it."""
    ada, ben = Player(club.port, "ada"), Player(club.port, "ben")
    ada.register()
    ben.register()
    (row,) = [row for row in ada.expect(200, "GET", "/variants") if row["key"] == KEY]
    assert row["name"] == NAME
    wanted = {"variant": KEY, "colour": "first", "days_per_move": 3}
    game_id = ada.expect(201, "POST", "/games", wanted)["id"]
    game = ben.expect(200, "POST", f"/waiting-room/{game_id}/join")
    assert len(game["legal_moves"]) == 5
    move = {"move": game["legal_moves"][0]["notation"], "version": game["version"]}
    assert len(ada.expect(200, "POST", f"/games/{game_id}/moves", move)["moves"]) == 1
