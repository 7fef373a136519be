"""Measures the kernel's module for browsers beside the native kernel, and its replies on a slow phone.

Both run on one thread, one after the other, several rounds. Rates are by processor time, and the best of the
rounds counts, for other work only ever slows one down. Then Chromium plays every variant on a processor that
is slowed four times (`browser_replies.py`). With `--dry` the figures are only printed; variants that are
named are the only ones that are measured.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import json
import os
import subprocess
import sysconfig
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from any_rules import generic_start
from browser_replies import LEVELS, SOON, Replies, replies
from crownhead import VARIANTS, Position
from crownhead.engine import Engine
from crownhead.engine.browser import row, weights
from pages import SLOWED
from sections import BROWSER, provenance, table, write_section

HERE = Path(__file__).resolve().parent
MODULE = HERE.parent / "src/crownhead/server/static/crownhead/wasm/crownhead.wasm"
DENO = Path(sysconfig.get_path("scripts")) / "deno"
DEPTHS = {
    "american": 9,
    "international": 7,
    "russian": 8,
    "canadian": 6,
    "frisian": 6,
    "turkish": 6,
    "dameo": 5,
}
NODES = 4_000_000
ROUNDS = 3


def in_browser(key: str) -> dict[str, float]:
    """What `browser_module.js` measures: rates per second, times in milliseconds."""
    question = {
        "row": row(key),
        "weights": base64.b64encode(weights(key)).decode(),
        "depth": DEPTHS[key],
        "nodes": NODES,
    }
    done = subprocess.run(
        [
            DENO,
            "run",
            "--no-remote",
            "--no-npm",
            "--quiet",
            "--no-check",
            "--allow-read=src",
            HERE / "browser_module.js",
        ],
        cwd=HERE.parent,
        env={**os.environ, "DENO_DIR": "build/deno", "DENO_NO_UPDATE_CHECK": "1"},
        input=json.dumps(question),
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def native(key: str) -> dict[str, float]:
    """The same by the native kernel, as it plays the variant, and by its code for any rules."""
    start, engine = Position.start(key), Engine(key, megabytes=16, tables=False)
    own = generic_start(key)
    return {
        "perft": _rate(lambda: start.perft(DEPTHS[key])),
        "generic": _rate(lambda: own.perft(DEPTHS[key])),
        "searched": _rate(lambda: engine.analyse(start, nodes=NODES).nodes),
    }


def _rate(act: Callable[[], int]) -> float:
    began = time.process_time()
    done = act()
    return done / (time.process_time() - began)


def main() -> None:
    """Measure, and put the section where the last one was."""
    parser = argparse.ArgumentParser(description="measure the module for browsers")
    parser.add_argument("variants", nargs="*", metavar="VARIANT", help="keys; default: all")
    parser.add_argument("--dry", action="store_true", help="print the figures and write nothing")
    chosen = parser.parse_args()
    wanted = chosen.variants or list(VARIANTS)
    speeds = _speeds([key for key in DEPTHS if key in wanted])
    found = []
    for one in replies(wanted):
        found.append(one)
        print(*_reply_row(one), sep="  ", flush=True)
    if not chosen.dry:
        write_section(BROWSER, "\n\n".join((_head(), speeds, _replies_head(found), _replies(found))))


def _speeds(keys: Iterable[str]) -> str:
    """The table of speeds beside the native kernel."""
    rows = []
    for key in keys:
        rounds = [(in_browser(key), native(key)) for _ in range(ROUNDS)]
        ours = {name: max(one[name] for one, _ in rounds) for name in ("perft", "searched")}
        times = {name: min(one[name] for one, _ in rounds) for name in ("compile", "first")}
        theirs = {name: max(one[name] for _, one in rounds) for name in ("perft", "generic", "searched")}
        rows.append(
            [
                VARIANTS[key].name,
                f"{ours['perft'] / 1e6:.1f}",
                f"{ours['perft'] / theirs['perft']:.2f}",
                f"{ours['perft'] / theirs['generic']:.2f}",
                f"{ours['searched'] / 1e3:.0f}",
                f"{ours['searched'] / theirs['searched']:.2f}",
                f"{len(gzip.compress(weights(key))) / 1000:.0f}",
                f"{times['compile'] + times['first']:.0f}",
            ]
        )
        print(*rows[-1], sep="  ", flush=True)
    titles = [
        "variant",
        "perft, millions a second",
        "of native",
        "of native for any rules",
        "search, thousand nodes a second",
        "of native",
        "weights, KB compressed",
        "6 plies from nothing, ms",
    ]
    return table(titles, rows)


def _head() -> str:
    content = MODULE.read_bytes()
    compressed = len(gzip.compress(content))
    return f"""{provenance("browser_module.py")}
The module has {len(content) / 1000:.0f} KB, {compressed / 1000:.0f} KB compressed by gzip. It runs in V8, by
Deno, on one thread; the native kernel beside it on one thread too, by the code that it has for the rules.
Rates are by processor time, once all has run for some seconds. *6 plies from nothing*: compiling the module,
making rules and engine with weights, and a search of 6 plies, by the clock."""


def _replies_head(found: list[Replies]) -> str:
    soon, within = sum(one.are_soon for one in found), sum(one.first <= 1000 for one in found)
    return f"""On a slow phone: the page of the computer in Chromium, over loopback, whose processes run for
1/{SLOWED} of the time. From a move to the painted reply: the first one, for which scripts, module, row and
weights are fetched, with nothing in any cache; and the slowest of those after it at each of the levels
{LEVELS[0]} to {LEVELS[-1]}, where the page waits 100 ms so that the own move is seen. The first reply is
there within a second in {within} of {len(found)} variants, all others within {SOON} ms in {soon}."""


def _replies(found: list[Replies]) -> str:
    titles = ["variant", "first reply, ms", *(f"at level {level}, ms" for level in LEVELS)]
    return table(titles, [_reply_row(one) for one in found])


def _reply_row(one: Replies) -> list[str]:
    return [VARIANTS[one.variant].name, f"{one.first:.0f}", *(f"{slowest:.0f}" for slowest in one.slowest)]


if __name__ == "__main__":
    main()
