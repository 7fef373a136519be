"""Any engine that speaks the Hub protocol, driven as our own: a program in a process beside this one."""

from __future__ import annotations

import contextlib
import queue
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Self

from crownhead.engine.hub.syntax import Line, read, read_move, write_move
from crownhead.engine.report import Line as Course
from crownhead.engine.report import Report, Score
from crownhead.engine.thinking import Listener, Subject, position_of
from crownhead.notation import hub as strings
from crownhead.rules import Move, Position
from crownhead.rules.errors import CrownheadError
from crownhead.rules.game import Game
from crownhead.rules.lookup import variant_of

_SECONDS = 1.0  # where nothing limits a search
_GRACE = 10.0  # seconds beyond its time in which an engine may answer


class HubError(CrownheadError):
    """The engine does not answer as the protocol has it."""


class HubEngine:
    """An engine of one variant in another process; ``close`` ends it, as does the end of a ``with`` block.

    ``called`` is what the engine calls the variant, where that is not our key; ``parameters`` are its own
    settings. Raises ``HubError`` where it does not start or does not speak the protocol within ``patience``
    seconds.
    """

    def __init__(
        self,
        command: Sequence[str],
        variant: str = "american",
        *,
        called: str = "",
        parameters: Mapping[str, str] | None = None,
        patience: float = 30.0,
    ) -> None:
        self.variant = variant_of(variant).key
        self.name = ""
        self._patience = patience
        self._thinking, self._writing = threading.Lock(), threading.Lock()
        self._searching = False
        try:
            self._process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                bufsize=1,
            )
        except OSError as error:
            raise HubError(f"expected an engine, got {' '.join(command)!r}: {error.strerror}") from error
        self._heard: queue.SimpleQueue[Line | None] = queue.SimpleQueue()
        threading.Thread(target=self._listen, name="hub", daemon=True).start()
        try:
            self._begin(called or self.variant, parameters or {}, named=bool(called))
        except BaseException:
            self.close()
            raise

    def analyse(
        self,
        subject: Subject,
        *,
        seconds: float | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        tell: Listener | None = None,
    ) -> Report:
        """What the engine expects of a position; see ``Engine.analyse``. One line, as the protocol has it."""
        position = position_of(subject)
        if position.variant_key != self.variant:
            raise ValueError(f"expected a position of {self.variant}, got one of {position.variant_key}")
        if not position.legal_moves():
            return Report(position, 0, 0, 0, 0.0, ())
        if seconds is None and depth is None and nodes is None:
            seconds = _SECONDS
        with self._thinking:
            self._place(subject)
            self._limit(seconds, depth, nodes)
            self._searching = True
            try:
                self._say("go", think="")
                return self._followed(position, tell, None if seconds is None else seconds + _GRACE)
            finally:
                self._searching = False

    def play(self, subject: Subject, *, seconds: float | None = None, depth: int | None = None) -> Move:
        """The move that the engine would make. Raises ``ValueError`` where there is none."""
        return self.analyse(subject, seconds=seconds, depth=depth).expect_move()

    def stop(self) -> None:
        """Let a search that runs in another thread end now."""
        if self._searching:
            self._say("stop")

    def forget(self) -> None:
        """Have the engine forget what it knows of positions."""
        self._say("new-game")

    def close(self) -> None:
        """End the engine."""
        if self._process.poll() is None:
            with contextlib.suppress(HubError):
                self._say("quit")
            try:
                self._process.wait(2)
            except subprocess.TimeoutExpired:
                self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()

    def _begin(self, called: str, parameters: Mapping[str, str], *, named: bool) -> None:
        self._say("hub")
        offered = set()
        while (line := self._next(self._patience)).command != "wait":
            if line.command == "id":
                self.name = line.arguments.get("name", "")
            elif line.command == "param":
                offered.add(line.arguments.get("name", ""))
        if "variant" in offered:
            self._say("set-param", name="variant", value=called)
        elif named:
            raise HubError(f"expected an engine that knows variants, {self.name or 'this one'} knows none")
        for name, value in parameters.items():
            self._say("set-param", name=name, value=value)
        self._say("init")
        while self._next(self._patience).command != "ready":
            pass

    def _place(self, subject: Subject) -> None:
        """The start of the course that matters, and the moves since, so that repetitions are known."""
        if isinstance(subject, Game):
            moves = " ".join(map(write_move, subject.moves))
            start = strings.write(subject.start.setup())
            self._say("pos", pos=start, **({"moves": moves} if moves else {}))
        else:
            self._say("pos", pos=strings.write(subject.setup()))

    def _limit(self, seconds: float | None, depth: int | None, nodes: int | None) -> None:
        limits = {"depth": depth, "nodes": nodes, "move-time": seconds}
        self._say("level", **{name: str(value) for name, value in limits.items() if value is not None})

    def _followed(self, position: Position, tell: Listener | None, within: float | None) -> Report:
        """Reports until the engine says that it is done; the last of them, with the move it settled on."""
        begun, last = time.monotonic(), None
        while True:
            left = None if within is None else max(within - (time.monotonic() - begun), 0.01)
            line = self._next(left)
            if line.command == "info":
                last = _report(position, line.arguments) or last
                if tell is not None and last is not None:
                    tell(last)
            elif line.command == "done":
                return _settled(position, read_move(position, line.arguments.get("move", "")), last)
            elif line.command == "error":
                raise HubError(f"{self.name or 'the engine'}: {line.arguments.get('message', 'an error')}")

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(ValueError, OSError):  # closed meanwhile
            for text in self._process.stdout:
                line = read(text)
                if line is not None:
                    self._heard.put(line)
        self._heard.put(None)

    def _next(self, within: float | None) -> Line:
        try:
            line = self._heard.get(timeout=within)
        except queue.Empty:
            raise HubError(f"expected an answer of {self.name or 'the engine'}, it is silent") from None
        if line is None:
            self._heard.put(None)
            raise HubError(f"expected an answer of {self.name or 'the engine'}, it has ended")
        return line

    def _say(self, command: str, **arguments: str) -> None:
        assert self._process.stdin is not None
        try:
            with self._writing:
                self._process.stdin.write(f"{Line(command, arguments)}\n")
                self._process.stdin.flush()
        except (OSError, ValueError) as error:
            raise HubError(f"{self.name or 'the engine'} has ended") from error


def _report(position: Position, said: Mapping[str, str]) -> Report | None:
    """What an engine tells of its search; None where that is not a line of play."""
    moves, here = [], position
    for text in said.get("pv", "").split():
        try:
            moves.append(read_move(here, text))
        except CrownheadError:
            break  # cut in the middle of a move, as some do
        here = here.play(moves[-1])
    if not moves or "score" not in said:
        return None
    try:
        depth, nodes = int(said.get("depth", 0)), int(float(said.get("nodes", 0)))
        seconds, value = float(said.get("time", 0)), round(100 * float(said["score"]))
    except ValueError:
        return None
    return Report(position, depth, depth, nodes, seconds, (Course(Score(value), tuple(moves)),))


def _settled(position: Position, move: Move, last: Report | None) -> Report:
    """The last report, of a line that begins with the move that was settled on."""
    if last is not None and last.move == move:
        return last
    score = last.score if last is not None and last.score is not None else Score(0)
    depth, nodes, seconds = (last.depth, last.nodes, last.seconds) if last else (0, 0, 0.0)
    return Report(position, depth, depth, nodes, seconds, (Course(score, (move,)),))
