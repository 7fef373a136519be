"""The Hub protocol: a session as a graphical interface for draughts engines has it."""

from __future__ import annotations

import io
import re
import time
from collections.abc import Iterator

import pytest

from crownhead import VARIANTS, IllegalMove, Position
from crownhead.engine.clock import Clock
from crownhead.engine.hub.level import level_of
from crownhead.engine.hub.names import hub_names, named
from crownhead.engine.hub.server import HubServer
from crownhead.engine.hub.settings import Settings
from crownhead.engine.hub.syntax import Line, read, read_move, write_move
from crownhead.notation import hub as strings

START = "W" + "b" * 20 + "e" * 10 + "w" * 20


def session(*lines: str, wait: bool = False) -> list[str]:
    """What the engine answers to these lines; with ``wait`` the input ends after its answer to the last."""
    output = io.StringIO()

    def commands() -> Iterator[str]:
        yield from lines
        for _ in range(600 if wait else 0):
            if "done" in output.getvalue():
                return
            time.sleep(0.05)

    HubServer(Settings(), "1.0", commands=commands(), output=output).run()
    return output.getvalue().splitlines()


def test_a_line_is_a_command_with_arguments_that_may_be_quoted() -> None:
    line = read('  pos pos=Wee moves="38-15 5-41"  flag empty="" ')
    assert line == Line("pos", {"pos": "Wee", "moves": "38-15 5-41", "flag": "", "empty": ""})
    assert str(Line("info", {"depth": "3", "pv": "32-28 19-23"})) == 'info depth=3 pv="32-28 19-23"'
    assert read("   ") is None


def test_the_engine_introduces_itself_and_gets_ready() -> None:
    answers = session("hub", "set-param name=hash value=1", "init", "quit")
    assert answers[0].startswith("id name=Crownhead version=1.0")
    parameters = [line for line in map(read, answers) if line is not None and line.command == "param"]
    assert [parameter.arguments["name"] for parameter in parameters] == [
        "variant",
        "hash",
        "threads",
        "tables",
        "ponder",
    ]
    assert parameters[0].arguments["value"] == "normal"
    assert answers[-2:] == ["wait", "ready"]


def test_a_client_that_names_no_variant_means_international_draughts() -> None:
    answers = session("hub", "init", f"pos pos={START} moves=32-28", "level depth=2", "go think", wait=True)
    assert not [answer for answer in answers if answer.startswith("error")]
    move = re.match(r"done move=(\S+)", answers[-1])
    assert move
    after = Position.start("international")
    after = after.play(read_move(after, "32-28"))
    assert read_move(after, move[1]) in after.legal_moves()


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("normal", "international"),
        ("killer", "killer"),
        ("bt", "breakthrough"),
        ("frisian", "frisian"),
        ("losing", "antidraughts"),
        ("brazilian", "brazilian"),
        ("russian", "russian"),
        ("american", "american"),
        ("antidraughts", "antidraughts"),
    ],
)
def test_variants_go_by_the_names_of_the_protocol_and_by_our_keys(name: str, key: str) -> None:
    assert named(name).key == key
    start = strings.write(Position.start(key).setup())
    answers = session(f"set-param name=variant value={name}", "init", f"pos pos={start}", "ping")
    assert answers == ["ready", "pong"]


def test_every_variant_is_offered_once() -> None:
    assert sorted(named(name).key for name in hub_names()) == sorted(VARIANTS)


def test_after_a_refused_position_there_is_nothing_to_search() -> None:
    answers = session("init", f"pos pos={START}", "pos pos=Wxx", "level depth=1", "go think", "ping")
    assert [answer.split()[0] for answer in answers] == ["ready", "error", "error", "pong"]
    assert "the last one was refused" in answers[2]
    answers = session(
        "init", f"pos pos={START} moves=32-99", f"pos pos={START}", "level depth=1", "go", wait=True
    )
    assert answers[1].startswith("error")
    assert answers[-1].startswith("done")


def test_after_a_refused_variant_there_is_nothing_to_search() -> None:
    unknown = "set-param name=variant value=chess"
    answers = session(unknown, "init", f"pos pos={START}", "level depth=1", "go think", "ping")
    assert [answer.split()[0] for answer in answers] == ["error", "ready", "error", "pong"]
    assert "variant" in answers[2]
    known = "set-param name=variant value=normal"
    answers = session(unknown, known, "init", f"pos pos={START}", "level depth=1", "go think", wait=True)
    assert answers[-1].startswith("done")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("pos", "expected pos=…, got none"),
        ("set-param name=hash", "expected value=…, got none"),
        ("set-param name=hash value=x", "expected hash from 1 to 65536, got x"),
        ("set-param name=threads value=257", "expected threads from 1 to 256, got 257"),
        ("set-param name=tables value=maybe", "expected tables to be true or false, got maybe"),
        ("set-param name=book value=true", "expected one of the parameters variant, hash"),
        ("level depth=deep", "expected depth to be a whole number from 1, got deep"),
        ("level move-time=-1", "expected move-time in seconds, got -1"),
        ("level time=nan", "expected time in seconds, got nan"),
        ("level time=60 moves=1.5", "expected moves to be a whole number from 0, got 1.5"),
    ],
)
def test_errors_say_what_was_expected(line: str, words: str) -> None:
    (answer,) = session("init", line)[1:]
    assert answer.startswith("error message=")
    assert words in answer


def test_parameters_change_what_is_done() -> None:
    level = ("level depth=3", "go think")
    assert re.fullmatch(r"done move=\S+ ponder=\S+", session("init", *level, wait=True)[-1])
    quiet = session("set-param name=ponder value=false", "init", *level, wait=True)
    assert re.fullmatch(r"done move=\S+", quiet[-1])
    pondering, not_pondering = (level_of({"time": "60"}, ponders=ponders) for ponders in (True, False))
    assert pondering.allowance is not None
    assert not_pondering.allowance is not None
    assert pondering.allowance.soft > not_pondering.allowance.soft


def test_a_search_sends_its_reports_and_ends_with_a_legal_move() -> None:
    answers = session("init", f"pos pos={START}", "level depth=5", "go think", wait=True)
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
