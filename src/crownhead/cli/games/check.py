"""``crownhead pdn check``: parse and replay every game of PDN files."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial

from crownhead.cli.arguments import (
    Commands,
    add_assumed,
    add_command,
    add_files,
    add_json,
    add_numbering,
    whole_number,
)
from crownhead.cli.games.inputs import BAD_INPUT, UNREADABLE, total_of
from crownhead.cli.games.parallel import default_jobs, map_files
from crownhead.cli.progress import Progress
from crownhead.cli.sources import Unreadable, display_name, opened, size_of
from crownhead.cli.tables import counted
from crownhead.notation.numberings import Numbering
from crownhead.notation.pdn import PdnError, PdnInfo, PdnWarning, VariantRecognised
from crownhead.notation.pdn import check as replay
from crownhead.rules.errors import IllegalMove
from crownhead.rules.lookup import AUTO
from crownhead.rules.variants import VARIANTS

_MAX_JOBS = 256
_Finding = PdnError | PdnWarning

_DESCRIPTION = """
Parse and replay every game and report problems. An error is a game that cannot be read or has an illegal
move; a warning is text that the standard does not allow but that can be understood; an info message reports a
choice that the reader made, such as which variant it is or which of two captures a short move means.
Messages go to standard error with file, game, line and column; the totals go to standard output.

Several files are checked in parallel and reported in the given order.

The exit status is 0 if all games are valid, 1 if one is not, or 2 if a file cannot be read.
"""
_EXAMPLES = (
    ("crownhead pdn check games.pdn", "is every game legal?"),
    ("crownhead pdn check --jobs 4 archive/*.pdn.gz", "several files, four at a time"),
    ("crownhead pdn check --json games.pdn", "output as JSON"),
    (
        "crownhead pdn check --variant pool -",
        "from standard input; its games do not name their variant",
    ),
)


@dataclass(slots=True)
class _Checked:
    """The result for one file; ``findings`` in order, unless they are reported immediately."""

    file: str
    good: int = 0
    bad: int = 0
    warnings: int = 0
    illegal: int = 0  # bad games with an illegal move
    recognised: VariantRecognised | None = None
    findings: list[_Finding] = field(default_factory=list)
    unreadable: str = ""

    def as_dict(self) -> dict[str, object]:
        bad = [_as_dict(found) for found in self.findings if isinstance(found, PdnError)]
        messages = [found for found in self.findings if isinstance(found, PdnWarning)]
        data: dict[str, object] = {
            "file": self.file,
            "games": self.good + self.bad,
            "good": self.good,
            "bad": self.bad,
            "errors": bad,
            "warnings": [{"kind": _kind(message), **_as_dict(message)} for message in messages],
        }
        if self.recognised is not None:
            data["recognised"] = self.recognised.as_dict()
        return {**data, "unreadable": self.unreadable} if self.unreadable else data


def register(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = add_command(
        commands,
        "check",
        purpose="parse and replay every game",
        description=_DESCRIPTION,
        examples=_EXAMPLES,
    )
    add_files(parser)
    add_assumed(parser, "--variant")
    add_numbering(parser)
    parser.add_argument(
        "--jobs",
        metavar="N",
        type=whole_number(1, _MAX_JOBS),
        default=default_jobs(),
        help="number of files to check in parallel (default: the number of processors, here %(default)s)",
    )
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Check the files; return 1 if a game is bad, 2 if a file cannot be read, else 0."""
    with Progress("checking", total=total_of(arguments.files)) as progress:
        checked = [_report(one, arguments, progress) for one in _all_checked(arguments, progress)]
    good, bad = sum(one.good for one in checked), sum(one.bad for one in checked)
    if arguments.json:
        total = {"games": good + bad, "good": good, "rejected": bad}
        print(json.dumps({"files": [one.as_dict() for one in checked], **total}, indent=2))
    else:
        warnings = sum(one.warnings for one in checked)
        summary = f"{counted(good + bad, 'game')}, {bad} rejected"
        print(summary + (f", {counted(warnings, 'warning')}" if warnings else ""))
    if any(one.unreadable for one in checked):
        return UNREADABLE
    return BAD_INPUT if bad else 0


def _all_checked(arguments: argparse.Namespace, progress: Progress) -> Iterator[_Checked]:
    files, jobs = arguments.files, min(arguments.jobs, len(arguments.files))
    if jobs > 1:
        work = partial(_check, variant=arguments.assume, numbering=arguments.numbering)
        yield from map_files(files, work, jobs=jobs, progress=progress)
        return
    before = 0
    for file in files:
        on_finding = None if arguments.json else partial(_print_finding, progress, file)
        on_progress = partial(_show, progress, before)
        yield _check(
            file, on_progress, variant=arguments.assume, numbering=arguments.numbering, on_finding=on_finding
        )
        before += size_of(file)


def _check(
    file: str,
    on_progress: Callable[[int], None],
    *,
    variant: str,
    numbering: Numbering,
    on_finding: Callable[[_Finding], object] | None = None,
) -> _Checked:
    """Check one file; findings are kept unless ``on_finding`` is given to receive them."""
    checked = _Checked(file)
    take = checked.findings.append if on_finding is None else on_finding

    def keep(bad: PdnError) -> None:
        checked.illegal += isinstance(bad.cause, IllegalMove)
        take(replace(bad, game=None))  # too much to keep

    try:
        with opened(file) as source:
            games = replay(source, variant=variant, numbering=numbering, on_error=keep, on_warning=take)
            try:
                for _ in games:
                    on_progress(source.done)
            finally:
                checked.good, checked.bad, checked.warnings = games.good, games.bad, games.warnings
                checked.recognised = games.recognised
    except Unreadable as error:
        checked.unreadable = error.reason
    return checked


def _report(one: _Checked, arguments: argparse.Namespace, progress: Progress) -> _Checked:
    """Print the findings of a file that have not been printed yet."""
    if not arguments.json:
        for finding in one.findings:
            _print_finding(progress, one.file, finding)
        one.findings.clear()
        if one.illegal and not one.good and arguments.assume != AUTO:
            progress.print(
                f"{display_name(one.file)}: no valid game found; games that do not name their variant were "
                f"read as {VARIANTS[arguments.assume].name} (--variant)"
            )
    if one.unreadable:
        progress.print(f"crownhead: {display_name(one.file)}: {one.unreadable}")
    return one


def _print_finding(progress: Progress, file: str, finding: _Finding) -> None:
    kind = "" if isinstance(finding, PdnError) else f"{_kind(finding)}: "
    progress.print(f"{display_name(file)}: {kind}{finding}")


def _show(progress: Progress, before: int, done: int) -> None:
    progress.show(before + done)


def _kind(message: PdnWarning) -> str:
    return "info" if isinstance(message, PdnInfo) else "warning"


def _as_dict(finding: _Finding) -> dict[str, object]:
    return {
        "game": finding.number,
        "event": finding.event,
        "line": finding.line,
        "column": finding.column,
        "message": str(finding.cause),
    }
