"""Three hosts in network namespaces, with a router between them that may drop, refuse or dawdle.

The hosts are that of the tests (where members are), the club's and the database's.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

HERE, CLUB, DATABASE = 1, 2, 3


@dataclass(frozen=True, slots=True)
class Network:
    """The namespaces by their prefix, and the number of the network (RFC 2544 sets some apart for tests)."""

    name: str
    number: int

    def address(self, host: int) -> str:
        """The address of a host."""
        return self._at(16 * host + 2)

    def on(self, host: int) -> tuple[str, ...]:
        """The command that runs another one on a host."""
        return () if host == HERE else ("ip", "netns", "exec", f"{self.name}-{host}")

    def cut(self, first: int, second: int, *, action: str = "blackhole") -> None:
        """Lose what these send to each other, without a word, or answer that it is *unreachable*."""
        for one, other in ((first, second), (second, first)):
            self._router("ip", "rule", "add", *self._rule(one, other, action))

    def mend(self, first: int, second: int, *, action: str = "blackhole") -> None:
        """Pass on again what these send to each other."""
        for one, other in ((first, second), (second, first)):
            self._router("ip", "rule", "del", *self._rule(one, other, action))

    def slow_down(self, host: int, *, rate: str) -> None:
        """Let only so much through to a host and from it; what does not fit waits up to two seconds."""
        shape = ("root", "tbf", "rate", rate, "burst", "2kb", "latency", "2s")
        self._router("tc", "qdisc", "replace", "dev", f"leg{host}", *shape)
        on_host = self.on(host)
        _run(*on_host, "tc", "qdisc", "replace", "dev", self._end(host), *shape)

    def make(self) -> None:
        """Make the namespaces and their links; raises `CalledProcessError` where that is not allowed."""
        _run("ip", "netns", "add", self.name)
        self._router("sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward")
        for host in (HERE, CLUB, DATABASE):
            on, end, router = self.on(host), self._end(host), self._at(16 * host + 1)
            if host != HERE:
                _run("ip", "netns", "add", f"{self.name}-{host}")
            _run("ip", "link", "add", end, "type", "veth", "peer", "name", f"leg{host}", "netns", self.name)
            if host != HERE:
                _run("ip", "link", "set", end, "netns", f"{self.name}-{host}")
            for command in (
                (*on, "ip", "addr", "add", f"{self.address(host)}/28", "dev", end),
                (*on, "ip", "link", "set", "lo", "up"),
                (*on, "ip", "link", "set", end, "up"),
                (*on, "ip", "route", "add", f"{self._at(0)}/24", "via", router),
            ):
                if command[-2:] == ("lo", "up") and host == HERE:
                    continue
                if "route" in command:
                    self._router("ip", "addr", "add", f"{router}/28", "dev", f"leg{host}")
                    self._router("ip", "link", "set", f"leg{host}", "up")
                _run(*command)

    def remove(self) -> None:
        """Remove what was made."""
        for namespace in (f"{self.name}-{CLUB}", f"{self.name}-{DATABASE}", self.name):
            subprocess.run(["ip", "netns", "del", namespace], capture_output=True, check=False)
        subprocess.run(["ip", "link", "del", self._end(HERE)], capture_output=True, check=False)

    def _at(self, place: int) -> str:
        return f"198.18.{self.number}.{place}"

    def _rule(self, one: int, other: int, action: str) -> tuple[str, ...]:
        return ("from", self.address(one), "to", self.address(other), action)

    def _end(self, host: int) -> str:
        return f"{self.name}e{host}"

    def _router(self, *command: str) -> None:
        _run("ip", "netns", "exec", self.name, *command)


@contextmanager
def network() -> Iterator[Network]:
    """Three hosts while the block runs; the test is skipped where they cannot be made."""
    made = Network(f"c{os.getpid() % 100_000}", os.getpid() % 256)
    try:
        made.make()
    except (FileNotFoundError, subprocess.CalledProcessError):
        made.remove()
        pytest.skip("network namespaces need root and iproute2")
    try:
        yield made
    finally:
        made.remove()


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True, text=True, timeout=30)
