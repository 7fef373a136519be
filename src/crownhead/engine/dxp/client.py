"""A program at the other end of a DamExchange connection, asked for moves as an engine is."""

from __future__ import annotations

import contextlib
import threading
from types import TracebackType
from typing import Any, Self

from crownhead.engine.clock import Clock
from crownhead.engine.dxp.game import NAME, from_our_side, legal_move, next_message
from crownhead.engine.dxp.link import PORT, linked_to
from crownhead.engine.dxp.messages import (
    Acceptance,
    Answer,
    DxpError,
    GameEnd,
    GameRequest,
    MoveMade,
    Reason,
    position_text,
)
from crownhead.engine.engine import Subject, position_of, require_variant
from crownhead.engine.errors import EngineError
from crownhead.engine.report import Report
from crownhead.rules import Move, Position
from crownhead.rules.federations import NO_DRAW_RULES
from crownhead.rules.game import Game
from crownhead.rules.lookup import variant_of
from crownhead.rules.schema import Colour, Variant


class DxpEngine:
    """A program that listens at a host and port, used like an engine that only plays.

    The protocol is one of games: asked for a move, the program is offered a game from that position in which
    it moves first, and as long as the positions asked for continue that game it gets our moves. ``minutes``
    is what it has for a game. Raises ``DxpError`` where nobody listens, and where it does not answer as the
    protocol requires within ``patience`` seconds.
    """

    def __init__(
        self,
        host: str,
        port: int = PORT,
        variant: str | Variant = "international",
        *,
        minutes: int = 5,
        patience: float = 30.0,
    ) -> None:
        self.variant = variant_of(variant)
        self.name = ""
        self._minutes, self._patience = minutes, patience
        self._lock = threading.Lock()
        self._game: Game | None = None  # that both programs are playing
        self._link = linked_to(host, port, timeout=patience)

    def analyse(self, subject: Subject, **_limits: Any) -> Report:
        """Raise ``DxpError``: the protocol carries moves, but no scores."""
        raise DxpError(
            f"expected play(), for DamExchange carries no analyses, got {position_of(subject).fen()}"
        )

    def play(
        self,
        subject: Subject,
        *,
        seconds: float | None = None,
        depth: int | None = None,
        clock: Clock | None = None,
    ) -> Move:
        """Its move in a position, or in that of a game.

        ``seconds`` is how long to wait for it, or what its ``clock`` has left. Raises ``EngineError`` where
        there is no move, and for a ``depth``, which the protocol does not know.
        """
        position = position_of(subject)
        require_variant(position, self.variant)
        if depth is not None:
            raise EngineError("expected no depth, for DamExchange knows none")
        if not position.legal_moves():
            raise EngineError("expected a position with a legal move, got one where the game is over")
        with self._lock:
            game = self._continued(subject) or self._begin(position)
            left = self._minutes * 60 if clock is None else clock.left
            message = next_message(self._link, self._patience + (seconds or left))
            if isinstance(message, GameEnd):
                self._game = None
                self._link.send(GameEnd(from_our_side(message.reason)))
                raise DxpError(f"expected a move, {self.name or 'the other'} ends the game: {message}")
            if not isinstance(message, MoveMade):
                raise DxpError(f"expected a move, got {str(message)[:40]!r}")
            return game.push(legal_move(position, message))

    def stop(self) -> None:
        """Close the connection: the protocol has no other way to stop a program that thinks."""
        self._link.close()

    def close(self) -> None:
        """End the game, if one is being played, and the connection."""
        if self._game is not None:
            self._game = None
            with contextlib.suppress(DxpError):
                self._link.send(GameEnd(Reason.UNKNOWN, stop=True))
        self._link.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()

    def _continued(self, subject: Subject) -> Game | None:
        """The game being played, once our move is sent, if the subject is one move beyond it; else None."""
        game = self._game
        if game is None or not isinstance(subject, Game) or len(subject.positions) < 2:
            return None
        if subject.positions[-2] != game.position:
            return None
        move = game.push(subject.moves[-1])
        self._link.send(MoveMade(0, move.origin, move.target, tuple(sorted(move.captures))))
        return game

    def _begin(self, position: Position) -> Game:
        """Offer a game from a position, in which the other program moves first."""
        self._end()
        usual = position == Position.start(self.variant) and position.turn is Colour.WHITE
        text = "" if usual else position_text(position.setup())
        self._link.send(GameRequest(NAME, position.turn, self._minutes, position=text))
        answer = next_message(self._link, self._patience)
        if not isinstance(answer, Acceptance):
            raise DxpError(f"expected an answer to the offer of a game, got {str(answer)[:40]!r}")
        self.name = answer.name
        if answer.answer is not Answer.ACCEPTED:
            raise DxpError(
                f"expected a game, {self.name or 'the other'} refuses: {answer.answer.name.lower()}"
            )
        self._game = Game(self.variant, start=position, draw_rules=NO_DRAW_RULES)
        return self._game

    def _end(self) -> None:
        """End the game being played, and wait for the confirmation."""
        if self._game is not None:
            self._game = None
            self._link.send(GameEnd(Reason.UNKNOWN))
            next_message(self._link, self._patience)
