"""Labels of training data from endgame tables, as far as no draw rule can interfere."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from crownhead import VARIANTS, Position
from crownhead._kernel import Trainer
from crownhead.engine.certainty import certain_wins
from crownhead.engine.tables import Result, Tables, Verdict, build
from crownhead.rules.schema import DrawRules, NoProgressDraw, Progress, RepetitionDraw
from tests.engine.retrograde import values
from tests.engine.test_tables import random_positions

END = struct.Struct("<hBB")  # of a sample: score, half points, turn
WON = 30_000
SURE = 24_000
HALF_POINTS = {1: 2, 0: 1, -1: 0}
SIGNS = {Result.WIN: 1, Result.DRAW: 0, Result.LOSS: -1}


def samples_of(variant: str, positions: list[Position], **options: Any) -> list[bytes]:
    """The training data of a game from each of these."""
    trainer = Trainer(variant)
    content = trainer.play(positions, b"", games=len(positions), nodes=50, random_plies=0, **options)
    return samples_in(content, trainer)


def samples_in(content: bytes, trainer: Trainer) -> list[bytes]:
    """The samples of training data, one by one."""
    size = trainer.sample_size
    return [content[begin : begin + size] for begin in range(0, len(content), size)]


def labels_of(samples: Iterable[bytes]) -> list[tuple[int, int]]:
    """The score and the half points of each."""
    return [END.unpack(sample[-END.size :])[:2] for sample in samples]


def is_quiet(position: Position) -> bool:
    """Neither side could take anything if it were to move."""
    other = Position.from_setup(replace(position.setup(), turn=position.turn.opponent))
    moves = [*position.legal_moves(), *other.legal_moves()]
    return position.outcome() is None and not any(move.captures for move in moves)


def quiet_endgames(variant: str, pieces: int, count: int) -> list[Position]:
    """Quiet endgames with men and kings."""
    return list(islice(filter(is_quiet, random_positions(variant, pieces, 20 * count)), count))


def label_of(verdict: Verdict | None) -> tuple[int, int]:
    """The score and the half points of a verdict."""
    assert verdict is not None
    sign = SIGNS[verdict.result]
    return sign * (WON - (verdict.plies or 0)), HALF_POINTS[sign]


@pytest.mark.parametrize(("variant", "material"), [("american", "k-k"), ("american", "m-k"), ("anti", "k-m")])
def test_a_game_ends_where_retrograde_analysis_knows_the_result(
    variant: str, material: str, tmp_path: Path
) -> None:
    build(variant, 3, tmp_path)
    expected_values = {
        position: value for position, value in values(variant, material).items() if is_quiet(position)
    }
    positions = list(expected_values)[:: len(expected_values) // 300 + 1]
    samples = samples_of(variant, positions, tables=Tables.open(tmp_path, variant).kernel)
    expected = [
        (sign * (WON - plies), HALF_POINTS[sign])
        for sign, plies in map(expected_values.__getitem__, positions)
    ]
    assert labels_of(samples) == expected
    assert len({half_points for _, half_points in expected}) > 1


def test_a_win_that_a_draw_rule_may_overtake_is_no_label() -> None:
    tables, within = Tables.shipped(), [6] * 33
    positions = quiet_endgames("american", 4, 200)
    late = [position for position in positions if 8 < WON - abs(label_of(tables.probe(position))[0]) < 60]
    assert len(late) > 20
    labels = labels_of(samples_of("american", late, tables=tables.kernel, within=within))
    assert labels
    assert all(WON - abs(score) <= 6 for score, _ in labels if abs(score) > SURE)


def test_without_tables_games_are_played_out_as_before() -> None:
    positions = quiet_endgames("american", 4, 20)
    assert len(samples_of("american", positions)) > len(positions)


@pytest.mark.parametrize("variant", ["american", "anti", "russian"])
def test_the_fit_relabels_wrong_results_of_games(variant: str, tmp_path: Path) -> None:
    build(variant, 3, tmp_path)
    tables = Tables.open(tmp_path, variant)
    positions = quiet_endgames(variant, 3, 150)
    right = samples_of(variant, positions, tables=tables.kernel)
    assert labels_of(right) == [label_of(tables.probe(position)) for position in positions]
    wrong = [sample[: -END.size] + END.pack(0, 1, sample[-1]) for sample in right]
    trainer = Trainer(variant)
    fitted, misfitted = (trainer.fit([b"".join(samples)]) for samples in (right, wrong))
    corrected = trainer.fit([b"".join(wrong)], tables=tables.kernel)
    assert corrected[0] == fitted[0] != misfitted[0]
    assert (fitted[2], misfitted[2], corrected[2]) == (0, 0, len(positions))


def test_the_fit_does_not_relabel_what_is_not_certain() -> None:
    tables = Tables.shipped()
    positions = quiet_endgames("american", 4, 60)
    samples = samples_of("american", positions, tables=tables.kernel)
    soon = [score for score, _ in labels_of(samples) if score == 0 or WON - abs(score) <= 10]
    relabelled = Trainer("american").fit([b"".join(samples)], tables=tables.kernel, within=[10] * 33)[2]
    assert 0 < relabelled == len(soon) < len(samples)


def test_tables_of_another_variant_are_refused() -> None:
    tables = Tables.shipped("american").kernel
    with pytest.raises(ValueError, match="tables of the engine's own variant"):
        Trainer("russian").fit([], tables=tables)
    with pytest.raises(ValueError, match="tables of the engine's own variant"):
        Trainer("russian").play([Position.start("russian")], b"", games=1, tables=tables)


@pytest.mark.parametrize(
    ("variant", "pieces", "plies"),
    [
        ("american", 4, 80),  # 40 moves of each without a capture or a man's advance
        ("international", 3, 10),  # 5 moves of each with a king against two
        ("thai", 3, None),
    ],
)
def test_a_win_counts_within_the_shortest_draw_rule(variant: str, pieces: int, plies: int | None) -> None:
    assert certain_wins(VARIANTS[variant].draws, pieces) == plies


def test_where_the_second_repetition_draws_no_win_is_certain() -> None:
    progress = NoProgressDraw(20, frozenset({Progress.CAPTURE}), True, "")
    again = RepetitionDraw(2, True, "")
    assert certain_wins(DrawRules("", "", (progress,)), 2) == 40
    assert certain_wins(DrawRules("", "", (progress, again)), 2) == 0
