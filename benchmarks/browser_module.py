"""Measures the kernel's module for browsers beside the native kernel: its size, speed and first move.

Both run on one thread, one after the other, several rounds. Rates are by processor time, and the best of the
rounds counts, for other work only ever slows one down.
"""

from __future__ import annotations

import base64
import gzip
import json
import os
import subprocess
import sysconfig
import time
from collections.abc import Callable
from pathlib import Path

from any_rules import generic_start
from crownhead import VARIANTS, Position
from crownhead.engine import Engine
from crownhead.engine.browser import row, weights
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
NODES = 4_000_000  # engines of browsers compile well what has run for a while
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
    rows = []
    for key in DEPTHS:
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
    content = MODULE.read_bytes()
    compressed = len(gzip.compress(content))
    head = f"""{provenance("browser_module.py")}
The module has {len(content) / 1000:.0f} KB, {compressed / 1000:.0f} KB compressed by gzip. It runs in V8, by
Deno, on one thread; the native kernel beside it on one thread too, by the code that it has for the rules.
Rates are by processor time. *First move*: compiling the module, making rules and engine with weights, and a
search of 6 plies, by the clock."""
    titles = [
        "variant",
        "perft, millions a second",
        "of native",
        "of native for any rules",
        "search, thousand nodes a second",
        "of native",
        "weights, KB compressed",
        "first move, ms",
    ]
    write_section(BROWSER, f"{head}\n\n{table(titles, rows)}")


if __name__ == "__main__":
    main()
