"""`crownhead mine`: mistakes of reviewed games become problems of the club, and the host may add others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from pytest_django import Settings

from crownhead import Position
from crownhead.problems.collection import shipped
from crownhead.problems.problem import Problem, read, written
from crownhead.server.accounts.models import User
from crownhead.server.analysis.choices import Depth
from crownhead.server.analysis.models import Review
from crownhead.server.analysis.reviews.selectors import mistakes
from crownhead.server.analysis.reviews.selectors.mistakes import ReviewedGame, public_mistakes
from crownhead.server.ops.commands import mining
from crownhead.server.play.models import Game
from crownhead.server.problems import selectors
from crownhead.server.problems.selectors.collection import problems_of_the_club
from tests.server.analysis.engine_tasks import run_engine_tasks
from tests.server.analysis.reviewed_games import BLUNDER, ask, over
from tests.server.pages.conftest import the_clock_stands_still
from tests.server.play.factories import NOW

__all__ = ["the_clock_stands_still"]

# Beginner's Problem #3, which the package has: White gives a man and takes three. Then the same for the other
# side, and a position in which many moves win.
SHOT, TURNED, QUIET = "W:W19,24,32:B10,11,18", "B:W15,22,23:B1,9,14", "W:WK14,K15:B1"
NODES = 5_000
LONG_AGO = NOW - timedelta(days=30)


@pytest.fixture
def folder(settings: Settings, tmp_path: Path) -> Iterator[Path]:
    """An empty folder for the problems of the host."""
    settings.HOUSE_PROBLEMS = tmp_path / "problems"
    settings.HOUSE_PROBLEMS.mkdir()
    problems_of_the_club.cache_clear()
    yield settings.HOUSE_PROBLEMS
    problems_of_the_club.cache_clear()


@pytest.fixture
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reviews of few positions a move."""
    monkeypatch.setattr(Depth.QUICK, "_value_", 20_000)


def found(*games: ReviewedGame, known: tuple[str, ...] = ()) -> list[Problem]:
    return list(mining.problems_in(games, known=known, nodes=NODES))


def mistaken(name: str, **fens: str) -> ReviewedGame:
    """A game with mistakes at plies that are named p20 and so on."""
    return ReviewedGame(name, {int(ply[1:]): Position.from_fen(fen) for ply, fen in fens.items()})


def test_a_mistake_with_one_good_move_is_a_problem_without_names() -> None:
    (problem,) = found(mistaken("abc", p20=QUIET, p30=SHOT))
    assert problem.line[0] == "19-16"
    assert problem.source == "a reviewed game of this club, abc, ply 30"


def test_a_position_counts_once_and_the_start_of_a_game_not_at_all() -> None:
    (problem,) = found(mistaken("abc", p20=SHOT), mistaken("def", p20=SHOT))
    assert found(mistaken("abc", p20=SHOT), known=(problem.key,)) == []
    assert found(mistaken("abc", p4=SHOT)) == []


@pytest.mark.django_db
@pytest.mark.usefixtures("_quick", "the_clock_stands_still")
def test_mistakes_of_public_games_are_looked_at_and_those_of_hidden_ones_never(
    alice: User, bob: User
) -> None:
    game, hidden = over(alice, bob), over(alice, bob, hidden=True)
    for one in (game, hidden):
        ask(alice, one)
    run_engine_tasks()
    assert Review.objects.count() == 2
    (reviewed,) = public_mistakes(since=LONG_AGO, now=NOW)
    assert reviewed.game_id == game.public_id
    assert len(BLUNDER) - 1 in reviewed.positions
    assert list(public_mistakes(since=NOW + timedelta(days=1), now=NOW)) == []
    Game.objects.filter(pk=game.pk).update(hidden=True)
    assert list(public_mistakes(since=LONG_AGO, now=NOW)) == []


@pytest.mark.django_db
@pytest.mark.usefixtures("the_clock_stands_still")
def test_what_is_found_is_added_to_a_file_and_then_offered(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [mistaken("abc", p20=SHOT, p40=TURNED)]
    monkeypatch.setattr(mistakes, "public_mistakes", lambda **_: iter(games))
    mining.mine_reviews(days=30, most=1, nodes=NODES)
    with (folder / mining.FILE).open() as lines:
        (problem,) = read(lines)
    assert problem.source.endswith("ply 40")
    problems_of_the_club.cache_clear()
    assert selectors.problem_by_key(problem.key) == problem
    assert problem in selectors.select(variant="american")
    assert selectors.daily(NOW).key in shipped()


def test_what_cannot_be_used_is_left_out_with_a_line_in_the_log(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    good = replace(next(iter(shipped().values())), fen=SHOT, variant="pool")
    other = replace(good, variant="nonesuch")
    (folder / "a.jsonl").write_text(f"{written(other)}\n{written(good)}\nnonsense\n{written(good)}\n")
    club = problems_of_the_club()
    assert other.key not in club
    assert len(club) <= len(shipped()) + 1
    assert "is left out" in caplog.text
    assert "the rest of the file is left out" in caplog.text
