"""The search: forced wins as brute force finds them, limits that hold, the same result every time."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from crownhead import VARIANTS, Game, Position, engine
from crownhead.engine import Engine, Report, Score
from crownhead.openings import three_move_deck
from crownhead.rules.errors import CrownheadError
from tests.engine.brute_force import WON, forced

PLIES = 4


def endings(variant: str, count: int) -> list[Position]:
    """Positions near the end of random games."""
    dice = random.Random(f"endings of {variant}")
    found: list[Position] = []
    while len(found) < count:
        position = Position.start(variant)
        history: list[Position] = []
        while position.outcome() is None and len(history) < 150:
            history.append(position)
            position = position.play(dice.choice(position.legal_moves()))
        if position.outcome() is not None:
            found.append(history[-dice.randint(1, PLIES - 1)])
    return found


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_forced_end_is_found_as_brute_force_finds_it(variant: str) -> None:
    searcher = Engine(variant, megabytes=1)
    compared = 0
    for position in endings(variant, 40):
        if len(position.legal_moves()) > 12:
            continue
        expected = forced(position, PLIES)
        if expected is None:
            continue
        searcher.forget()
        score = searcher.analyse(position, depth=PLIES + 1).score
        assert score is not None
        found = WON - score.win_in if score.win_in is not None else (score.loss_in or 0) - WON
        assert found == expected, position.fen()
        compared += 1
    assert compared


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_line_is_made_of_legal_moves(variant: str) -> None:
    report = Engine(variant, megabytes=1).analyse(Position.start(variant), depth=5, lines=3)
    assert report.depth == 5
    assert len(report.lines) == 3
    assert len({line.moves[0] for line in report.lines}) == 3
    assert list(report.lines) == sorted(report.lines, key=lambda line: -line.score.value)
    for number in range(3):
        assert report.notations(number)


def test_two_kings_catch_one_in_the_open() -> None:
    report = engine.analyse(Position.from_fen("B:WK29:BK14,K19"), depth=24)
    assert report.proven
    assert report.score is not None
    assert report.score.win_in is not None


def test_a_game_that_is_over_has_no_line() -> None:
    report = engine.analyse(Position.from_fen("W:W:B1"), depth=3)
    assert report.lines == ()
    assert report.score is None
    assert report.move is None
    assert not report.proven
    with pytest.raises(ValueError, match="the game is over"):
        engine.play(Position.from_fen("W:W:B1"))


def test_the_same_search_gives_the_same_nodes() -> None:
    def search() -> Report:
        return Engine("american", megabytes=2).analyse(Position.start("american"), depth=9)

    first, again = search(), search()
    assert (first.nodes, first.score, first.pv) == (again.nodes, again.score, again.pv)


@pytest.mark.parametrize("nodes", [1, 100, 5000])
def test_a_limit_of_nodes_holds_and_gives_a_move(nodes: int) -> None:
    report = Engine("international", megabytes=1).analyse(Position.start("international"), nodes=nodes)
    assert report.move in Position.start("international").legal_moves()
    assert report.nodes <= nodes + 1024


def test_a_limit_of_time_holds() -> None:
    began = time.monotonic()
    engine.analyse(Position.start("russian"), seconds=0.05)
    assert time.monotonic() - began < 5  # a busy machine may be slow, but the search has ended


def test_several_threads_find_a_legal_move() -> None:
    position = Position.start("brazilian")
    report = Engine("brazilian", megabytes=4).analyse(position, depth=8, threads=3)
    assert report.move in position.legal_moves()


def test_a_search_in_another_thread_can_be_stopped() -> None:
    searcher, found = Engine("american", megabytes=4), []
    began = threading.Event()

    def search() -> None:
        found.append(
            searcher.analyse(Position.start("american"), seconds=600, on_report=lambda _: began.set())
        )

    thread = threading.Thread(target=search)
    thread.start()
    assert began.wait(30)
    searcher.stop()
    thread.join(30)
    assert not thread.is_alive()
    assert found[0].move in Position.start("american").legal_moves()


def test_each_better_report_is_sent_once() -> None:
    reports: list[Report] = []
    last = Engine("american", megabytes=1).analyse(
        Position.start("american"), depth=6, on_report=reports.append
    )
    assert [report.depth for report in reports] == [1, 2, 3, 4, 5, 6]
    assert reports[-1].pv == last.pv


def test_a_listener_that_fails_ends_the_search_with_its_error() -> None:
    def fail(_: Report) -> None:
        raise RuntimeError("no more paper")

    with pytest.raises(RuntimeError, match="no more paper"):
        engine.analyse(Position.start("american"), depth=9, on_report=fail)


def test_a_side_that_is_behind_repeats_where_it_can() -> None:
    # Two kings against one that goes to and fro in the double corner: with a third repetition in sight.
    game = Game("american", start="W:WK32:BK18,K19", draw_rules="none")
    for text in ("32-28", "18-22", "28-32", "22-18"):
        game.push(text)
    alone = Engine("american", megabytes=1).analyse(game.position, depth=1).score
    in_game = Engine("american", megabytes=1).analyse(game, depth=4)
    assert alone is not None
    assert alone.value < -50
    assert in_game.score == Score(0)


@pytest.mark.parametrize(
    ("limits", "said"),
    [({"seconds": -1}, "seconds"), ({"depth": 0}, "depth"), ({"nodes": 0}, "nodes"), ({"lines": 0}, "lines")],
)
def test_a_limit_that_makes_no_sense_is_refused(limits: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=f"expected {said} of at least"):
        engine.analyse(Position.start("american"), **limits)


@pytest.mark.parametrize("search", [engine.analyse, engine.play, Engine(megabytes=1).analyse])
@pytest.mark.parametrize("subject", ["W:W31:B1", None])
def test_what_is_no_position_is_refused(search: Callable[..., object], subject: object) -> None:
    with pytest.raises(CrownheadError, match="expected a Position or a Game, got "):
        search(subject, depth=1)


def test_a_position_of_another_variant_is_refused() -> None:
    with pytest.raises(ValueError, match="expected a position of american, got one of russian"):
        Engine("american", megabytes=1).analyse(Position.start("russian"))
    with pytest.raises(CrownheadError, match="variant"):
        Engine("whist")


def test_scores_are_written_in_men_or_in_plies_to_the_end() -> None:
    assert str(Score(125)) == "+1.25"
    assert str(Score(-5)) == "-0.05"
    assert str(Score(29_991)) == "wins in 9"
    assert str(-Score(29_991)) == "loses in 9"
    assert Score(29_991).is_forced
    assert Score(200) > Score(100)


def test_an_iteration_that_is_stopped_leaves_what_it_has_found() -> None:
    searcher = Engine(megabytes=1, weights=b"")  # which changes its mind more often than trained weights do
    changed, confirmed = 0, 0
    for ballot, nodes in product(three_move_deck().playable[:60], (1500, 3000, 6000)):
        position = ballot.position("american")
        searcher.forget()
        told: list[Report] = []
        report = searcher.analyse(position, nodes=nodes, on_report=told.append)
        assert told[-1].pv == report.pv
        finished = next(each for each in told if each.depth == report.depth)
        if report.move != finished.move:
            changed += 1
            searcher.forget()
            confirmed += searcher.analyse(position, depth=report.depth + 1).move == report.move
    assert changed >= 3, "expected some better moves in the iterations that were stopped"
    assert confirmed > changed / 2


def test_what_moves_were_worth_is_kept_until_it_is_forgotten() -> None:
    position = Position.start("american")
    searcher = Engine(megabytes=1)

    def nodes() -> int:
        return searcher.analyse(position, depth=9).nodes

    fresh = nodes()
    assert nodes() != fresh
    searcher.forget()
    assert nodes() == fresh
