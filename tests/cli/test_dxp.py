"""``crownhead dxp``: one program listens, another offers it games."""

from __future__ import annotations

import socket
import subprocess

from tests.cli.conftest import PROGRAM, Command

SHUT_IN = "W:WK1,K27:B28"  # 27-32 wins at once


def test_one_listens_and_plays_what_another_offers(run: Command) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        place = f"127.0.0.1:{probe.getsockname()[1]}"
    listening = subprocess.Popen(
        [*PROGRAM, "dxp", "--listen", place, "--variant", "american"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert listening.stderr is not None
        assert "Waiting for connections" in listening.stderr.readline()
        host, _, port = place.partition(":")
        with socket.create_connection((host, int(port))) as stranger:
            stranger.sendall(b"hello\0")
        assert "expected a message of DamExchange" in listening.stderr.readline()
        ran = run("dxp", "--connect", place, "--fen", SHUT_IN, "--games", "2")
    finally:
        listening.kill()
        theirs, _ = listening.communicate()
    assert ran.status == 0
    assert ran.out.count("27-32") == 2
    assert theirs.count("27-32") >= 1


def test_where_nobody_listens_that_is_said(run: Command) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        place = f"127.0.0.1:{probe.getsockname()[1]}"
    ran = run("dxp", "--connect", place)
    assert ran.status == 1
    assert "expected a program at 127.0.0.1" in ran.err


def test_one_either_listens_or_connects(run: Command) -> None:
    assert run("dxp").status == 2
    assert run("dxp", "--connect", "somewhere:x").status == 2
