"""The engine plays rows of one's own by their rules, with no weights and tables of other ones."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest

from crownhead import VARIANTS, CrownheadError, Game, Position, Variant, engine
from crownhead.engine.engine import Engine
from crownhead.engine.hub.server import HubServer
from crownhead.engine.hub.settings import Settings
from crownhead.engine.matches import deck_of, openings_of
from crownhead.engine.signature import POSITIONS
from crownhead.engine.tables import Tables, build
from crownhead.engine.tables.folders import folder_in
from crownhead.engine.training import RULES, TrainingConfig, train
from crownhead.engine.weights import StaleWeights, pack, shipped, unpack
from crownhead.openings import named_openings, opening_name, russian_deck
from crownhead.rules.schema import NOWHERE, Corner, Crowning, Removal, Rules
from crownhead.rules.variants import STOCK
from tests.house_rows import FORWARD_RUSSIAN, ROWS, SMALL, called

every_row = pytest.mark.parametrize("row", ROWS, ids=called)
NAMESAKE = replace(VARIANTS["russian"], key="namesake", name="Namesake")


@every_row
def test_a_search_finds_legal_moves_of_the_row(row: Variant) -> None:
    position = Position.start(row)
    report = engine.analyse(position, depth=4)
    for move in report.pv:
        assert move in position.legal_moves()
        position = position.play(move)
    assert engine.play(Game(row), depth=2) in Position.start(row).legal_moves()
    assert engine.play(Game(row), level=3) in Position.start(row).legal_moves()
    assert asyncio.run(engine.analyse_async(Position.start(row), depth=2)).pv


def test_a_search_goes_by_the_rules_of_the_row() -> None:
    """White's man takes the last black one by the package's rules, and cannot by these."""
    fen = "W:Wc5:Bb4"
    by_package, by_own = (
        engine.analyse(Position.from_fen(fen, row), depth=6).score for row in ("russian", FORWARD_RUSSIAN)
    )
    assert by_package is not None
    assert by_own is not None
    assert by_package.win_in == 1
    assert by_own.win_in is None


def test_an_engine_refuses_positions_of_other_rules() -> None:
    for played, asked in ((FORWARD_RUSSIAN, "russian"), ("russian", FORWARD_RUSSIAN)):
        with pytest.raises(
            ValueError, match="expected a position of russian, got one of other rules with that key"
        ):
            Engine(played, megabytes=1).analyse(Position.start(asked), depth=1)


def test_only_the_same_rules_have_the_weights_of_the_package() -> None:
    assert shipped("russian")
    assert shipped(NAMESAKE) == shipped("russian")
    assert [shipped(row) for row in ROWS] == [b""] * len(ROWS)
    packed = pack(shipped("russian"), "russian")
    assert unpack(packed, NAMESAKE)
    with pytest.raises(StaleWeights, match="expected weights for russian as this engine plays it"):
        unpack(packed, FORWARD_RUSSIAN)


def test_only_the_same_endgames_share_tables(tmp_path: Path) -> None:
    assert folder_in(tmp_path, NAMESAKE) == folder_in(tmp_path, "russian")
    folders = {folder_in(tmp_path, row) for row in (*ROWS, VARIANTS["russian"])}
    assert len(folders) == len(ROWS) + 1
    build(FORWARD_RUSSIAN, 2, str(tmp_path))
    own, stock = Tables(tmp_path, FORWARD_RUSSIAN), Tables(tmp_path, "russian")
    assert (own.most, stock.most) == (2, 0)
    known = Position.from_fen("W:WKa1:Bh8", FORWARD_RUSSIAN)
    assert own.probe(known)
    with pytest.raises(ValueError, match="expected a position of the tables' own variant"):
        stock.probe(known)


def test_openings_of_the_package_are_those_of_its_rules() -> None:
    assert deck_of(NAMESAKE) is not None
    assert deck_of(FORWARD_RUSSIAN) is None
    assert deck_of(replace(VARIANTS["russian"], notation=VARIANTS["italian"].notation)) is not None
    turned = replace(VARIANTS["russian"].notation, first_square=Corner.TOP_RIGHT)
    assert deck_of(replace(VARIANTS["russian"], notation=turned)) is None
    ballot = russian_deck().ballots[5]
    assert russian_deck().find(ballot.position(NAMESAKE)) == ballot
    assert russian_deck().find(Position.start(FORWARD_RUSSIAN)) is None
    named = named_openings().ballots[0]
    assert opening_name(named.position("american")) == named.name
    own = replace(VARIANTS["american"], rules=replace(VARIANTS["american"].rules, removal=Removal.AT_ONCE))
    assert opening_name(named.position(own)) is None
    assert all(position.variant == SMALL for position in openings_of(SMALL, 3))


def test_a_training_folder_keeps_to_one_set_of_rules(tmp_path: Path) -> None:
    config = TrainingConfig(SMALL, rounds=1, games=4, nodes=20, epochs=1, tables=False)
    assert [result.number for result in train(config, tmp_path)] == [0]
    assert unpack((tmp_path / "small-russian.weights").read_bytes(), SMALL)
    assert (tmp_path / RULES).is_file()
    rules: Rules = replace(SMALL.rules, crowning=Crowning.NEVER, king_steps=NOWHERE)
    with pytest.raises(
        CrownheadError, match="expected a folder trained by the rules of small-russian as they are"
    ):
        list(train(replace(config, variant=replace(SMALL, rules=rules)), tmp_path))


def test_the_hub_server_plays_a_row() -> None:
    output = StringIO()
    commands = [
        "hub\n",
        "set-param name=variant value=russian\n",
        "init\n",
        "level depth=2\n",
        "go think\n",
        "quit\n",
    ]
    HubServer(Settings(FORWARD_RUSSIAN), "0", commands=commands, output=output).run()
    assert "ready" in output.getvalue()
    assert "error" not in output.getvalue()


def test_the_signature_is_of_the_package_alone() -> None:
    assert [position.variant_key for position in POSITIONS] == list(STOCK)
