"""Other engines over the Hub protocol, with our own at the other end."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from crownhead import Game, Position
from crownhead.engine import Engine, Report
from crownhead.engine.analyst import Analyst
from crownhead.engine.clock import Clock
from crownhead.engine.hub.client import HubEngine, HubError

OURS = [sys.executable, "-m", "crownhead.cli", "hub"]


@pytest.fixture(scope="module")
def russian() -> Iterator[HubEngine]:
    with HubEngine(OURS, "russian") as engine:
        yield engine


def test_an_engine_says_its_name(russian: HubEngine) -> None:
    assert russian.name == "Crownhead"


def test_its_result_is_that_of_the_same_engine_here(russian: HubEngine) -> None:
    position = Position.start("russian")
    russian.forget()
    there, here = russian.analyse(position, depth=8), Engine("russian").analyse(position, depth=8)
    assert (there.depth, there.nodes, there.score, there.pv) == (here.depth, here.nodes, here.score, here.pv)


def test_it_is_used_as_our_own_engine_is(russian: HubEngine) -> None:
    def best_move(analyst: Analyst, position: Position) -> str:
        return position.notation(analyst.play(position, depth=4))

    position = Position.start("russian")
    assert best_move(russian, position)
    assert best_move(Engine("russian"), position)


def test_reports_come_during_the_search(russian: HubEngine) -> None:
    reports: list[Report] = []
    russian.analyse(Position.start("russian"), depth=7, on_report=reports.append)
    assert [report.depth for report in reports] == sorted(report.depth for report in reports)
    assert reports


def test_a_whole_game_is_played(russian: HubEngine) -> None:
    game = Game("russian")
    while game.outcome() is None and len(game.moves) < 20:
        game.push(russian.play(game, depth=3))
    assert len(game.moves) == 20


def test_a_forced_end_is_known_as_one() -> None:
    with HubEngine(OURS) as american:
        report = american.analyse(Position.from_fen("W:WK27:B28"), depth=5)  # 27-32 shuts the man in
    assert report.proven
    assert report.score is not None
    assert report.score.win_in == 1


def test_a_search_is_stopped_from_another_thread(russian: HubEngine) -> None:
    started = time.monotonic()
    timer = threading.Timer(0.3, russian.stop)
    timer.start()
    report = russian.analyse(Position.start("russian"), seconds=60)
    assert report.move is not None
    assert time.monotonic() - started < 20


def test_where_the_game_is_over_there_is_nothing_to_ask(russian: HubEngine) -> None:
    with HubEngine(OURS) as american:
        over = Position.from_fen("W:W12:B8,3")
        assert american.analyse(over).lines == ()
        with pytest.raises(ValueError, match="where the game is over"):
            american.play(over)
    with pytest.raises(ValueError, match="expected a position of russian"):
        russian.analyse(over)


def test_a_program_that_is_no_engine_raises_an_error(tmp_path: Path) -> None:
    with pytest.raises(HubError, match="no-such-engine"):
        HubEngine([str(tmp_path / "no-such-engine")])
    with pytest.raises(HubError, match="has ended"):
        HubEngine([sys.executable, "-c", "pass"])
    with pytest.raises(HubError, match="silent"):
        HubEngine([sys.executable, "-c", "import time; time.sleep(30)"], patience=0.5)


def test_an_engine_that_dies_is_reported() -> None:
    deaf = (
        "import sys\n"
        "for line in sys.stdin:\n"
        "    if line.startswith('hub'): print('wait', flush=True)\n"
        "    if line.startswith('init'): print('ready', flush=True)\n"
        "    if line.startswith('go'): sys.exit(1)\n"
    )
    with HubEngine([sys.executable, "-c", deaf]) as engine, pytest.raises(HubError, match="has ended"):
        engine.analyse(Position.start("american"), seconds=1)


def test_an_engine_without_variants_gets_no_variant() -> None:
    single = (
        "import sys\n"
        "for line in sys.stdin:\n"
        "    if line.startswith('hub'): print('id name=One'); print('wait', flush=True)\n"
        "    if line.startswith('set-param'): sys.exit(1)\n"
        "    if line.startswith('init'): print('ready', flush=True)\n"
        "    if line.startswith('go'): print('done move=11-15', flush=True)\n"
    )
    with HubEngine([sys.executable, "-c", single]) as engine:
        report = engine.analyse(Position.start("american"), seconds=1)
        assert report.notations() == ("11-15",)
    with pytest.raises(HubError, match="knows none"):
        HubEngine([sys.executable, "-c", single], called="normal")


def test_an_engine_is_told_the_variant_as_it_names_it_and_the_clock() -> None:
    strict = (
        "import sys\n"
        "expected = {'set-param': 'name=variant value=bt', 'level': 'time=60 inc=2 moves=9'}\n"
        "for line in sys.stdin:\n"
        "    command, _, rest = line.strip().partition(' ')\n"
        "    if command == 'hub':\n"
        "        print('param name=variant type=enum values=\"normal bt\"\\nwait', flush=True)\n"
        "    if rest != expected.get(command, rest): sys.exit(1)\n"
        "    if command == 'init': print('ready', flush=True)\n"
        "    if command == 'go': print('done move=32-28', flush=True)\n"
    )
    with HubEngine([sys.executable, "-c", strict], "breakthrough") as engine:
        start = Position.start("breakthrough")
        assert start.notation(engine.play(start, clock=Clock(60, 2, 9))) == "32-28"
