"""Writes the measured figures as tables, with what they were measured on."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from ceiling import CEILING_BESIDE_DCTL, DCTL, GAMES
from crownhead import VARIANTS
from figures import Figure
from material import Sample
from sections import KERNEL, commit, write_page

Results = dict[tuple[str, str, str], list[Figure]]  # by measure, variant and library
BULK, LEAVES, ENGINE = "perft, bulk", "perft, leaf by leaf", "perft, bulk, in the engine"
GENERIC = "perft, bulk, any rules"
REPLAY, CHECK = "games replayed from PDN", "games checked in PDN"
_NO_CALLS = {BULK, LEAVES, ENGINE, GENERIC, REPLAY, CHECK}
OURS = "crownhead"
CEILING = "ceiling"
ABSENT = "–"


def write_report(
    results: Results, *, peers: Mapping[str, str], samples: Mapping[str, Sample], rounds: int
) -> None:
    """Write all tables."""
    parts = [
        _head(peers, rounds=rounds),
        _perft(results, peers),
        _generic(results),
        _ceiling(results),
        _calls(results, peers),
        _replay(results, peers, samples) if samples else "",
    ]
    write_page(KERNEL, "\n".join(part for part in parts if part))


def _head(peers: Mapping[str, str], *, rounds: int) -> str:
    libraries = ", ".join(f"{name} {version}" for name, version in peers.items())
    compiler = _output(os.environ.get("CXX", "c++"), "--version").splitlines()[0]
    return f"""Measured with `make bench` on {datetime.now(UTC):%Y-%m-%d}, at commit {commit()}.
CPU time of one thread on one core; the median of {rounds} interleaved rounds.

| | |
|---|---|
| processor | {_processor()}, {os.cpu_count()} cores, one used |
| system | {platform.system()} {platform.machine()}, CPython {platform.python_version()} |
| compiler | {compiler} |
| beside | {libraries}, each in an environment of its own |

Figures from other machines cannot be compared with these; ratios can.
"""


def _perft(results: Results, peers: Mapping[str, str]) -> str:
    titles = ["variant"]
    for library in (OURS, *peers):
        titles += [f"{library}, bulk", "leaf by leaf"]
    columns = [(library, measure) for library in (OURS, *peers) for measure in (BULK, LEAVES)]
    rows = [
        [row.name]
        + [
            _rate(results, measure, row.key, library) + _mark(library, row.key)
            for library, measure in columns
        ]
        for row in VARIANTS.values()
    ]
    engine = _rate(results, ENGINE, "international", "py-draughts")
    return f"""## Perft, nodes a second from the start array

*Bulk* only counts the moves of the last ply; *leaf by leaf* makes each one. Every count is checked against
`suites/perft`. Peers count with a loop in Python over their own moves, as their users
would write it; {OURS} stays in its kernel.

{_table(titles, rows)}
\\* py-draughts makes captures optional in American checkers, so it counts a different tree (379 lines at
depth 3 where the law gives 302). In international draughts the loop inside its engine counts {engine}
nodes a second in bulk.
"""


def _generic(results: Results) -> str:
    rows = []
    for variant in (variant for measure, variant, _ in results if measure == GENERIC):
        theirs, ours = (_nodes(results, measure, variant, OURS) for measure in (GENERIC, BULK))
        cells = [_rate(results, measure, variant, OURS) for measure in (BULK, GENERIC)]
        rows.append([VARIANTS[variant].name, *cells, _ratio(theirs, ours)])
    return f"""## By the code for any rules

The variants that the kernel was compiled for, in bulk, and the same by the code that plays every other
variant and house rules.

{_table(["variant", "compiled for its rules", "for any rules", "ratio"], rows)}"""


def _ceiling(results: Results) -> str:
    rows = []
    for measure in (BULK, LEAVES):
        for game in GAMES:
            ours, ceiling = (_nodes(results, measure, game, library) for library in (OURS, CEILING))
            cells = [_rate(results, measure, game, library) for library in (OURS, CEILING)]
            rows.append([VARIANTS[game].name, measure.removeprefix("perft, "), *cells, _ratio(ours, ceiling)])
    scale = _nodes(results, BULK, "american", CEILING) / CEILING_BESIDE_DCTL
    beside = []
    for variant, published in DCTL.items():
        ours = _nodes(results, BULK, variant, OURS)
        cells = [
            _short(ours / 1e6) + " M",
            f"{_short(published * scale / 1e6)} M",
            _ratio(ours, published * scale),
        ]
        beside.append([VARIANTS[variant].name, *cells])
    return f"""## Beside what the machine can do

`benchmarks/ceiling.cpp` is a perft written independently of the kernel for just two games, without a
table, routes or limits, and measured in the same run. In bulk the kernel can be faster, since it counts
the captures of a piece as whole sets. dctl, the fastest published generator, cannot be installed here;
its published figures are scaled by what such a program counted beside it.

{_table(["variant", "perft", OURS, CEILING, "of the ceiling"], rows)}
{_table(["variant", f"{OURS}, bulk", "dctl, scaled", "ratio"], beside)}"""


def _nodes(results: Results, measure: str, variant: str, library: str) -> float:
    return _median(results, (measure, variant, library), lambda figure: figure.rate)


def _ratio(ours: float, theirs: float) -> str:
    return f"× {_short(ours / theirs)}" if ours and theirs else ABSENT


def _calls(results: Results, peers: Mapping[str, str]) -> str:
    names = [measure for measure, _, _ in results if measure not in _NO_CALLS]
    variants = [variant for measure, variant, _ in results if measure in names]
    rows = []
    for variant in dict.fromkeys(variants):
        for measure in dict.fromkeys(names):
            ours = _micros(results, measure, variant, OURS)
            cells = [VARIANTS[variant].name, measure, _short(ours)]
            for peer in peers:
                theirs = _micros(results, measure, variant, peer)
                cells += [_short(theirs), f"× {_short(theirs / ours)}" if theirs and ours else ABSENT]
            rows.append(cells)
    titles = ["variant", "call", OURS]
    for peer in peers:
        titles += [peer, "ratio"]
    return f"""## Calls from Python, microseconds each

The start array, and sixty positions of random games, the same for all. A million divided by the cost of
*legal moves* is the number of legal-move sets a second. Our positions are immutable, so there is nothing to
take back; the peers' figure holds both.

{_table(titles, rows)}"""


def _replay(results: Results, peers: Mapping[str, str], samples: Mapping[str, Sample]) -> str:
    rows = []
    for library in (OURS, *peers):
        sample = samples[library]
        rate = _rate(results, REPLAY, "american", library)
        quick = _rate(results, CHECK, "american", library)
        rows.append([library, rate, quick, f"{sample.games:,}", f"{sample.plies:,}"])
    worst = max(results, key=lambda key: _spread(results[key]))
    usual = median(_spread(figures) for figures in results.values())
    widest = _spread(results[worst])
    return f"""## Games replayed from PDN

American games of 1841–2004: read the text, find each move among the legal ones, play it. The slower the
library, the thinner the sample, taken evenly from the same file. py-draughts accepts these games although it
would accept others too. `pdn check` keeps no games and replays plain records in the kernel.

{_table(["library", "games a second", "as `pdn check` does", "games", "plies"], rows)}
The rounds of half the figures lie within ± {usual:.0%} of their median; the widest spread, ± {widest:.0%},
has *{", ".join(worst)}*.
"""


def _table(titles: list[str], rows: Iterable[list[str]]) -> str:
    lines = [titles, ["---" for _ in titles], *rows]
    return "".join("| " + " | ".join(cells) + " |\n" for cells in lines)


def _mark(library: str, variant: str) -> str:
    return " \\*" if (library, variant) == ("py-draughts", "american") else ""


def _median(results: Results, key: tuple[str, str, str], of: Callable[[Figure], float]) -> float:
    return median(of(figure) for figure in results[key]) if key in results else 0.0


def _rate(results: Results, measure: str, variant: str, library: str) -> str:
    rate = _median(results, (measure, variant, library), lambda figure: figure.rate)
    for unit, name in ((1e6, " M"), (1e3, " k")):
        if rate >= unit:
            return _short(rate / unit) + name
    return _short(rate)


def _micros(results: Results, measure: str, variant: str, library: str) -> float:
    return _median(results, (measure, variant, library), lambda figure: 1e6 / figure.rate)


def _short(number: float) -> str:
    """Three significant figures; nothing for zero."""
    if not number:
        return ABSENT
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def _spread(figures: list[Figure]) -> float:
    rates = [figure.rate for figure in figures]
    return max(max(rates) - median(rates), median(rates) - min(rates)) / median(rates)


def _output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown")
