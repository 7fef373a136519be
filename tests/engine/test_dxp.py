"""DamExchange: the messages of its description, and games between two of our programs."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from crownhead import Game, Position
from crownhead.engine import Engine
from crownhead.engine.clock import Clock
from crownhead.engine.dxp import messages
from crownhead.engine.dxp.game import Played, accept, invite
from crownhead.engine.dxp.link import Link, called, connected, listening
from crownhead.engine.dxp.messages import (
    Acceptance,
    Answer,
    BackAnswer,
    BackRequest,
    Chat,
    DxpError,
    GameEnd,
    GameRequest,
    MoveMade,
    Reason,
)
from crownhead.rules import Move
from crownhead.rules.schema import Colour


class Quick:
    """Our engine at a depth of three plies, whatever the time."""

    def __init__(self, variant: str) -> None:
        self._engine = Engine(variant, megabytes=2)
        self.variant = self._engine.variant
        self.analyse = self._engine.analyse
        self.stop = self._engine.stop

    def play(
        self,
        subject: Position | Game,
        *,
        seconds: float | None = None,
        depth: int | None = None,
        clock: Clock | None = None,
    ) -> Move:
        assert seconds is None
        assert clock is not None
        assert clock.left > 0
        return self._engine.play(subject, depth=depth or 3)


@contextmanager
def linked() -> Iterator[tuple[Link, Link]]:
    """Two ends of a connection."""
    one, two = (Link(end) for end in socket.socketpair())
    try:
        yield one, two
    finally:
        one.close()
        two.close()


def played(variant: str, *, ours: Colour = Colour.WHITE, moves: int = 0, start: str = "") -> list[Played]:
    """A game between two programs, as the one that offered it saw it, and the other."""
    seen: list[Played] = []
    with linked() as (here, there):

        def answer() -> None:
            other = accept(there, Quick(variant), name="Other")
            if other is not None:
                seen.append(other)

        thread = threading.Thread(target=answer)
        thread.start()
        begin = Position.from_fen(start, variant) if start else None
        mine = invite(here, Quick(variant), ours=ours, minutes=1, moves=moves, start=begin, name="Mine")
        thread.join(60)
    return [mine, *seen]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        # The examples of the description, www.mesander.nl/damexchange/emove.htm and so on.
        ("M0012061100", MoveMade(12, 6, 11)),
        ("M001205250422122320", MoveMade(12, 5, 25, (22, 12, 23, 20))),
        ("B005Z", BackRequest(5, Colour.BLACK)),
        ("K1", BackAnswer(1)),
        ("E10", GameEnd(Reason.LOST)),
        ("E21", GameEnd(Reason.DRAWN, stop=True)),
        ("Chello", Chat("hello")),
        (f"R01{'Mine':32}W060050A", GameRequest("Mine", Colour.WHITE, 60, 50)),
        (f"A{'Other':32}0", Acceptance("Other", Answer.ACCEPTED)),
    ],
)
def test_a_message_is_read_and_written(text: str, message: messages.Message) -> None:
    assert messages.read(text) == message
    assert str(message) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "X",
        "M",
        "M00120611",
        "M001206110199x",
        "M0012061102",
        "E9",
        "R02",
        "R01",
        "B0",
        "C" * 200,
        "Mabcd061100",
    ],
)
def test_what_is_no_message_is_refused(text: str) -> None:
    with pytest.raises(DxpError, match="expected a message of DamExchange"):
        messages.read(text)


def test_a_position_goes_there_and_back() -> None:
    position = Position.from_fen("B:W31,K35:B12,K7", "international")
    text = messages.position_text(position.setup())
    assert len(text) == 51
    assert Position.from_setup(messages.setup_of(text, "international")) == position
    with pytest.raises(DxpError, match="W or Z and 50 squares"):
        messages.setup_of("Wee", "international")


def test_messages_come_whole_however_they_are_cut() -> None:
    one, two = socket.socketpair()
    link = Link(two)
    one.sendall(b"M00120")
    one.sendall(b"61100\0E10\0C")
    assert link.receive(1) == MoveMade(12, 6, 11)
    assert link.receive(1) == GameEnd(Reason.LOST)
    with pytest.raises(DxpError, match="in time"):
        link.receive(0.05)
    one.close()
    with pytest.raises(DxpError, match="hung up"):
        link.receive(1)
    link.close()


def test_what_never_ends_is_no_message() -> None:
    one, two = socket.socketpair()
    one.sendall(b"C" * 5000)
    with pytest.raises(DxpError, match="at most 127"):
        Link(two).receive(1)
    one.close()
    two.close()


@pytest.mark.parametrize("ours", list(Colour))
def test_a_game_is_played_to_its_end(ours: Colour) -> None:
    mine, theirs = played("international", ours=ours)
    assert mine.game.moves == theirs.game.moves
    assert mine.game.result == theirs.game.result != "*"
    assert (mine.opponent, theirs.opponent) == ("Other", "Mine")
    assert theirs.ours is ours.opponent


def test_a_game_in_which_black_begins_is_offered_by_its_position() -> None:
    mine, theirs = played("american", ours=Colour.BLACK)
    assert mine.game.moves == theirs.game.moves
    assert mine.game.result == theirs.game.result != "*"


def test_a_game_begins_from_any_position() -> None:
    mine, theirs = played("international", start="W:WK28,K1:BK50", moves=3)
    assert mine.game.start.fen() == theirs.game.start.fen()


def test_a_game_ends_after_as_many_moves_as_were_agreed() -> None:
    mine, theirs = played("international", moves=4)
    assert len(mine.game.moves) == len(theirs.game.moves) == 8
    assert mine.game.result == "*"


def test_an_illegal_move_is_refused() -> None:
    with linked() as (here, there):
        there.send(Acceptance("Other", Answer.ACCEPTED))
        there.send(MoveMade(0, 1, 2))
        with pytest.raises(DxpError, match="expected a legal move"):
            invite(here, Quick("international"), ours=Colour.BLACK)


def test_a_refused_game_raises_an_error() -> None:
    with linked() as (here, there):
        there.send(Acceptance("Other", Answer.REFUSED))
        with pytest.raises(DxpError, match="Other refuses"):
            invite(here, Quick("international"), ours=Colour.WHITE)


def test_chat_is_ignored_and_a_request_to_go_back_is_refused() -> None:
    with linked() as (here, there):
        for message in (Chat("hello"), BackRequest(1, Colour.WHITE), Acceptance("Other", Answer.ACCEPTED)):
            there.send(message)
        there.send(GameEnd(Reason.LOST))
        game = invite(here, Quick("international"), ours=Colour.BLACK).game
        assert game.result == "0-1"
        heard = [there.receive(1) for _ in range(3)]
    assert heard[1:] == [BackAnswer(1), GameEnd(Reason.WON)]


def test_one_listens_and_another_calls() -> None:
    with listening("127.0.0.1", 0) as place:

        def wait() -> None:
            with called(place) as link:
                while accept(link, Quick("international")) is not None:
                    pass

        thread = threading.Thread(target=wait)
        thread.start()
        with connected("127.0.0.1", place.getsockname()[1]) as link:
            for _ in range(2):
                assert len(invite(link, Quick("international"), ours=Colour.WHITE, moves=2).game.moves) == 4
        thread.join(20)
        assert not thread.is_alive()


def test_a_connection_that_nobody_accepts_raises_an_error() -> None:
    with listening("127.0.0.1", 0) as place:
        port = place.getsockname()[1]
        with pytest.raises(DxpError, match="expected to listen"), listening("127.0.0.1", port):
            pass
    with pytest.raises(DxpError, match="expected a program at"), connected("127.0.0.1", port):
        pass
