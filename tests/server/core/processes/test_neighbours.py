"""Messages between the processes of a club; each test is a family of its own."""

from __future__ import annotations

import subprocess
import sys

PREAMBLE = """
import os, queue, subprocess, sys
from crownhead.server.core.processes.neighbours import Neighbours, subscribe, broadcast
received = queue.SimpleQueue()
subscribe("greeting")(lambda word: received.put(word))
family = Neighbours(2)
"""


def run(program: str) -> str:
    """What a program prints."""
    done = subprocess.run(
        [sys.executable, "-c", PREAMBLE + program], capture_output=True, text=True, timeout=60, check=True
    )
    return done.stdout


def test_a_process_broadcasts_to_the_others() -> None:
    assert (
        run("""
if os.fork() == 0:
    family.settle(1)
    broadcast("greeting", word="hello")
    os._exit(0)
family.settle(0)
print(received.get(timeout=30))
""")
        == "hello\n"
    )


def test_the_parent_tells_the_others_of_an_end() -> None:
    assert (
        run("""
from crownhead.server.core.processes.neighbours import ENDED
subscribe(ENDED)(lambda place: received.put(place))
if os.fork() == 0:
    family.settle(0)
    print(received.get(timeout=30), flush=True)
    os._exit(0)
family.announce_end(0)  # nobody hears of their own
family.announce_end(1)
os.wait()
""")
        == "1\n"
    )


def test_a_child_of_its_own_program_sends_to_the_process_that_started_it() -> None:
    assert (
        run("""
family.settle(0)
environment, passed = family.for_child()
child = '''
from crownhead.server.core.processes.neighbours import broadcast, connect_to_parents
connect_to_parents()
broadcast("greeting", word="hello")
'''
subprocess.run([sys.executable, "-c", child], env={**os.environ, **environment}, pass_fds=passed)
print(received.get(timeout=30))
""")
        == "hello\n"
    )


def test_nobody_waits_for_a_neighbour_that_does_not_read_nor_receives_their_own() -> None:
    assert (
        run("""
family.settle(0)
for _ in range(20_000):  # more than an inbox holds
    broadcast("greeting", word="hello" * 50)
print(received.empty())
""")
        == "True\n"
    )


def test_one_bad_message_is_logged_and_the_next_is_received() -> None:
    assert (
        run("""
if os.fork() == 0:
    family.settle(1)
    broadcast("greeting", nonsense=1)
    broadcast("greeting", word="still here")
    os._exit(0)
family.settle(0)
print(received.get(timeout=30))
""")
        == "still here\n"
    )
