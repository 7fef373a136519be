"""``crownhead pdn check``: parse and replay every game of some files."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

from crownhead.cli.arguments import Commands, add_assumed, add_command, add_files, add_json, whole_number
from crownhead.cli.games.inputs import BAD_INPUT, UNREADABLE, total_of
from crownhead.cli.games.together import most_jobs, of_each
from crownhead.cli.progress import Progress
from crownhead.cli.sources import Unreadable, opened, shown, size_of
from crownhead.notation.pdn import BadGame, Doubt, Note
from crownhead.notation.pdn import check as replay
from crownhead.rules.errors import IllegalMove
from crownhead.rules.variants import VARIANTS

_MOST_JOBS = 256
_Finding = BadGame | Doubt

_DESCRIPTION = """
Parse and replay every game, and tell which are bad or doubtful, where and why. A bad game has a move that
is not legal, or cannot be read; a warning marks what the standard does not allow but is understood; a note
tells of a choice, such as which of two captures a short move means. Each is told on the standard error with
file, game, line and column; the counts go to the standard output.

Several files are checked at a time, each by a process of its own, and told in the order given.

The exit status is 0 if all games are good, 1 if one is bad, 2 if a file cannot be read.
"""
_EXAMPLES = (
    ("crownhead pdn check games.pdn", "is every game legal?"),
    ("crownhead pdn check --jobs 4 archive/*.pdn.gz", "several files, four at a time"),
    ("crownhead pdn check --json games.pdn", "the same for programs"),
    (
        "crownhead pdn check --variant russian -",
        "standard input; its games do not name their variant",
    ),
)


@dataclass(slots=True)
class _Checked:
    """What one file holds; ``findings`` in the order of the file, unless they are handed on at once."""

    file: str
    good: int = 0
    bad: int = 0
    doubtful: int = 0
    illegal: int = 0  # of the bad, those with a move that is not legal
    findings: list[_Finding] = field(default_factory=list)
    unreadable: str = ""

    def told(self) -> dict[str, object]:
        bad = [_told(found) for found in self.findings if isinstance(found, BadGame)]
        doubts = [found for found in self.findings if isinstance(found, Doubt)]
        told: dict[str, object] = {
            "file": self.file,
            "games": self.good + self.bad,
            "good": self.good,
            "bad": self.bad,
            "errors": bad,
            "warnings": [{"kind": _kind(doubt), **_told(doubt)} for doubt in doubts],
        }
        return {**told, "unreadable": self.unreadable} if self.unreadable else told


def register(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "check",
        purpose="parse and replay every game",
        description=_DESCRIPTION,
        examples=_EXAMPLES,
    )
    add_files(parser)
    add_assumed(parser, "--variant")
    parser.add_argument(
        "--jobs",
        metavar="N",
        type=whole_number(1, _MOST_JOBS),
        default=most_jobs(),
        help="files that are checked at a time (default: as many as there are processors, here %(default)s)",
    )
    add_json(parser)
    parser.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> int:
    """Print what is good and what is bad; 1 if a game is bad, 2 if a file cannot be read."""
    with Progress("checking", total=total_of(chosen.files)) as progress:
        checked = [_aired(one, chosen, progress) for one in _all_checked(chosen, progress)]
    good, bad = sum(one.good for one in checked), sum(one.bad for one in checked)
    if chosen.json:
        total = {"games": good + bad, "good": good, "rejected": bad}
        print(json.dumps({"files": [one.told() for one in checked], **total}, indent=2))
    else:
        doubtful = sum(one.doubtful for one in checked)
        print(f"{good + bad} games, {bad} rejected" + (f", {doubtful} warnings" if doubtful else ""))
    if any(one.unreadable for one in checked):
        return UNREADABLE
    return BAD_INPUT if bad else 0


def _all_checked(chosen: argparse.Namespace, progress: Progress) -> Iterator[_Checked]:
    files, jobs = chosen.files, min(chosen.jobs, len(chosen.files))
    if jobs > 1:
        yield from of_each(files, partial(_check, variant=chosen.assume), jobs=jobs, progress=progress)
        return
    before = 0
    for file in files:
        found = None if chosen.json else partial(_say, progress, file)
        tell = partial(_show, progress, before)
        yield _check(file, tell, variant=chosen.assume, found=found)
        before += size_of(file)


def _check(
    file: str,
    tell: Callable[[int], None],
    *,
    variant: str,
    found: Callable[[_Finding], object] | None = None,
) -> _Checked:
    """Check one file; findings are kept unless ``found`` takes them."""
    checked = _Checked(file)
    take = checked.findings.append if found is None else found

    def keep(finding: _Finding) -> None:
        checked.illegal += isinstance(finding, BadGame) and isinstance(finding.cause, IllegalMove)
        take(finding)

    try:
        with opened(file) as feed:
            games = replay(feed, variant=variant, on_error=keep, on_warning=keep)
            try:
                for _ in games:
                    tell(feed.done)
            finally:
                checked.good, checked.bad, checked.doubtful = games.good, games.bad, games.doubtful
    except Unreadable as error:
        checked.unreadable = error.reason
    return checked


def _aired(one: _Checked, chosen: argparse.Namespace, progress: Progress) -> _Checked:
    """Say what is to be said of a file now."""
    if not chosen.json:
        for finding in one.findings:
            _say(progress, one.file, finding)
        one.findings.clear()
        if one.illegal and not one.good:
            progress.say(
                f"{shown(one.file)}: no game is legal; those that do not name their variant were taken for "
                f"{VARIANTS[chosen.assume].name} (--variant)"
            )
    if one.unreadable:
        progress.say(f"crownhead: {shown(one.file)}: {one.unreadable}")
    return one


def _say(progress: Progress, file: str, finding: _Finding) -> None:
    kind = "" if isinstance(finding, BadGame) else f"{_kind(finding)}: "
    progress.say(f"{shown(file)}: {kind}{finding}")


def _show(progress: Progress, before: int, done: int) -> None:
    progress.show(before + done)


def _kind(doubt: Doubt) -> str:
    return "note" if isinstance(doubt, Note) else "warning"


def _told(finding: _Finding) -> dict[str, object]:
    return {
        "game": finding.number,
        "event": finding.event,
        "line": finding.line,
        "column": finding.column,
        "message": str(finding.cause),
    }
