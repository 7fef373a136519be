"""``crownhead pdn check``: parse and replay every game of some files."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass, field
from pathlib import Path

from crownhead.cli.arguments import Commands, add_json, add_variant
from crownhead.notation.pdn import BadGame, Doubt, Note, read

_BAD_INPUT, _UNREADABLE = 1, 2


@dataclass(slots=True)
class _Checked:
    """What one file holds."""

    file: str
    good: int = 0
    bad: int = 0
    doubtful: int = 0
    errors: list[BadGame] = field(default_factory=list)
    warnings: list[Doubt] = field(default_factory=list)
    unreadable: str = ""

    def told(self) -> dict[str, object]:
        told: dict[str, object] = {
            "file": self.file,
            "games": self.good + self.bad,
            "good": self.good,
            "bad": self.bad,
            "errors": [_told(error) for error in self.errors],
            "warnings": [{"kind": _kind(doubt), **_told(doubt)} for doubt in self.warnings],
        }
        return {**told, "unreadable": self.unreadable} if self.unreadable else told


def register(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command with its one subcommand."""
    parser = commands.add_parser("pdn", help="work on PDN files", description="Work on PDN files.")
    verbs = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    check = verbs.add_parser(
        "check",
        help="parse and replay every game",
        description="Parse and replay every game, and tell which are bad or doubtful, where and why.",
    )
    check.add_argument("files", metavar="FILE", nargs="+", help="a PDN file, perhaps packed (.gz)")
    add_variant(check)
    add_json(check)
    check.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> int:
    """Print what is good and what is bad; 1 if a game is bad, 2 if a file cannot be read."""
    checked = [_check(file, chosen.variant, aloud=not chosen.json) for file in chosen.files]
    good, bad = sum(one.good for one in checked), sum(one.bad for one in checked)
    if chosen.json:
        total = {"games": good + bad, "good": good, "rejected": bad}
        print(json.dumps({"files": [one.told() for one in checked], **total}, indent=2))
    else:
        doubtful = sum(one.doubtful for one in checked)
        print(f"{good + bad} games, {bad} rejected" + (f", {doubtful} warnings" if doubtful else ""))
    if any(one.unreadable for one in checked):
        return _UNREADABLE
    return _BAD_INPUT if bad else 0


def _check(file: str, variant: str, *, aloud: bool) -> _Checked:
    checked = _Checked(file)

    def note(bad: BadGame) -> None:
        checked.bad += 1
        if aloud:
            print(f"{file}: {bad}", file=sys.stderr)
        else:
            checked.errors.append(bad)

    def doubt(told: Doubt) -> None:
        checked.doubtful += not isinstance(told, Note)
        if aloud:
            print(f"{file}: {_kind(told)}: {told}", file=sys.stderr)
        else:
            checked.warnings.append(told)

    try:
        for _ in read(Path(file), variant=variant, on_error=note, on_warning=doubt):
            checked.good += 1
    except OSError as error:
        checked.unreadable = error.strerror or str(error)
        print(f"crownhead: {file}: {checked.unreadable}", file=sys.stderr)
    return checked


def _kind(doubt: Doubt) -> str:
    return "note" if isinstance(doubt, Note) else "warning"


def _told(bad: BadGame | Doubt) -> dict[str, object]:
    return {
        "game": bad.number,
        "event": bad.event,
        "line": bad.line,
        "column": bad.column,
        "message": str(bad.cause),
    }
