"""A client of the Hub protocol: another engine in a process of its own, used like ours."""

from __future__ import annotations

import contextlib
import itertools
import queue
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType
from typing import Self

from crownhead.engine.clock import Clock
from crownhead.engine.engine import Listener, Subject, position_of, require_variant
from crownhead.engine.errors import EngineError
from crownhead.engine.hub.names import hub_name
from crownhead.engine.hub.syntax import Line, read, read_move, write_move
from crownhead.engine.report import Line as EngineLine
from crownhead.engine.report import Report, Score
from crownhead.notation import hub as strings
from crownhead.rules import Move, Position
from crownhead.rules.errors import CrownheadError
from crownhead.rules.game import Game
from crownhead.rules.lookup import variant_of
from crownhead.rules.schema import Variant

_SECONDS = 1.0  # where nothing limits a search
_HANDSHAKE = 10_000  # lines in which a program must have said what it is
_GRACE = 10.0  # seconds beyond its time in which an engine may answer


class HubError(CrownheadError):
    """The engine does not answer as the protocol requires."""


class _Refused(HubError):
    """A search has ended without a result; the engine can be asked again."""


class HubEngine:
    """An engine of one variant in another process; ``close`` ends it, as does the end of a ``with`` block.

    ``called`` is the engine's name of the variant, where that is neither the protocol's nor our key;
    ``parameters`` are its own settings. Raises ``HubError`` where it does not start or does not speak the
    protocol within ``patience`` seconds.
    """

    def __init__(
        self,
        command: Sequence[str],
        variant: str | Variant = "american",
        *,
        called: str = "",
        parameters: Mapping[str, str] | None = None,
        patience: float = 30.0,
    ) -> None:
        self.variant = variant_of(variant)
        self.name = ""
        self._patience = patience
        self._search_lock, self._write_lock = threading.Lock(), threading.Lock()
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
            raise HubError(
                f"expected an engine, got {' '.join(command)!r}: {error.strerror or error}"
            ) from error
        self._lines: queue.SimpleQueue[Line | None] = queue.SimpleQueue()
        threading.Thread(target=self._listen, name="hub", daemon=True).start()
        try:
            self._initialise(called, parameters or {})
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
        on_report: Listener | None = None,
    ) -> Report:
        """Let the engine search a position; see ``Engine.analyse``. The protocol has no MultiPV."""
        position = position_of(subject)
        require_variant(position, self.variant)
        if not position.legal_moves():
            return Report(position, 0, 0, 0, 0.0, ())
        if seconds is None and depth is None and nodes is None:
            seconds = _SECONDS
        level = {"depth": depth, "nodes": nodes, "move-time": seconds}
        return self._search(subject, level, seconds, on_report)

    def play(
        self,
        subject: Subject,
        *,
        seconds: float | None = None,
        depth: int | None = None,
        clock: Clock | None = None,
    ) -> Move:
        """The best move that the engine finds; a ``clock`` is passed on where no ``seconds`` are given.

        Raises ``EngineError`` where there is no move.
        """
        position = position_of(subject)
        require_variant(position, self.variant)
        if not position.legal_moves():
            raise EngineError("expected a position with a legal move, got one where the game is over")
        if clock is None or seconds is not None:
            return self.analyse(subject, seconds=seconds, depth=depth).expect_move()
        level = {"time": clock.left, "inc": clock.increment, "moves": clock.moves, "depth": depth}
        return self._search(subject, level, clock.left, None).expect_move()

    def stop(self) -> None:
        """Stop a search that runs in another thread."""
        if self._searching:
            self._send("stop")

    def forget(self) -> None:
        """Let the engine clear its transposition table."""
        self._send("new-game")

    def close(self) -> None:
        """End the engine."""
        if self._process.poll() is None:
            with contextlib.suppress(HubError):
                self._send("quit")
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

    def _search(
        self,
        subject: Subject,
        level: Mapping[str, float | None],
        seconds: float | None,
        on_report: Listener | None,
    ) -> Report:
        """Search at a level that takes so many seconds at most, or that knows no time."""
        position = position_of(subject)
        with self._search_lock:
            self._send_position(subject)
            self._send("level", **{name: str(value) for name, value in level.items() if value is not None})
            self._searching = True
            try:
                self._send("go", think="")
                return self._collect_reports(
                    position, on_report, None if seconds is None else seconds + _GRACE
                )
            except _Refused:
                raise
            except BaseException:
                self.close()  # it may still be thinking, and would answer the next question with this move
                raise
            finally:
                self._searching = False

    def _initialise(self, called: str, parameters: Mapping[str, str]) -> None:
        self._send("hub")
        offered: dict[str, str] = {}
        for line in self._lines_until("wait"):
            if line.command == "id":
                self.name = line.arguments.get("name", "")
            elif line.command == "param":
                offered[line.arguments.get("name", "")] = line.arguments.get("values", "")
        if "variant" in offered:
            known = offered["variant"].split()
            ours = hub_name(self.variant) if hub_name(self.variant) in known else self.variant.key
            self._send("set-param", name="variant", value=called or ours)
        elif called:
            raise HubError(f"expected an engine that knows variants, {self.name or 'this one'} knows none")
        for name, value in parameters.items():
            self._send("set-param", name=name, value=value)
        self._send("init")
        for line in self._lines_until("ready"):
            if line.command == "error":
                raise HubError(f"{self.name or 'the engine'}: {line.arguments.get('message', 'an error')}")

    def _lines_until(self, command: str) -> Iterator[Line]:
        """The lines before the one with a command: not too many, and all within the time of the handshake."""
        until, last = time.monotonic() + self._patience, None
        for number in itertools.count():
            try:
                line = self._receive(max(until - time.monotonic(), 0.001))
            except HubError as error:
                if last is None:
                    raise
                raise HubError(f"{error}; what it said is no Hub protocol: {str(last)[:60]!r}") from error
            if line.command == command:
                return
            if number > _HANDSHAKE or time.monotonic() > until:
                raise HubError(
                    f"expected {command!r} of an engine with the Hub protocol, got {str(line)[:60]!r}"
                )
            last = line
            yield line

    def _send_position(self, subject: Subject) -> None:
        """Send the position, of a game with its moves, so that repetitions are known."""
        if isinstance(subject, Game):
            moves = " ".join(map(write_move, subject.moves))
            start = strings.write(subject.start.setup())
            self._send("pos", pos=start, **({"moves": moves} if moves else {}))
        else:
            self._send("pos", pos=strings.write(subject.setup()))

    def _collect_reports(
        self, position: Position, on_report: Listener | None, timeout: float | None
    ) -> Report:
        """Read reports until the engine has finished; the last of them, with the move that it plays."""
        started, last = time.monotonic(), None
        while True:
            left = None if timeout is None else max(timeout - (time.monotonic() - started), 0.01)
            line = self._receive(left)
            if line.command == "info":
                last = _report(position, line.arguments) or last
                if on_report is not None and last is not None:
                    on_report(last)
            elif line.command == "done":
                try:
                    move = read_move(position, line.arguments.get("move", ""))
                except CrownheadError as error:
                    raise _Refused(f"{self.name or 'the engine'}: {error}") from error
                return _with_move(position, move, last)
            elif line.command == "error":
                raise _Refused(f"{self.name or 'the engine'}: {line.arguments.get('message', 'an error')}")

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(ValueError, OSError):  # closed meanwhile
            for text in self._process.stdout:
                line = read(text)
                if line is not None:
                    self._lines.put(line)
        self._lines.put(None)

    def _receive(self, timeout: float | None) -> Line:
        try:
            line = self._lines.get(timeout=timeout)
        except queue.Empty:
            raise HubError(f"expected an answer of {self.name or 'the engine'}, it is silent") from None
        if line is None:
            self._lines.put(None)
            raise HubError(f"expected an answer of {self.name or 'the engine'}, {self._ended()}")
        return line

    def _ended(self) -> str:
        """How the engine has ended."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return f"it has ended with status {self._process.wait(1)}"
        return "it has closed its output"

    def _send(self, command: str, **arguments: str) -> None:
        assert self._process.stdin is not None
        try:
            with self._write_lock:
                self._process.stdin.write(f"{Line(command, arguments)}\n")
                self._process.stdin.flush()
        except (OSError, ValueError) as error:
            raise HubError(f"expected an answer of {self.name or 'the engine'}, {self._ended()}") from error


def _report(position: Position, arguments: Mapping[str, str]) -> Report | None:
    """The report of an ``info`` line; None where it has no principal variation."""
    moves, here = [], position
    for text in arguments.get("pv", "").split():
        try:
            moves.append(read_move(here, text))
        except CrownheadError:
            break  # some engines cut it in the middle of a move
        here = here.play(moves[-1])
    if not moves or "score" not in arguments:
        return None
    try:
        depth, nodes = int(arguments.get("depth", 0)), int(float(arguments.get("nodes", 0)))
        seconds, value = float(arguments.get("time", 0)), round(100 * float(arguments["score"]))
    except ValueError:
        return None
    return Report(position, depth, depth, nodes, seconds, (EngineLine(Score(value), tuple(moves)),))


def _with_move(position: Position, move: Move, last: Report | None) -> Report:
    """The last report, or one of the move that the engine plays where its line begins with another."""
    if last is not None and last.move == move:
        return last
    score = last.score if last is not None and last.score is not None else Score(0)
    depth, nodes, seconds = (last.depth, last.nodes, last.seconds) if last else (0, 0, 0.0)
    return Report(position, depth, depth, nodes, seconds, (EngineLine(score, (move,)),))
