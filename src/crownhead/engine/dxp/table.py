"""A game between an engine of ours and a program at the other end of a link.

The one on turn either moves or ends the game, and the other confirms the end. What the laws say counts here;
where the other sees another end, his word is taken.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from crownhead.engine.analyst import Analyst
from crownhead.engine.dxp.link import Link
from crownhead.engine.dxp.messages import (
    Acceptance,
    Answer,
    BackAnswer,
    BackRequest,
    Chat,
    DxpError,
    GameEnd,
    GameRequest,
    HungUp,
    Message,
    MoveMade,
    Reason,
    position_text,
    setup_of,
)
from crownhead.engine.hub.level import share_of_clock
from crownhead.rules import Move, Position
from crownhead.rules.errors import CrownheadError
from crownhead.rules.game import Game
from crownhead.rules.lookup import variant_of
from crownhead.rules.outcome import Outcome, Termination
from crownhead.rules.schema import Colour

NAME = "Crownhead"
_CANNOT = 1  # the answer to a wish to go back
_PATIENCE = 60.0  # seconds beyond the other's time


@dataclass(slots=True)
class Played:
    """A game that was played, and with whom."""

    game: Game
    opponent: str
    ours: Colour
    stop: bool = False  # the other plays no more


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
    answer = _heard(link, _PATIENCE)
    if not isinstance(answer, Acceptance):
        raise DxpError(f"expected an answer to the offer of a game, got {str(answer)[:40]!r}")
    if answer.answer is not Answer.ACCEPTED:
        raise DxpError(f"expected a game, {answer.name or 'the other'} refuses: {answer.answer.name.lower()}")
    played = Played(game, answer.name, ours)
    _Table(link, analyst, played, minutes, moves).play()
    return played


def accept(link: Link, analyst: Analyst, *, name: str = NAME, within: float | None = None) -> Played | None:
    """Wait for an offer, take it and play; None where the other hangs up instead."""
    try:
        request = _heard(link, within)
    except HungUp:
        return None
    if not isinstance(request, GameRequest):
        raise DxpError(f"expected the offer of a game, got {str(request)[:40]!r}")
    variant = variant_of(analyst.variant)
    try:
        start = Position.from_setup(setup_of(request.position, variant.key)) if request.position else None
        if start is None and variant.start.first is not Colour.WHITE:
            raise DxpError("expected a position, for here Black begins")
    except CrownheadError:
        link.send(Acceptance(name, Answer.REFUSED))
        raise
    link.send(Acceptance(name, Answer.ACCEPTED))
    played = Played(Game(variant, start=start), request.name, request.colour)
    _Table(link, analyst, played, request.minutes, request.moves).play()
    return played


class _Table:
    """The course of one game."""

    def __init__(self, link: Link, analyst: Analyst, played: Played, minutes: int, moves: int) -> None:
        self._link, self._analyst, self._played = link, analyst, played
        self._game, self._ours = played.game, played.ours
        self._left = minutes * 60.0
        self._theirs = minutes * 60.0 + _PATIENCE
        self._plies = 2 * moves

    def play(self) -> None:
        """To the end."""
        while True:
            over = self._is_over()
            if self._game.position.turn is self._ours:
                if over or self._left <= 0:
                    self._end()
                    return
                self._move()
            elif self._wait(over=over):
                return

    def _is_over(self) -> bool:
        """By the laws, by a draw that may be claimed, or after as many moves as were agreed."""
        game = self._game
        if 0 < self._plies <= len(game.moves):
            return True
        return game.outcome() is not None or bool(game.claimable_draws())

    def _move(self) -> None:
        begun = time.monotonic()
        move = self._analyst.play(self._game, seconds=share_of_clock(self._left))
        spent = time.monotonic() - begun
        self._left -= spent
        self._game.push(move)
        self._link.send(MoveMade(round(spent), move.origin, move.target, tuple(sorted(move.captures))))

    def _wait(self, *, over: bool) -> bool:
        """The other's word; whether the game has ended."""
        begun = time.monotonic()
        message = _heard(self._link, max(self._theirs, 1.0))
        self._theirs -= time.monotonic() - begun
        if isinstance(message, GameEnd):
            self._link.send(GameEnd(_ours(message.reason)))
            self._take(message)
            return True
        if not isinstance(message, MoveMade):
            raise DxpError(f"expected a move, got {str(message)[:40]!r}")
        if over:  # he sees no end where the laws do
            self._end()
            return True
        self._game.push(_legal(self._game.position, message))
        return False

    def _end(self) -> None:
        """Say how it ended, and hear that the other agrees."""
        if self._game.outcome() is None and self._game.claimable_draws():
            self._game.claim_draw()
        outcome = self._game.outcome()
        reason = Reason.UNKNOWN
        if outcome is not None:
            winner = outcome.winner
            reason = Reason.DRAWN if winner is None else Reason.WON if winner is self._ours else Reason.LOST
        elif self._left <= 0:
            reason = Reason.LOST
            self._game.end(Outcome(self._ours.opponent, Termination.TIME))
        self._link.send(GameEnd(reason))
        answer = _heard(self._link, _PATIENCE)
        if isinstance(answer, GameEnd):
            self._played.stop = answer.stop

    def _take(self, end: GameEnd) -> None:
        """The other's word on the end, where the laws have none."""
        self._played.stop = end.stop
        if self._game.outcome() is not None:
            return
        if end.reason is Reason.LOST:
            self._game.resign(self._ours.opponent)
        elif end.reason is Reason.WON:
            self._game.resign(self._ours)
        elif end.reason is Reason.DRAWN:
            self._game.agree_draw()


def _heard(link: Link, within: float | None) -> Message:
    """The next message that is to the matter: words are let pass, wishes to go back are refused."""
    while True:
        message = link.receive(within)
        if isinstance(message, BackRequest):
            link.send(BackAnswer(_CANNOT))
        elif not isinstance(message, Chat | BackAnswer):
            return message


def _legal(position: Position, said: MoveMade) -> Move:
    for move in position.legal_moves():
        same = (move.origin, move.target) == (said.origin, said.target)
        if same and sorted(move.captures) == sorted(said.captures):
            return move
    raise DxpError(f"expected a legal move, got {str(said)!r} in {position.fen()}")


def _ours(reason: Reason) -> Reason:
    """How an end that the other tells of looks from here."""
    return {Reason.LOST: Reason.WON, Reason.WON: Reason.LOST}.get(reason, reason)
