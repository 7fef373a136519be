"""Weights: what is packed comes back, what does not fit is refused, and won endgames are still won."""

from __future__ import annotations

from pathlib import Path

import pytest

from crownhead import VARIANTS, Game, Position
from crownhead._kernel import Trainer
from crownhead.engine import Engine
from crownhead.engine.networks import evaluation
from crownhead.engine.weights import StaleWeights, fingerprint, pack, shipped, unpack
from crownhead.rules.schema import Colour

LEARNED = Path(__file__).parents[2] / "src" / "crownhead" / "engine" / "learned"


def material_weights(variant: str) -> bytes:
    weights: bytes = Trainer(variant).fit([])[0]
    return weights


def test_weights_come_back_as_they_were_packed() -> None:
    material = material_weights("american")
    moved = bytearray(material)
    moved[0:2] = (16 * 300).to_bytes(2, "little", signed=True)
    moved[100:102] = (-16 * 25).to_bytes(2, "little", signed=True)
    content = pack(bytes(moved), "american")
    assert unpack(content, "american") == bytes(moved)
    assert len(content) < 1000


@pytest.mark.parametrize("variant", VARIANTS)
def test_weights_of_the_material_evaluation_play_as_it_does(variant: str) -> None:
    position = Position.start(variant)
    by_weights = Engine(variant, megabytes=1, weights=material_weights(variant)).analyse(position, depth=5)
    material = Engine(variant, megabytes=1, weights=b"").analyse(position, depth=5)
    assert (by_weights.nodes, by_weights.score, by_weights.pv) == (
        material.nodes,
        material.score,
        material.pv,
    )


@pytest.mark.parametrize(
    ("begin", "end", "instead", "said"),
    [
        (0, None, b"", "expected weights that begin with b'CRWH'"),
        (0, 4, b"PNG!", "got b'PNG!'"),
        (4, 5, b"\x09", "format 9"),
        (8, 16, bytes(8), "learned for something else"),
        (16, 20, bytes(4), "damaged"),
        (-9, None, b"", "damaged"),
        (-9, None, bytes(9), "damaged"),
    ],
)
def test_weights_that_are_damaged_or_stale_are_refused(
    begin: int, end: int | None, instead: bytes, said: str
) -> None:
    content = bytearray(pack(material_weights("american"), "american"))
    content[begin:end] = instead
    with pytest.raises(StaleWeights, match=said):
        unpack(bytes(content), "american")


def test_weights_of_other_rules_are_refused() -> None:
    content = pack(material_weights("russian"), "russian")
    with pytest.raises(StaleWeights, match="weights for pool as this engine plays it"):
        unpack(content, "pool")
    assert fingerprint("american") != fingerprint("anti")


def test_weights_of_another_size_are_refused() -> None:
    with pytest.raises(ValueError, match="expected no weights or"):
        Engine("american", megabytes=1, weights=b"1234")


def test_what_ships_is_small_and_belongs_to_variants() -> None:
    files = list(LEARNED.iterdir())
    assert {file.stem for file in files} <= set(VARIANTS)
    assert sum(file.stat().st_size for file in files) < 6_000_000


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_ships_is_loaded_by_default(variant: str) -> None:
    weights = shipped(variant)
    if not weights:
        return
    position = Position.start(variant)
    loaded = Engine(variant, megabytes=1).analyse(position, depth=6)
    given = Engine(variant, megabytes=1, weights=evaluation(variant)).analyse(position, depth=6)
    assert (loaded.nodes, loaded.score) == (given.nodes, given.score)
    assert weights != material_weights(variant)


def test_variants_that_play_alike_share_what_was_learned() -> None:
    assert shipped("pro") == shipped("american") != b""
    assert fingerprint("pro") == fingerprint("american")


@pytest.mark.parametrize(
    ("variant", "fen"),
    [
        ("american", "W:WK15,K23:BK1"),
        ("american", "W:WK18,K22,K23:BK4"),
        ("american", "B:W13,30:B2,K10,K11"),
        ("italian", "W:WK18,K22,K23:BK9"),
        ("turkish", "W:WKd4,Kf6:BKa8"),
    ],
)
def test_a_won_ending_is_won(variant: str, fen: str) -> None:
    attacker, defender = Engine(variant, megabytes=4), Engine(variant, megabytes=4, weights=b"")
    game = Game(variant, start=fen, draw_rules="none")
    winner = game.turn
    while game.outcome() is None and len(game.moves) < 100:
        engine = attacker if game.turn is winner else defender
        move = engine.analyse(game, nodes=20_000).move
        assert move is not None
        game.push(move)
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.winner is Colour(winner)
