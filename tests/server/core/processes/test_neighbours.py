"""Messages between the processes of a club; each test is a family of its own."""

from __future__ import annotations

import subprocess
import sys

HEARD = """
import os, queue, subprocess, sys
from crownhead.server.core.processes.neighbours import Neighbours, hears, tell
heard = queue.SimpleQueue()
hears("greeting")(lambda word: heard.put(word))
family = Neighbours(2)
"""


def run(program: str) -> str:
    """What a program prints."""
    done = subprocess.run(
        [sys.executable, "-c", HEARD + program], capture_output=True, text=True, timeout=60, check=True
    )
    return done.stdout


def test_a_process_tells_the_others() -> None:
    assert (
        run("""
if os.fork() == 0:
    family.settle(1)
    tell("greeting", word="hello")
    os._exit(0)
family.settle(0)
print(heard.get(timeout=30))
""")
        == "hello\n"
    )


def test_a_child_of_its_own_program_tells_the_process_that_started_it() -> None:
    assert (
        run("""
family.settle(0)
environment, passed = family.for_child()
child = '''
from crownhead.server.core.processes.neighbours import tell, tell_parents
tell_parents()
tell("greeting", word="hello")
'''
subprocess.run([sys.executable, "-c", child], env={**os.environ, **environment}, pass_fds=passed)
print(heard.get(timeout=30))
""")
        == "hello\n"
    )


def test_nobody_waits_for_a_neighbour_that_does_not_read_nor_hears_themselves() -> None:
    assert (
        run("""
family.settle(0)
for _ in range(20_000):  # more than an inbox holds
    tell("greeting", word="hello" * 50)
print(heard.empty())
""")
        == "True\n"
    )


def test_one_bad_message_is_logged_and_the_next_is_heard() -> None:
    assert (
        run("""
if os.fork() == 0:
    family.settle(1)
    tell("greeting", nonsense=1)
    tell("greeting", word="still here")
    os._exit(0)
family.settle(0)
print(heard.get(timeout=30))
""")
        == "still here\n"
    )
