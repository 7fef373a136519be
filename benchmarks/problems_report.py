"""The section of results/ on the problem positions that the engine solves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from crownhead import VARIANTS
from sections import PROBLEMS, provenance, table, write_section

if TYPE_CHECKING:
    from problems import Finding

LEANINGS = (
    (20, "ahead, but the win is beyond this search"),
    (-20, "no advantage in sight: the claim or the search is in doubt"),
    (-30_000, "behind after every move: the claim is in doubt"),
)
CLAIMS = {1: "wins", 0: "draws", -1: "loses", None: "–"}


def write(findings: Sequence[Finding], *, tables: Mapping[str, int], remarks: Mapping[str, str]) -> None:
    """Put the section where the last one was."""
    short, long = sorted({finding.nodes for finding in findings} - {0})
    known = " and ".join(f"of {most} pieces in {VARIANTS[key].name}" for key, most in tables.items() if most)
    head = f"""{provenance("problems.py")}
Problems from printed collections, as found in a public archive. One thread searches each for {short / 1e6:g}
million nodes (about a tenth of a second), and if that fails, for {long / 1e6:g} million (four seconds),
with endgame tables {known}.
A claimed win is *found* if the engine proves it or sees itself ahead by four fifths of a man, a claimed draw
if it does not see itself behind by so much, a claimed loss if it does. Where a solution is printed, the
engine's move must be its first, or worth no less to it. *Refuted*: another result is proven."""
    groups: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        collection = finding.problem.name.rsplit(" ", 1)[0]
        groups.setdefault((finding.problem.variant, collection), []).append(finding)
    rows = [[VARIANTS[variant].name, name, *_counts(some, short)] for (variant, name), some in groups.items()]
    rows.append(["all", "", *_counts(findings, short)])
    titles = [
        "variant",
        "collection",
        "positions",
        "found by the short search",
        "found",
        "share",
        "proven",
        "refuted",
    ]
    missed = [_missed(finding, remarks) for finding in findings if not finding.found]
    heads = ["problem", "FEN", "claim", "printed", "the engine", "what is the matter"]
    parts = [head, table(titles, rows), "Not found:", table(heads, missed)]
    write_section(PROBLEMS, "\n\n".join(parts))


def _counts(findings: Iterable[Finding], short: int) -> list[str]:
    some = list(findings)
    found = [one for one in some if one.found]
    return [
        f"{len(some)}",
        f"{sum(one.nodes == short for one in found)}",
        f"{len(found)}",
        f"{len(found) / len(some):.1%}",
        f"{sum(one.proven for one in found)}",
        f"{sum(one.refuted for one in some)}",
    ]


def _missed(finding: Finding, remarks: Mapping[str, str]) -> list[str]:
    problem = finding.problem
    ours = "no position" if finding.fault else f"{finding.best} ({finding.score})"
    return [
        problem.name,
        f"`{problem.fen}`",
        CLAIMS[problem.claim],
        problem.solution,
        ours,
        remarks.get(problem.name) or finding.fault or _matter(finding),
    ]


def _matter(finding: Finding) -> str:
    """What the score means for a claim that was not found."""
    value, claim = finding.score.value, finding.problem.claim
    if finding.refuted:
        return "another result is proven"
    if claim == 1:
        return next(text for least, text in LEANINGS if value >= least)
    return "a man or so behind, no draw in sight" if claim == 0 else "behind, but the loss is not in sight"
