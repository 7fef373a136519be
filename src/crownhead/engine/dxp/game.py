"""A game between our engine and another program over a DamExchange connection.

The side to move either moves or ends the game, and the other confirms the end. Our rules decide here; where
they see no end, the word of the other program is taken.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from crownhead.engine.analyst import Analyst
from crownhead.engine.clock import Clock
from crownhead.engine.dxp.link import Link
from crownhead.engine.dxp.messages import (
    Acceptance,
    Answer,
    BackAnswer,
    BackRequest,
    Chat,
    ConnectionClosed,
    DxpError,
    GameEnd,
    GameRequest,
    Message,
    MoveMade,
    Reason,
    position_text,
    setup_of,
)
from crownhead.rules import Move, Position
from crownhead.rules.errors import CrownheadError
from crownhead.rules.game import Game
from crownhead.rules.outcome import Outcome, Termination
from crownhead.rules.schema import Colour

NAME = "Crownhead"
_CANNOT = 1  # the answer to a request to go back
_PATIENCE = 60.0  # seconds beyond the time of the other program


@dataclass(slots=True)
class Played:
    """A game that was played, and the opponent."""

    game: Game
    opponent: str
    ours: Colour
    stop: bool = False  # the other program plays no more games


def invite(
    link: Link,
    analyst: Analyst,
    *,
    ours: Colour,
    minutes: int = 5,
    moves: int = 0,
    start: Position | None = None,
    name: str = NAME,
) -> Played:
    """Offer a game and play it; raises ``DxpError`` where it is refused."""
    game = Game(analyst.variant, start=start)
    usual = start is None or start == Position.start(game.variant)
    position = "" if usual and game.turn is Colour.WHITE else position_text(game.position.setup())
    link.send(GameRequest(name, ours.opponent, minutes, moves, position))
    answer = next_message(link, _PATIENCE)
    if not isinstance(answer, Acceptance):
        raise DxpError(f"expected an answer to the offer of a game, got {str(answer)[:40]!r}")
    if answer.answer is not Answer.ACCEPTED:
        raise DxpError(f"expected a game, {answer.name or 'the other'} refuses: {answer.answer.name.lower()}")
    played = Played(game, answer.name, ours)
    _RemoteGame(link, analyst, played, minutes, moves).play()
    return played


def accept(link: Link, analyst: Analyst, *, name: str = NAME, within: float | None = None) -> Played | None:
    """Wait for an offer, accept it and play; None where the connection is closed instead."""
    try:
        request = next_message(link, within)
    except ConnectionClosed:
        return None
    if not isinstance(request, GameRequest):
        raise DxpError(f"expected the offer of a game, got {str(request)[:40]!r}")
    variant = analyst.variant
    try:
        start = Position.from_setup(setup_of(request.position, variant)) if request.position else None
        if start is None and variant.start.first is not Colour.WHITE:
            raise DxpError("expected a position, for here Black begins")
    except CrownheadError:
        link.send(Acceptance(name, Answer.REFUSED))
        raise
    link.send(Acceptance(name, Answer.ACCEPTED))
    played = Played(Game(variant, start=start), request.name, request.colour)
    _RemoteGame(link, analyst, played, request.minutes, request.moves).play()
    return played


class _RemoteGame:
    """One game, from the first move to the end."""

    def __init__(self, link: Link, analyst: Analyst, played: Played, minutes: int, moves: int) -> None:
        self._link, self._analyst, self._played = link, analyst, played
        self._game, self._our_colour = played.game, played.ours
        self._our_seconds = minutes * 60.0
        self._their_seconds = minutes * 60.0 + _PATIENCE
        self._max_plies = 2 * moves

    def play(self) -> None:
        """Play to the end."""
        while True:
            over = self._is_over()
            if self._game.position.turn is self._our_colour:
                if over or self._our_seconds <= 0:
                    self._send_end()
                    return
                self._send_move()
            elif self._receive_move(over=over):
                return

    def _is_over(self) -> bool:
        """By the rules, by a draw that may be claimed, or after as many moves as were agreed."""
        game = self._game
        if 0 < self._max_plies <= len(game.moves):
            return True
        return game.outcome() is not None or bool(game.claimable_draws())

    def _send_move(self) -> None:
        started = time.monotonic()
        move = self._analyst.play(self._game, clock=self._clock())
        spent = time.monotonic() - started
        self._our_seconds -= spent
        self._game.push(move)
        self._link.send(MoveMade(round(spent), move.origin, move.target, tuple(sorted(move.captures))))

    def _clock(self) -> Clock:
        """Ours, with the moves that are left of those agreed, and one more to be safe."""
        moves = (self._max_plies - len(self._game.moves)) // 2 + 2 if self._max_plies else 0
        return Clock(max(self._our_seconds, 0.0), moves=moves)

    def _receive_move(self, *, over: bool) -> bool:
        """Handle the other program's message; whether the game has ended."""
        started = time.monotonic()
        message = next_message(self._link, max(self._their_seconds, 1.0))
        self._their_seconds -= time.monotonic() - started
        if isinstance(message, GameEnd):
            self._link.send(GameEnd(from_our_side(message.reason)))
            self._accept_end(message)
            return True
        if not isinstance(message, MoveMade):
            raise DxpError(f"expected a move, got {str(message)[:40]!r}")
        if over:  # the other program does not see the end
            self._send_end()
            return True
        self._game.push(legal_move(self._game.position, message))
        return False

    def _send_end(self) -> None:
        """Send how the game ended, and wait for the confirmation."""
        if self._game.outcome() is None and self._game.claimable_draws():
            self._game.claim_draw()
        outcome = self._game.outcome()
        reason = Reason.UNKNOWN
        if outcome is not None:
            winner = outcome.winner
            reason = (
                Reason.DRAWN if winner is None else Reason.WON if winner is self._our_colour else Reason.LOST
            )
        elif self._our_seconds <= 0:
            reason = Reason.LOST
            self._game.end(Outcome(self._our_colour.opponent, Termination.TIME))
        self._link.send(GameEnd(reason))
        answer = next_message(self._link, _PATIENCE)
        if isinstance(answer, GameEnd):
            self._played.stop = answer.stop

    def _accept_end(self, end: GameEnd) -> None:
        """Take the end that the other program sends, where the rules have none."""
        self._played.stop = end.stop
        if self._game.outcome() is not None:
            return
        if end.reason is Reason.LOST:
            self._game.resign(self._our_colour.opponent)
        elif end.reason is Reason.WON:
            self._game.resign(self._our_colour)
        elif end.reason is Reason.DRAWN:
            self._game.agree_draw()


def next_message(link: Link, within: float | None) -> Message:
    """The next message of the game: chat is ignored, requests to go back are refused."""
    while True:
        message = link.receive(within)
        if isinstance(message, BackRequest):
            link.send(BackAnswer(_CANNOT))
        elif not isinstance(message, Chat | BackAnswer):
            return message


def legal_move(position: Position, message: MoveMade) -> Move:
    """The legal move of a message; raises ``DxpError``."""
    for move in position.legal_moves():
        same = (move.origin, move.target) == (message.origin, message.target)
        if same and sorted(move.captures) == sorted(message.captures):
            return move
    raise DxpError(f"expected a legal move, got {str(message)!r} in {position.fen()}")


def from_our_side(reason: Reason) -> Reason:
    """The reason for the end of a game from our side."""
    return {Reason.LOST: Reason.WON, Reason.WON: Reason.LOST}.get(reason, reason)
