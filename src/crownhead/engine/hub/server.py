"""The engine on the Hub protocol: reads commands from a text stream, answers on another."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from typing import TextIO

from crownhead.engine.hub.level import Level, level_of
from crownhead.engine.hub.syntax import Line, read, read_move, write_move
from crownhead.engine.report import Report
from crownhead.engine.thinking import MEGABYTES, Engine
from crownhead.notation import hub as strings
from crownhead.rules.errors import CrownheadError
from crownhead.rules.federations import NO_DRAW_RULES
from crownhead.rules.game import Game
from crownhead.rules.lookup import variant_of
from crownhead.rules.position import Position
from crownhead.rules.variants import VARIANTS

NAME = "Crownhead"
_MILLION = 1_000_000


class HubServer:
    """One conversation. ``run`` returns when the other side says ``quit`` or its stream ends."""

    def __init__(self, variant: str, version: str, *, given: Iterable[str], told: TextIO) -> None:
        self._version, self._given, self._told = version, given, told
        self._settings = {"variant": variant, "hash": str(MEGABYTES), "threads": "1"}
        self._engine: Engine | None = None
        self._game = Game(variant, draw_rules=NO_DRAW_RULES)
        self._level = Level()
        self._search: threading.Thread | None = None
        self._quiet_until_hit = False
        self._saying = threading.Lock()
        self._commands: dict[str, Callable[[Mapping[str, str]], None]] = {
            "hub": self._introduce,
            "set-param": self._set,
            "init": self._begin,
            "new-game": self._forget,
            "pos": self._place,
            "level": self._limit,
            "go": self._go,
            "stop": self._stop,
            "ponder-hit": self._hit,
            "ping": lambda _: self._say("pong"),
        }

    def run(self) -> None:
        """Answer until the end; an unknown command is ignored, a wrong one is answered with an error."""
        for text in self._given:
            line = read(text)
            if line is None:
                continue
            if line.command == "quit":
                break
            act = self._commands.get(line.command)
            if act is None:
                continue
            try:
                act(line.arguments)
            except (CrownheadError, ValueError, KeyError) as error:
                self._say("error", message=str(error).replace('"', "'"))
        self._stop({})

    def _introduce(self, _: Mapping[str, str]) -> None:
        self._say("id", name=NAME, version=self._version, author="the Crownhead founders", country="")
        keys = " ".join(VARIANTS)
        self._say("param", name="variant", value=self._settings["variant"], type="enum", values=keys)
        self._say("param", name="hash", value=self._settings["hash"], type="int", min="1", max="65536")
        self._say("param", name="threads", value=self._settings["threads"], type="int", min="1", max="256")
        self._say("wait")

    def _set(self, arguments: Mapping[str, str]) -> None:
        name, value = arguments["name"], arguments["value"]
        if name not in self._settings:
            return
        if name == "variant":
            value = variant_of("international" if value == "normal" else value).key
        elif not 1 <= int(value) <= 65536:
            raise ValueError(f"expected {name} from 1 to 65536, got {value}")
        self._settings[name] = value

    def _begin(self, _: Mapping[str, str]) -> None:
        self._engine = Engine(self._settings["variant"], megabytes=int(self._settings["hash"]))
        self._game = Game(self._settings["variant"], draw_rules=NO_DRAW_RULES)
        self._say("ready")

    def _forget(self, _: Mapping[str, str]) -> None:
        self._ready().forget()

    def _place(self, arguments: Mapping[str, str]) -> None:
        variant = self._settings["variant"]
        start = Position.from_setup(strings.read(arguments["pos"], variant))
        game = Game(variant, start=start, draw_rules=NO_DRAW_RULES)
        for text in arguments.get("moves", "").split():
            game.push(read_move(game.position, text))
        self._game = game

    def _limit(self, arguments: Mapping[str, str]) -> None:
        self._level = level_of(arguments)

    def _go(self, arguments: Mapping[str, str]) -> None:
        self._stop({})
        engine = self._ready()
        if not self._game.position.legal_moves():
            raise ValueError("expected a position with a legal move, got one where the game is over")
        ponders = "ponder" in arguments
        level = Level() if ponders or self._level.is_infinite else self._level
        self._quiet_until_hit = ponders
        self._search = threading.Thread(target=self._think, args=(engine, self._game, level), daemon=True)
        self._search.start()

    def _think(self, engine: Engine, game: Game, level: Level) -> None:
        endless = level.is_infinite
        report = engine.analyse(
            game,
            depth=level.depth,
            nodes=level.nodes,
            seconds=float("inf") if endless else level.seconds,
            threads=int(self._settings["threads"]),
            tell=self._inform,
        )
        answer = {"move": write_move(report.pv[0])}
        if len(report.pv) > 1:
            answer["ponder"] = write_move(report.pv[1])
        self._say("done", **answer)

    def _inform(self, report: Report) -> None:
        speed = report.nodes / report.seconds / _MILLION if report.seconds else 0.0
        self._say(
            "info",
            depth=str(report.depth),
            score=_score(report),
            nodes=str(report.nodes),
            time=f"{report.seconds:.3f}",
            nps=f"{speed:.2f}",
            pv=" ".join(map(write_move, report.pv)),
        )

    def _hit(self, _: Mapping[str, str]) -> None:
        """The expected move was made: from now on the clock runs."""
        if self._engine is None or not self._quiet_until_hit:
            return
        self._quiet_until_hit = False
        if self._level.seconds is not None:
            timer = threading.Timer(self._level.seconds, self._engine.stop)
            timer.daemon = True
            timer.start()

    def _stop(self, _: Mapping[str, str]) -> None:
        if self._search is None:
            return
        while self._search.is_alive():
            self._ready().stop()
            self._search.join(0.02)
        self._search = None

    def _ready(self) -> Engine:
        if self._engine is None:
            raise ValueError("expected init before a search")
        return self._engine

    def _say(self, command: str, **arguments: str) -> None:
        with self._saying:
            self._told.write(f"{Line(command, arguments)}\n")
            self._told.flush()


def _score(report: Report) -> str:
    """In men, for the side to move; a forced end is near ±300."""
    return f"{(report.score.value if report.score else 0) / 100:.2f}"
