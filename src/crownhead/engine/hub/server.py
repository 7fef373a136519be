"""The server side of the Hub protocol: reads commands from a text stream, answers on another."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import TextIO

from crownhead.engine.clock import Allowance
from crownhead.engine.engine import Engine
from crownhead.engine.errors import EngineError
from crownhead.engine.hub.level import Level, level_of
from crownhead.engine.hub.settings import Settings
from crownhead.engine.hub.syntax import Line, read, read_move, write_move
from crownhead.engine.report import Report
from crownhead.notation import hub as strings
from crownhead.rules.errors import CrownheadError
from crownhead.rules.federations import NO_DRAW_RULES
from crownhead.rules.game import Game
from crownhead.rules.position import Position

NAME = "Crownhead"
_MILLION = 1_000_000
_ANSWERED = (CrownheadError, ValueError, MemoryError)  # with an error, and the session goes on


class HubServer:
    """One session. ``run`` returns at the command ``quit`` or at the end of the input."""

    def __init__(self, settings: Settings, version: str, *, commands: Iterable[str], output: TextIO) -> None:
        self._settings, self._version, self._input, self._output = settings, version, commands, output
        self._engine: Engine | None = None
        self._game: Game | None = None  # to search; None where the last position was refused
        self._variant_refused = False
        self._level_arguments: Mapping[str, str] = {}
        self._level = Level()
        self._search: threading.Thread | None = None
        self._pondering = False
        self._write_lock = threading.Lock()
        self._commands: dict[str, Callable[[Mapping[str, str]], None]] = {
            "hub": self._identify,
            "set-param": self._set_parameter,
            "init": self._initialise,
            "new-game": self._new_game,
            "pos": self._set_position,
            "level": self._set_level,
            "go": self._go,
            "stop": self._stop,
            "ponder-hit": self._ponder_hit,
            "ping": lambda _: self._send("pong"),
        }

    def run(self) -> None:
        """Answer until the end; an unknown command is ignored, an invalid one is answered with an error."""
        for text in self._input:
            line = read(text)
            if line is None:
                continue
            if line.command == "quit":
                break
            command = self._commands.get(line.command)
            if command is None:
                continue
            try:
                command(line.arguments)
            except _ANSWERED as error:
                self._send_error(error)
        self._stop({})

    def _identify(self, _: Mapping[str, str]) -> None:
        self._send("id", name=NAME, version=self._version, author="the Crownhead founders", country="")
        for parameter in self._settings.parameters():
            self._send("param", **parameter)
        self._send("wait")

    def _set_parameter(self, arguments: Mapping[str, str]) -> None:
        name = _argument(arguments, "name")
        value, of_variant = _argument(arguments, "value"), name == "variant"
        try:
            self._settings = self._settings.with_value(name, value)
        except CrownheadError:
            self._variant_refused = self._variant_refused or of_variant
            raise
        self._variant_refused = self._variant_refused and not of_variant
        if name == "ponder":
            self._level = level_of(self._level_arguments, ponders=self._settings.ponder)

    def _initialise(self, _: Mapping[str, str]) -> None:
        self._stop({})
        self._engine, self._game = None, None
        self._engine = self._settings.engine()
        self._game = Game(self._engine.variant, draw_rules=NO_DRAW_RULES)
        self._send("ready")

    def _new_game(self, _: Mapping[str, str]) -> None:
        self._stop({})
        self._initialised_engine().forget()

    def _set_position(self, arguments: Mapping[str, str]) -> None:
        self._game = None
        variant = self._initialised_engine().variant
        start = Position.from_setup(strings.read(_argument(arguments, "pos"), variant))
        game = Game(variant, start=start, draw_rules=NO_DRAW_RULES)
        for text in arguments.get("moves", "").split():
            game.push(read_move(game.position, text))
        self._game = game

    def _set_level(self, arguments: Mapping[str, str]) -> None:
        self._level = level_of(arguments, ponders=self._settings.ponder)
        self._level_arguments = arguments

    def _go(self, arguments: Mapping[str, str]) -> None:
        self._stop({})
        engine = self._initialised_engine()
        if self._variant_refused:
            raise EngineError("expected a variant that is known, the one set last was refused")
        if self._game is None:
            raise EngineError("expected a position to search, the last one was refused")
        if not self._game.position.legal_moves():
            raise EngineError("expected a position with a legal move, got one where the game is over")
        ponders = "ponder" in arguments
        level = Level() if ponders or self._level.is_infinite else self._level
        self._pondering = ponders
        self._search = threading.Thread(
            target=self._run_search, args=(engine, self._game, level), daemon=True
        )
        self._search.start()

    def _run_search(self, engine: Engine, game: Game, level: Level) -> None:
        time = level.allowance or Allowance(math.inf, math.inf)
        try:
            report = engine.analyse(
                game,
                depth=level.depth,
                nodes=level.nodes,
                seconds=time.hard,
                soft_seconds=time.soft,
                threads=self._settings.threads,
                on_report=self._report,
            )
        except _ANSWERED as error:
            self._send_error(error)
            return
        answer = {"move": write_move(report.pv[0])}
        if self._settings.ponder and len(report.pv) > 1:
            answer["ponder"] = write_move(report.pv[1])
        self._send("done", **answer)

    def _report(self, report: Report) -> None:
        speed = report.nodes / report.seconds / _MILLION if report.seconds else 0.0
        self._send(
            "info",
            depth=str(report.depth),
            score=_score(report),
            nodes=str(report.nodes),
            time=f"{report.seconds:.3f}",
            nps=f"{speed:.2f}",
            pv=" ".join(map(write_move, report.pv)),
        )

    def _ponder_hit(self, _: Mapping[str, str]) -> None:
        """The expected move was played: from now on the clock runs."""
        if self._engine is None or not self._pondering:
            return
        self._pondering = False
        if (allowance := self._level.allowance) is not None:
            timer = threading.Timer(min(allowance.soft, allowance.hard), self._engine.stop)
            timer.daemon = True
            timer.start()

    def _stop(self, _: Mapping[str, str]) -> None:
        if self._search is None:
            return
        while self._search.is_alive():
            self._initialised_engine().stop()
            self._search.join(0.02)
        self._search = None

    def _initialised_engine(self) -> Engine:
        if self._engine is None:
            raise EngineError("expected init before a search")
        return self._engine

    def _send_error(self, error: Exception) -> None:
        words = str(error) or "expected enough memory, there is not as much"
        self._send("error", message=words.replace('"', "'"))

    def _send(self, command: str, **arguments: str) -> None:
        with self._write_lock:
            self._output.write(f"{Line(command, arguments)}\n")
            self._output.flush()


def _argument(arguments: Mapping[str, str], name: str) -> str:
    """An argument that a command must have; raises ``EngineError``."""
    if not arguments.get(name):
        raise EngineError(f"expected {name}=…, got none")
    return arguments[name]


def _score(report: Report) -> str:
    """In men, for the side to move; a forced win or loss is near ±300."""
    return f"{(report.score.value if report.score else 0) / 100:.2f}"
