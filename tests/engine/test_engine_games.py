"""The engine against itself in every variant for a few seconds; the nightly run reports every fault."""

from __future__ import annotations

import mmap
from collections import Counter
from pathlib import Path

import pytest

from crownhead import VARIANTS, Game, Position
from crownhead.engine import Engine, Report
from tests.nightly.engine_games import WARM_UP, Pace, Round, Tally, main, play_round, resident

BRISK = Pace(clock=5.0, most=0.002, plies=50)


def test_nothing_goes_wrong_in_a_game_of_each_variant() -> None:
    played = play_round(list(VARIANTS), 0, 1, BRISK)
    assert played.faults == ()
    assert sum(played.endings.values()) == len(VARIANTS)


def test_a_clock_that_runs_out_is_reported_with_the_seed_of_the_game(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main("--rounds 1 --variant sparse --seed 7 --clock 0 --increment 0 --processes 1".split()) == 1
    assert "sparse, seed 7: Fault: the clock ran out" in capsys.readouterr().out


def test_a_run_reports_how_its_games_ended(capsys: pytest.CaptureFixture[str]) -> None:
    assert main("--rounds 2 --variant hawaiian --clock 1 --increment 0 --processes 1".split()) == 0
    output = capsys.readouterr().out
    assert "no-moves" in output
    assert "2 games" in output
    assert "0 went wrong" in output


def test_an_illegal_move_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = Position.start("american").play("11-15").play("22-18")  # where Black has to take
    report = Engine("american", megabytes=1).analyse(elsewhere, depth=1)

    def astray(_engine: Engine, _game: Game, **_limits: object) -> Report:
        return report

    monkeypatch.setattr(Engine, "analyse", astray)
    assert "expected a legal move" in play_round(["american"], 0, 1, BRISK).faults[0]


def test_memory_that_grows_is_reported_once_the_process_is_warm() -> None:
    tally = Tally()
    for size in (40.0, 90.0, 91.0, 92.0, 93.0):
        tally.add(Round(0, 1, size))
    assert not list(tally.leaks())
    for size in (130.0, 240.0):
        tally.add(Round(0, 1, size, 10, Counter(draw=1)))
    assert list(tally.leaks()) == [f"process 1 grew by 149 MB in {7 - WARM_UP} rounds"]
    assert "1 went wrong" in tally.report(seconds=1, seed=1)


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the memory is output by Linux alone")
def test_the_memory_of_a_process_is_measured_in_megabytes() -> None:
    before = resident()
    with mmap.mmap(-1, 64 << 20) as held:  # no memory that was in use before
        for page in range(0, len(held), mmap.PAGESIZE):
            held[page] = 1
        assert 50 < resident() - before < 80
