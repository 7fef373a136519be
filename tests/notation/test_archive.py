"""Real games: a sample in the repository, and whole archives if they are available."""

from __future__ import annotations

import csv
import gzip
import io
import re
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import pytest

from crownhead import Game, Termination, pdn
from crownhead.notation.pdn import GameTree, PdnError, PdnInfo, PdnWarning, Style
from tests.lengths import short_and_full
from tests.notation.files import SAMPLE, data


def test_the_sample_is_read_whole() -> None:
    reader = pdn.read(SAMPLE)
    results = Counter(game.result for game in reader)
    assert (reader.good, reader.bad) == (20, 0)
    assert results == Counter(re.findall(r'Result "([^"]*)"', SAMPLE.read_text()))


def test_the_first_game_of_the_sample_is_what_its_record_says() -> None:
    game = next(pdn.read(SAMPLE))
    assert game.tags["White"] == "Wyllie, J."
    assert len(game.moves) == 44
    assert game.notations()[-1] == "26x1"
    assert game.moves[-1].path == (26, 17, 10, 1)
    assert (game.result, game.outcome().termination) == ("0-1", Termination.UNKNOWN)  # type: ignore[union-attr]


def test_all_games_of_the_archive_are_read_and_results_are_kept() -> None:
    path = data("games", "american_1841-2004.pdn.gz")
    with gzip.open(path, "rt") as file:
        recorded = re.findall(r'\[Result "([^"]*)"', file.read())
    reader = pdn.read(path)
    results = [game.result for game in reader]
    assert (reader.good, reader.bad) == (7541, 0)
    assert [pair for pair in zip(results, recorded, strict=True) if pair[0] != pair[1]] == []


@pytest.mark.parametrize("read", [pdn.read, pdn.read_trees])
def test_memory_stays_flat_however_long_the_file(read: Callable[[Path], Iterator[object]]) -> None:
    reader = read(data("games", "american_1841-2004.pdn.gz"))
    for _ in zip(range(200), reader, strict=False):
        pass
    tracemalloc.start()
    for _ in zip(range(400), reader, strict=False):
        pass
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 4_000_000


@pytest.mark.slow
@pytest.mark.parametrize("step", short_and_full(10, 1))
def test_all_games_of_the_archive_are_written_and_read_back(step: int) -> None:
    for game in islice(pdn.read(data("games", "american_1841-2004.pdn.gz")), 0, None, step):
        text = game.pdn()
        (again,) = pdn.read(text)
        assert (again.moves, again.outcome(), again.pdn()) == (game.moves, game.outcome(), text)


@pytest.mark.parametrize(
    ("name", "variant", "good", "bad"),
    [
        ("succeed/PROF2.pdn", "international", 16, []),
        ("succeed/OCA_2.0.pdn", "american", 43, []),
        ("succeed/schildpad.pdn", "international", 34, []),  # three ambiguous captures
        ("succeed/Tricks traps and shots.pdn", "american", 92, []),  # two
        ("succeed/Campionato Assoluto 2005.pdn", "italian", 53, []),  # one that nothing decides
        ("succeed/alphanumeric.pdn", "russian", 1, []),
        ("succeed/unicode.pdn", "international", 1, []),
        ("succeed/variation.pdn", "international", 1, []),
        ("succeed/movestrength.pdn", "international", 1, []),
        ("fail/40Camp.DamaInternazionaleAssoluto.pdn", "international", 45, []),  # games without an end
        ("fail/Cat.A1.pdn", "international", 35, []),  # a stray full stop
        ("fail/Cat.C1.pdn", "international", 45, [46]),  # a move without a game
        ("fail/abatsiev.pdn", "russian", 56, []),  # unknown moves
        ("fail/delfts.pdn", "international", 2, []),  # results such as 4-6
        ("succeed/mrcd2006.pdn", "czech", 44, []),
        ("fail/mrdrcd07.pdn", "czech", 72, []),  # three games without a move
        ("fail/mrdrcd08.pdn", "czech", 40, []),
        ("succeed/lpc.pdn", "american", 100, []),  # men on the row where men are crowned
        ("fail/nested_comment.pdn", "international", 0, [1]),
    ],
)
def test_files_of_the_standards_author_are_read(name: str, variant: str, good: int, bad: list[int]) -> None:
    path = data("pdn_conformance", "wiegerw", *name.split("/"))
    found: list[int] = []
    reader = pdn.read(path, on_error=lambda fault: found.append(fault.number))
    games = list(reader)
    assert (len(games), found) == (good, bad)
    assert {game.variant.key for game in games} <= {variant}


@pytest.mark.parametrize("variant", ["international", "russian", "brazilian", "italian", "czech", "frisian"])
def test_games_of_other_variants_are_written_and_read_back(variant: str) -> None:
    with gzip.open(data("games", f"{variant}.tsv.gz"), "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    for row in rows:
        game = Game(variant, start=row["start_fen"] or None, draw_rules="none")
        for move in row["moves"].split():
            game.push(move)
        (again,) = pdn.read(game.pdn())
        assert (again.moves, again.start, again.pdn()) == (game.moves, game.start, game.pdn())
    assert rows


_NOTED = {  # captures settled by later moves or by nothing, men that must be kings, a result told twice
    "Campionato Assoluto 2005": 1,
    "Tricks traps and shots": 2,
    "beginner": 1,
    "candidate95": 1,
    "goulds": 1,
    "lpc": 4,
    "schildpad": 2,
}


def _files(folder: str) -> list[Path]:
    return sorted(data("pdn_conformance", "wiegerw", folder).glob("*.pdn"))


def _read(path: Path) -> tuple[list[GameTree], list[PdnError], list[PdnWarning]]:
    bad: list[PdnError] = []
    messages: list[PdnWarning] = []
    trees = list(pdn.read_trees(path, on_error=bad.append, on_warning=messages.append))
    others = [message for message in messages if not isinstance(message.cause, pdn.VariantRecognised)]
    return trees, bad, others


def test_the_standards_good_files_are_read_without_a_warning() -> None:
    for path in _files("succeed"):
        trees, bad, messages = _read(path)
        assert trees
        assert bad == []
        assert [type(warning) for warning in messages] == [PdnInfo] * _NOTED.get(path.stem, 0)


def test_the_legal_games_of_its_bad_files_are_read_with_one() -> None:
    warnings = {
        path.stem: [str(warning) for warning in _read(path)[2] if type(warning) is PdnWarning]
        for path in _files("fail")
    }
    assert warnings.pop("nested_comment") == []
    assert all(warnings.values())
    assert "a result or '*' between games" in warnings["40Camp.DamaInternazionaleAssoluto"][0]
    assert "no isolated full stop" in warnings["Cat.A1"][0]
    assert "a move after its number" in warnings["Cat.C1"][0]
    assert "a known move" in warnings["abatsiev"][0]
    assert any("a result such as '1-0'" in warning for warning in warnings["delfts"])
    for name in ("mrdrcd07", "mrdrcd08"):
        assert all("a move after its number" in warning for warning in warnings[name])


@pytest.mark.parametrize("step", short_and_full(6, 1))
@pytest.mark.parametrize("style", Style)
@pytest.mark.parametrize("folder", ["succeed", "fail"])
def test_trees_are_written_in_every_style_and_come_back_the_same(
    folder: str, style: Style, step: int
) -> None:
    """Every sixth file, beginning with another one for each style: so each file is written in one of six."""
    for path in islice(_files(folder), [*Style].index(style) % step, None, step):
        trees, _, _ = _read(path)
        text = "\n".join(pdn.write_tree(tree, style=style) for tree in trees)
        assert list(pdn.read_trees(io.StringIO(text), numbering=style.numbering)) == trees
