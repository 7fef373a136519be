"""An engine of the Hub protocol as a player of matches: a process asked for one move after another."""

from __future__ import annotations

import shlex
import subprocess

from crownhead.engine.hub.syntax import Line, read, read_move
from crownhead.notation import hub
from crownhead.rules import Game, Move


class HubPlayer:
    """A process started by a command line, told of positions by the protocol's text, version 2.

    ``level`` is what a move may cost, as the protocol writes it: ``{"move-time": "0.1"}``.
    """

    def __init__(self, command: str, variant: str, level: dict[str, str]) -> None:
        self._level = level
        self._process = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self._say("hub")
        known = self._until("wait")
        if any(line.command == "param" and line.arguments.get("name") == "variant" for line in known):
            self._say(str(Line("set-param", {"name": "variant", "value": variant})))
        self._say("init")
        self._until("ready")

    def begin(self) -> None:
        """A new game."""
        self._say("new-game")

    def move(self, game: Game) -> Move:
        """What the engine answers."""
        position = game.position
        self._say(str(Line("pos", {"pos": hub.write(position.setup())})))
        self._say(str(Line("level", self._level)))
        self._say("go think")
        answer = self._until("done")[-1].arguments.get("move", "")
        return read_move(position, answer)

    def close(self) -> None:
        """End the process."""
        self._say("quit")
        self._process.wait(10)

    def _say(self, text: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{text}\n")
        self._process.stdin.flush()

    def _until(self, command: str) -> list[Line]:
        """The lines up to the first of a command."""
        assert self._process.stdout is not None
        lines = []
        for text in self._process.stdout:
            line = read(text)
            if line is None:
                continue
            lines.append(line)
            if line.command == "error":
                raise RuntimeError(f"expected {command!r} of the Hub engine, got: {text.strip()}")
            if line.command == command:
                return lines
        raise RuntimeError(f"expected {command!r} of the Hub engine, but it has ended")
