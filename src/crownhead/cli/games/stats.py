"""``crownhead pdn stats``: statistics of games as tables, JSON or a chart."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from crownhead.cli.arguments import (
    Commands,
    add_assumed,
    add_command,
    add_files,
    add_json,
    add_numbering,
    whole_number,
)
from crownhead.cli.games import plots
from crownhead.cli.games.entries import entries
from crownhead.cli.games.figures import Figures
from crownhead.cli.games.inputs import RunStatus, read_each
from crownhead.cli.games.report import report
from crownhead.cli.games.tally import Score
from crownhead.cli.sources import InputFile
from crownhead.cli.tables import printable
from crownhead.notation.pdn import VariantRecognised
from crownhead.notation.pdn.conventions import Conventions
from crownhead.rules.schema import Colour

_MAX_ROWS = 10_000
_PLOTS = {".svg": plots.svg, ".csv": plots.csv_table}
_DESCRIPTION = """
Count games by result, length, opening, player, event, year and variant. Results are taken from the tags or
the end of the game. One move means a move by each side. Openings are identified by name or ballot if they
have one, else by their first two moves. Only these first moves are replayed, unless --valid is given.

Memory use is constant for any number of games. Beyond 50,000 different names the rarer half is dropped,
and the report says so.

The exit status is 0, 1 if a file is not text, or 2 if a file cannot be read.
"""
_EXAMPLES = (
    ("crownhead pdn stats games.pdn.gz", "tables of results, lengths, openings, players, events and years"),
    ("crownhead pdn stats --top 25 --json games.pdn", "as JSON, with the first 25 of each table"),
    ("crownhead pdn stats --plot games.svg games.pdn", "as a chart; use .csv for a spreadsheet"),
    ("crownhead pdn filter --event London games.pdn | crownhead pdn stats -", "for some of the games"),
)


def register(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = add_command(
        commands,
        "stats",
        purpose="count results, lengths, openings and names",
        description=_DESCRIPTION,
        examples=_EXAMPLES,
    )
    add_files(parser)
    parser.add_argument(
        "--top",
        metavar="N",
        type=whole_number(0, _MAX_ROWS),
        default=10,
        help="number of rows per table (default: 10)",
    )
    parser.add_argument(
        "--plot",
        metavar="FILE",
        type=_plot,
        help="also write a chart (.svg) or all counts as a table (.csv)",
    )
    parser.add_argument("--valid", action="store_true", help="count only valid games")
    add_assumed(parser, "--variant")
    add_numbering(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the statistics; raises ``OSError`` if the plot cannot be written."""
    figures = Figures()
    recognised: list[dict[str, object]] = []

    def count(file: InputFile, status: RunStatus) -> None:
        conventions = Conventions.of(arguments.assume, arguments.numbering)

        def on_recognised(found: VariantRecognised) -> None:
            recognised.append({"file": file.name, **found.as_dict()})
            if not arguments.json:
                status.reporter(file)(found)

        for entry in entries(file, conventions, on_recognised):
            status.game()
            if not arguments.valid or entry.is_legal:
                figures.add(entry)

    status = read_each(arguments.files, count, what="counting", is_shared=False)
    if arguments.plot is not None:
        Path(arguments.plot).write_text(_PLOTS[Path(arguments.plot).suffix](figures), encoding="utf-8")
    if arguments.json:
        print(json.dumps({**_as_dict(figures, arguments.top), "recognised": recognised}, indent=2))
    else:
        for line in report(figures, arguments.top):
            print(printable(line))
    return status.status


def _plot(name: str) -> str:
    if Path(name).suffix not in _PLOTS:
        raise argparse.ArgumentTypeError(f"expected a file that ends in .svg or .csv, got {name!r}")
    return name


def _as_dict(figures: Figures, top: int) -> dict[str, object]:
    tallies = {"openings": figures.openings, "players": figures.players, "events": figures.events}
    return {
        "games": figures.games,
        "exact": figures.is_exact,
        "results": _results(figures),
        "moves": _moves(figures),
        "openings": _listed(figures.openings.by_games()[:top]),
        "players": [{"name": name, **score.as_dict()} for name, score in figures.players.by_games()[:top]],
        "events": _listed(figures.events.by_games()[:top]),
        "years": _listed(figures.by_year()),
        "variants": _listed(figures.variants.by_games()),
        "different": {name: len(tally) for name, tally in tallies.items()},
    }


def _results(figures: Figures) -> dict[str, int]:
    score = figures.score
    return {
        "first_wins": score.wins,
        "draws": score.draws,
        "second_wins": score.losses,
        "both_lost": figures.both_lost,
        "unknown": figures.unknown,
        **{f"{colour.value}_wins": figures.winners[colour] for colour in Colour},
    }


def _moves(figures: Figures) -> dict[str, object]:
    return {
        "games": figures.lengths.total(),
        "shortest": figures.length_at(0),
        "median": figures.length_at(0.5),
        "mean": round(figures.mean_length, 2),
        "longest": figures.length_at(1),
        "histogram": [{"from": low, "to": high, "games": games} for low, high, games in figures.bins()],
    }


def _listed(rows: Sequence[tuple[str, Score]]) -> list[dict[str, object]]:
    return [
        {
            "name": name,
            "games": score.games,
            "first_wins": score.wins,
            "draws": score.draws,
            "second_wins": score.losses,
        }
        for name, score in rows
    ]
