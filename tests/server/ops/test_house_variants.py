"""A host puts TOML files into the data folder: the club starts with their variants, or says what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from crownhead import Position
from crownhead.rules.house import register
from crownhead.server.accounts.models import User
from crownhead.server.analysis.studies.services import AnalysisRequest, create_study
from crownhead.server.ops.starting import house_variants
from crownhead.server.ops.starting.first_start import CommandError
from crownhead.server.play.models import HouseVariant
from tests.club import Club, Player
from tests.house_rows import SMALL
from tests.server.competitions.factories import make_tournament
from tests.server.conftest import make_user
from tests.server.ops.test_commands import assert_one_line_error, run_crownhead
from tests.server.play.factories import NOW, make_offer
from tests.server.teams.factories import MAIN, make_proposed_match, make_team

SIX = """
[variants.six]
base = "russian"
name = "Six by six"
board = { width = 6, height = 6 }
start = { rows = 2 }
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder with one file of house variants."""
    (tmp_path / "club" / "variants").mkdir(parents=True)
    (tmp_path / "club" / "variants" / "six.toml").write_text(SIX, "utf-8")
    return tmp_path / "club"


@pytest.mark.slow
def test_a_club_plays_the_variants_in_its_data_folder_and_keeps_their_rules(folder: Path) -> None:
    club, file = Club(folder), folder / "variants" / "six.toml"
    club.start()
    ada, ben = Player(club.port, "ada"), Player(club.port, "ben")
    ada.register()
    ben.register()
    assert "six" in {row["key"] for row in ada.expect(200, "GET", "/variants")}
    game = ada.expect(201, "POST", "/games", {"variant": "six", "colour": "first", "days_per_move": 3})
    ben.expect(200, "POST", f"/waiting-room/{game['id']}/join")
    moved = ada.expect(200, "POST", f"/games/{game['id']}/moves", {"move": "b2-a3", "version": 0})
    assert moved["turn"] == "second"
    club.stop()

    file.write_text(SIX.replace('"russian"', '"czech"'), "utf-8")
    for command in ("serve", "web", "worker"):
        refused = run_crownhead(
            command, *(["--port", "0"] if command != "worker" else []), "--data", str(folder)
        )
        assert_one_line_error(
            refused, "House variant six", str(folder / "variants"), "key of their own", status=2
        )
    child = run_crownhead("worker", "--child", "--data", str(folder))
    assert_one_line_error(child, "House variant six", status=2)
    file.unlink()
    refused = run_crownhead("serve", "--port", "0", "--data", str(folder))
    assert_one_line_error(refused, "House variant six", "Put its file back", status=2)

    file.write_text(SIX.replace("Six by six", "Half a dozen"), "utf-8")
    club.start()
    seen = ben.expect(200, "GET", f"/games/{game['id']}")
    assert seen["fen"] == moved["fen"]
    club.stop()


def test_a_bad_file_stops_the_start_with_its_place(folder: Path) -> None:
    file = folder / "variants" / "six.toml"
    file.write_text(SIX.replace("rows = 2", "rows = 5"), "utf-8")
    refused = run_crownhead("serve", "--port", "0", "--data", str(folder))
    expected = f"{file}, [variants.six], start.rows: expected 1 to 2 rows on a board of 6, got 5"
    assert_one_line_error(refused, "Invalid house variant", expected, status=2)
    (folder / "variants" / "again.toml").write_text(SIX, "utf-8")
    file.write_text(SIX.replace("rows = 2", "rows = 1"), "utf-8")
    refused = run_crownhead("admin", "create", "Ada", "--data", str(folder))
    assert_one_line_error(refused, f"{file}: expected a key of its own, got 'six'", status=2)


def test_the_start_notes_the_rules_and_refuses_others(house: None, alice: User) -> None:
    register([SMALL])
    house_variants.remember()
    house_variants.require_unchanged()
    make_offer(alice, variant=SMALL.key)
    HouseVariant.objects.update(fingerprint="another")
    for check in (house_variants.remember, house_variants.require_unchanged):
        with pytest.raises(CommandError, match="House variant small-russian: the files in") as refused:
            check()
        assert refused.value.status == 2


def kept_tournament(alice: User) -> None:
    make_tournament(alice, game=replace(MAIN, variant=SMALL.key, rated=False))


def kept_team_match(alice: User) -> None:
    home, away = make_team(alice), make_team(make_user("dora"), "Red Cats")
    make_proposed_match(home, away, options=replace(MAIN, variant=SMALL.key), boards=1)


def kept_study(_alice: User) -> None:
    fen = Position.start(SMALL).fen()
    query = AnalysisRequest(variant=SMALL.key, fen=fen, moves=(), lines=1, seconds=1)
    create_study(user=None, caller="user:1", query=query, now=NOW)


def kept_game(alice: User) -> None:
    make_offer(alice, variant=SMALL.key)


@pytest.mark.parametrize("keep", [kept_tournament, kept_team_match, kept_study, kept_game])
def test_whatever_is_kept_of_a_variant_keeps_its_rules(
    house: None, alice: User, keep: Callable[[User], None]
) -> None:
    register([SMALL])
    assert not house_variants.is_used(SMALL.key)
    keep(alice)
    assert house_variants.is_used(SMALL.key)
    assert not house_variants.is_used("american")
