"""`crownhead pdn stats`."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from xml.etree import ElementTree

import pytest

from crownhead.cli.games.tally import Tally
from tests.cli.conftest import Command, program
from tests.notation.files import PDN, SAMPLE, data

SVG = "{http://www.w3.org/2000/svg}"


def test_results_are_counted_by_order_and_by_colour(run: Command, games: Path) -> None:
    data = run("pdn", "stats", "--json", games).json
    assert data["games"] == 4
    assert data["exact"] is True
    assert data["results"] == {
        "first_wins": 1,
        "draws": 2,
        "second_wins": 1,
        "both_lost": 0,
        "unknown": 0,
        "black_wins": 1,
        "white_wins": 1,
    }


def test_the_variant_is_recognised_and_told(run: Command) -> None:
    path = PDN / "czech.pdn"
    data = run("pdn", "stats", "--json", "--valid", path).json
    assert data["recognised"] == [
        {
            "file": str(path),
            "variant": "czech",
            "reason": "squares have names up to h8, the only game replays",
        }
    ]
    assert [row["name"] for row in data["variants"]] == ["czech"]
    ran = run("pdn", "stats", path)
    assert ran.err.startswith(f"{path}: info: no variant is named; read as Czech draughts (czech): ")


def test_lengths_are_counted_in_moves(run: Command, games: Path) -> None:
    moves = run("pdn", "stats", "--json", games).json["moves"]
    assert {key: moves[key] for key in ("games", "shortest", "median", "mean", "longest")} == {
        "games": 4,
        "shortest": 2,
        "median": 2,
        "mean": 2.5,
        "longest": 3,
    }
    assert moves["histogram"] == [{"from": 1, "to": 10, "games": 4}]


def test_openings_have_names_ballots_or_first_moves(run: Command, tmp_path: Path) -> None:
    path = tmp_path / "openings.pdn"
    path.write_text(
        "1. 11-15 22-18 2. 15x22 25x18 *\n"  # named, whatever follows
        "1. 9-13 21-17 2. 5-9 25-21 *\n"  # a ballot without a name of its own
        '[GameType "25"]\n1. ab4 bc5 2. ba5 cb4 *\n'  # a ballot without a name
        '[GameType "20"]\n1. 33-29 19-23 2. 35-30 14-19 *\n'
        '[GameType "20"]\n1. 33-29 17-22 2. 39-33 11-17 3. 44-39 6-11 4. 50-44 1-6 5. 31-26 16-21 '
        "6. 32-28 19-23 7. 28x19 14x23 8. 35-30 10-14 9. 30-24 23-28 10. 40-35 *\n"
        '[Event "nothing"]\n*\n'
        "1. 1-32 *\n"
    )
    data = {row["name"]: row["games"] for row in run("pdn", "stats", "--json", path).json["openings"]}
    assert data == {
        "Single Corner": 1,
        "Edinburgh": 1,
        "ballot III-2: ab4 bc5 ba5 cb4": 1,
        "33-29 19-23": 1,
        "Keller: Main Line": 1,
        "unknown": 1,
    }


def test_players_have_what_they_won_drew_and_lost(run: Command, games: Path) -> None:
    players = {row.pop("name"): row for row in run("pdn", "stats", "--json", games).json["players"]}
    assert players["Jordan, A."] == {"games": 2, "wins": 1, "draws": 1, "losses": 0}
    assert players["Long, S."] == {"games": 2, "wins": 0, "draws": 0, "losses": 2}
    assert players["Kuperman"] == {"games": 1, "wins": 0, "draws": 1, "losses": 0}


def test_events_years_and_variants_are_counted(run: Command, games: Path) -> None:
    data = run("pdn", "stats", "--json", games).json
    counts = {
        table: {row["name"]: row["games"] for row in data[table]} for table in ("events", "years", "variants")
    }
    assert counts == {
        "events": {"London": 2, "Glasgow Open": 1, "Moskva": 1},
        "years": {"1912": 1, "1931": 1, "1964": 1},
        "variants": {"american": 3, "russian": 1},
    }
    assert data["different"] == {"openings": 4, "players": 6, "events": 3}


def test_top_cuts_tables_of_names(run: Command, games: Path) -> None:
    data = run("pdn", "stats", "--json", "--top", "1", games).json
    assert [len(data[table]) for table in ("openings", "players", "events")] == [1, 1, 1]
    assert "and 5 more" in run("pdn", "stats", "--top", "1", games).out


def test_only_games_that_can_be_replayed_are_counted_if_so_wanted(run: Command, tmp_path: Path) -> None:
    path = tmp_path / "mixed.pdn"
    path.write_text("1. 11-15 22-18 *\n1. 11-15 1-32 *\n1. 11-15 ( *\n")
    assert run("pdn", "stats", "--json", path).json["games"] == 3
    assert run("pdn", "stats", "--json", "--valid", path).json["games"] == 1


def test_the_tables_are_printed_for_people(run: Command) -> None:
    ran = run("pdn", "stats", "--variant", "american", SAMPLE)
    assert (ran.status, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == "20 games, 1841–2001"
    assert [line.split()[0] for line in lines if line.endswith(("won", "lost"))] == [
        "Openings",
        "Players",
        "Events",
        "Years",
        "Variants",
    ]
    assert any(line.startswith("Black won") for line in lines)
    assert any(line.startswith("shortest ") for line in lines)


def test_what_a_terminal_would_obey_is_not_printed(run: Command, tmp_path: Path) -> None:
    path = tmp_path / "evil.pdn"
    path.write_text('[Event "\x1b[2J\x1b]0;owned\x07"]\n[White "A\u202eB"]\n1. 11-15 1-32 *\n')
    for command in (("pdn", "stats"), ("pdn", "check")):
        ran = run(*command, path)
        assert not {"\x1b", "\x07", "\u202e"} & set(ran.out + ran.err)


def test_a_picture_is_written_that_says_what_it_shows(run: Command, games: Path, tmp_path: Path) -> None:
    path = tmp_path / "plot.svg"
    assert run("pdn", "stats", "--plot", path, SAMPLE, games).status == 0
    picture = ElementTree.fromstring(path.read_text(encoding="utf-8"))
    assert picture.tag == f"{SVG}svg"
    assert picture.findtext(f"{SVG}title") == "24 games"
    data = [text.text or "" for text in picture.iter(f"{SVG}text")]
    assert {"Results", "Lengths in moves", "Years", "Openings", "Players (won, drawn, lost)"} <= set(data)
    assert {"american", "russian", "Jordan, A."} <= set(data)
    notes = [rect.findtext(f"{SVG}title") for rect in picture.iter(f"{SVG}rect")]
    assert "russian: 1 of 1 (100.0%)" in notes


def test_a_picture_of_hostile_names_is_good_xml(run: Command, tmp_path: Path) -> None:
    path, plot = tmp_path / "evil.pdn", tmp_path / "plot.svg"
    path.write_bytes(b'[Event "<script>&\x01\xff"]\n[White "</svg>\x1b"]\n1. 11-15 *\n')
    assert run("pdn", "stats", "--plot", plot, path).status == 0
    ElementTree.fromstring(plot.read_text(encoding="utf-8"))


def test_a_table_for_programs_has_every_count(run: Command, games: Path, tmp_path: Path) -> None:
    path = tmp_path / "plot.csv"
    assert run("pdn", "stats", "--plot", path, "--top", "1", games).status == 0
    rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))
    assert {row["table"] for row in rows} == {
        "all", "length", "year", "variant", "opening", "player", "event",
    }  # fmt: skip
    (jordan,) = [row for row in rows if row["name"] == "Jordan, A."]
    assert jordan == {
        "table": "player",
        "name": "Jordan, A.",
        "games": "2",
        "first_wins": "1",
        "draws": "1",
        "second_wins": "0",
    }


@pytest.mark.parametrize("text", ["", "\n\n", "% nothing here\n"])
def test_a_file_without_games_has_none(run: Command, tmp_path: Path, text: str) -> None:
    path = tmp_path / "empty.pdn"
    path.write_text(text)
    ran = run("pdn", "stats", "--plot", tmp_path / "plot.svg", path)
    assert (ran.status, ran.out, ran.err) == (0, "0 games\n", "")
    data = run("pdn", "stats", "--json", path).json
    assert (data["games"], data["moves"]["median"], data["openings"]) == (0, 0, [])


def test_a_plot_in_an_unknown_format_is_wrong_usage(run: Command, games: Path) -> None:
    ran = run("pdn", "stats", "--plot", "plot.png", games)
    assert (ran.status, ran.out) == (2, "")
    assert "expected a file that ends in .svg or .csv, got 'plot.png'" in ran.err


def test_a_plot_that_cannot_be_written_is_told(run: Command, games: Path, tmp_path: Path) -> None:
    ran = run("pdn", "stats", "--plot", tmp_path / "no" / "plot.svg", "--json", games)
    assert ran.status == 2
    assert ran.err == f"crownhead: {tmp_path / 'no' / 'plot.svg'}: No such file or directory\n"


def test_a_tally_forgets_rare_names_and_says_so() -> None:
    tally = Tally(most=10)
    for number in range(100):
        tally.add("often", 1.0)
        tally.add(f"rare {number}", None)
    assert not tally.is_exact
    assert len(tally) <= 10
    name, score = tally.by_games()[0]
    assert (name, score.games, score.wins, score.known) == ("often", 100, 100, 100)


def test_an_endless_name_takes_no_endless_memory() -> None:
    tally = Tally()
    tally.add("x" * 1_000_000, None)
    assert [len(name) for name, _ in tally.by_name()] == [120]


def test_the_archive_is_counted() -> None:
    done = program("pdn", "stats", "--json", data("games", "american_1841-2004.pdn.gz"))
    assert done.returncode == 0
    assert b'"games": 7541' in done.stdout
    assert b'"draws": 4756' in done.stdout
