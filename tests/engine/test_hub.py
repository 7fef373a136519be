"""The Hub protocol: a session as a graphical interface for draughts engines has it."""

from __future__ import annotations

import io
import re
import time
from collections.abc import Iterator

import pytest

from crownhead import IllegalMove, Position
from crownhead.engine.clock import Clock
from crownhead.engine.hub.level import level_of
from crownhead.engine.hub.server import HubServer
from crownhead.engine.hub.syntax import Line, read, read_move, write_move

START = "W" + "b" * 20 + "e" * 10 + "w" * 20


def session(*lines: str, variant: str = "international") -> list[str]:
    """What the engine answers to these lines."""
    output = io.StringIO()
    HubServer(variant, "1.0", commands=io.StringIO("\n".join(lines)), output=output).run()
    return output.getvalue().splitlines()


def test_a_line_is_a_command_with_arguments_that_may_be_quoted() -> None:
    line = read('  pos pos=Wee moves="38-15 5-41"  flag empty="" ')
    assert line == Line("pos", {"pos": "Wee", "moves": "38-15 5-41", "flag": "", "empty": ""})
    assert str(Line("info", {"depth": "3", "pv": "32-28 19-23"})) == 'info depth=3 pv="32-28 19-23"'
    assert read("   ") is None


def test_the_engine_introduces_itself_and_gets_ready() -> None:
    answers = session("hub", "set-param name=hash value=1", "init", "quit")
    assert answers[0].startswith("id name=Crownhead version=1.0")
    assert any(answer.startswith("param name=variant value=international type=enum") for answer in answers)
    assert answers[-2:] == ["wait", "ready"]


def test_a_search_sends_its_reports_and_ends_with_a_legal_move() -> None:
    output = io.StringIO()

    def commands() -> Iterator[str]:
        yield from ("init", f"pos pos={START}", "level depth=5", "go think")
        for _ in range(600):
            if "done" in output.getvalue():
                return
            time.sleep(0.05)

    HubServer("international", "1.0", commands=commands(), output=output).run()
    answers = output.getvalue().splitlines()
    informed = [line for line in map(read, answers) if line is not None and line.command == "info"]
    assert [line.arguments["depth"] for line in informed] == ["1", "2", "3", "4", "5"]
    done = re.fullmatch(r"done move=(\S+) ponder=\S+", answers[-1])
    assert done
    start = Position.start("international")
    assert read_move(start, done[1]) in start.legal_moves()


def test_captures_are_written_with_all_pieces_taken_in_any_order() -> None:
    position = Position.from_fen("W:W28:B22,23,12,13", "international")
    for move in position.legal_moves():
        text = write_move(move)
        origin, target, *taken = text.split("x")
        assert read_move(position, "x".join((origin, target, *reversed(taken)))) == move
    with pytest.raises(IllegalMove, match="it must be one of"):
        read_move(position, "28-22")


def test_nonsense_is_answered_with_an_error_and_the_session_continues() -> None:
    answers = session(
        "go think", "pos pos=Wxx", "level depth=deep", "set-param name=hash value=0", "nonsense", "ping"
    )
    assert [answer.split()[0] for answer in answers] == ["error", "error", "error", "error", "pong"]


def test_a_level_is_a_depth_a_time_or_a_share_of_a_clock() -> None:
    assert level_of({"depth": "7"}).depth == 7
    assert level_of({"move-time": "1.5"}).seconds == 1.5
    assert level_of({"infinite": ""}).is_infinite
    by_clock = level_of({"time": "60", "inc": "5", "moves": "10"})
    assert by_clock.allowance == Clock(60, 5, 10).allowance


def test_pondering_continues_until_the_move_comes() -> None:
    answers = session(
        "init", f"pos pos={START}", "level move-time=0.05", "go ponder", "ponder-hit", "stop", "quit"
    )
    assert answers[-1].startswith("done move=")
