"""The engine with endgame tables: exact results, perfect play, and claims that are certain."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from crownhead import Game, Position, engine
from crownhead.engine import Engine
from crownhead.engine.tables import Result, Tables, Verdict, build
from crownhead.rules.draws import draw_rules_of
from crownhead.rules.schema import Colour, DrawRules, NoProgressDraw, Progress
from tests.engine.test_tables import random_positions


@pytest.fixture(scope="module")
def searcher() -> Engine:
    return Engine("american", megabytes=2)


def some(variant: str, pieces: int, wanted: Result, count: int, tables: Tables) -> list[Position]:
    found = []
    for position in random_positions(variant, pieces, 4000):
        verdict = tables.probe(position)
        if verdict is not None and verdict.result is wanted and position.outcome() is None:
            found.append(position)
        if len(found) == count:
            break
    assert len(found) == count
    return found


def test_the_root_has_the_exact_distance(searcher: Engine) -> None:
    tables = Tables.shipped("american")
    for position in random_positions("american", 4, 150):
        verdict = tables.probe(position)
        report = searcher.analyse(position, depth=1)
        assert report.verdict == verdict
        if report.score is None or verdict is None:
            continue
        assert report.proven is (verdict.plies is None or verdict.plies <= 80)
        if verdict.result is Result.DRAW:
            assert report.score.value == 0
        elif report.proven:
            wins = verdict.result is Result.WIN
            assert (report.score.win_in if wins else report.score.loss_in) == verdict.plies


def test_a_line_from_the_tables_continues_to_the_end_of_the_game(searcher: Engine) -> None:
    for position in some("american", 4, Result.WIN, 20, Tables.shipped("american")):
        report = searcher.analyse(position, depth=2)
        assert report.verdict is not None
        assert len(report.pv) == report.verdict.plies
        for move in report.pv:
            position = position.play(move)
        outcome = position.outcome()
        assert outcome is not None
        assert outcome.winner is report.position.turn


def play_out(position: Position, searcher: Engine, against: random.Random | Tables) -> Game:
    """A game of the engine, which begins, against a random or a perfect player."""
    game = Game("american", start=position, draw_rules="none")
    side = position.turn
    while game.outcome() is None and len(game.moves) < 120:
        if game.position.turn is side:
            game.push(searcher.play(game, depth=4))
        elif isinstance(against, Tables):
            game.push(against.best_moves(game.position)[0])
        else:
            game.push(against.choice(game.position.legal_moves()))
    return game


def test_a_won_endgame_is_won_within_its_distance(searcher: Engine) -> None:
    tables = Tables.shipped("american")
    for position in some("american", 4, Result.WIN, 12, tables):
        verdict = tables.probe(position)
        game = play_out(position, searcher, tables)
        outcome = game.outcome()
        assert verdict is not None
        assert outcome is not None, position.fen()
        assert outcome.winner is position.turn
        assert len(game.moves) == verdict.plies


def test_a_won_endgame_is_won_where_its_distance_is_not_known(tmp_path: Path) -> None:
    build("american", 4, tmp_path, distances=3)
    bare, exact = Tables.open(tmp_path, "american"), Tables.shipped("american")
    searcher = Engine("american", megabytes=2, tables=bare)
    won = some("american", 4, Result.WIN, 40, exact)
    for position in [one for one in won if bare.probe(one) == Verdict(Result.WIN)][:12]:
        report = searcher.analyse(position, depth=6)
        assert report.verdict == Verdict(Result.WIN)
        assert report.score is not None
        assert report.score.value > 20_000
        outcome = play_out(position, searcher, exact).outcome()
        assert outcome is not None, position.fen()
        assert outcome.winner is position.turn


def test_a_drawn_endgame_is_never_lost(searcher: Engine) -> None:
    tables = Tables.shipped("american")
    for number, position in enumerate(some("american", 4, Result.DRAW, 12, tables)):
        against = tables if number % 2 else random.Random(number)
        outcome = play_out(position, searcher, against).outcome()
        assert outcome is None or outcome.winner is position.turn, position.fen()


def test_a_search_that_comes_to_the_tables_finds_what_it_would_not_see() -> None:
    position = Position.from_fen("W:WK32,27:BK18,K19,20")
    assert len(position.pieces) == 5
    with_tables = Engine("american", megabytes=2).analyse(position, depth=8)
    without = Engine("american", megabytes=2, tables=False).analyse(position, depth=8)
    assert with_tables.nodes < without.nodes
    assert with_tables.verdict is None
    assert without.verdict is None


def test_the_engine_can_do_without_its_tables() -> None:
    position = Position.from_fen("B:WK29:BK14,K19")
    searcher = Engine("american", megabytes=1)
    assert searcher.analyse(position, depth=1).verdict == Verdict(Result.WIN, 7)
    assert searcher.analyse(position, depth=1, with_tables=False).verdict is None
    assert Engine("american", megabytes=1, tables=False).analyse(position, depth=1).verdict is None


def test_several_lines_have_the_result_of_each(searcher: Engine) -> None:
    tables = Tables.shipped("american")
    for position in some("american", 3, Result.WIN, 10, tables):
        report = searcher.analyse(position, depth=3, lines=40)
        results = dict(tables.moves(position))
        assert len(report.lines) == len(results)
        for line in report.lines:
            verdict = results[line.moves[0]]
            found = {Result.WIN: line.score.win_in, Result.LOSS: line.score.loss_in}.get(verdict.result)
            assert found == verdict.plies


def test_tables_of_another_variant_are_refused() -> None:
    with pytest.raises(ValueError, match="of the tables' own variant"):
        Engine("russian", megabytes=1, tables=Tables.shipped("american")).analyse(
            Position.from_fen("W:Wc3:Be5", "russian"), depth=1
        )


def test_stuck_sides_that_win_are_played_for(tmp_path: Path) -> None:
    build("anti", 3, tmp_path)
    tables = Tables.open(tmp_path, "anti")
    searcher = Engine("anti", megabytes=1, tables=tables)
    for position in some("anti", 3, Result.WIN, 10, tables):
        verdict = tables.probe(position)
        side, left = position.turn, verdict.plies if verdict is not None else None
        while position.outcome() is None:
            report = searcher.analyse(position, depth=2)
            assert report.move is not None
            position = position.play(report.move)
            left = left - 1 if left is not None else None
        outcome = position.outcome()
        assert outcome is not None
        assert outcome.winner is side
        assert left == 0


# ------------------------------------------------------------------------------- what is certain


def test_a_win_that_a_counter_may_overtake_is_not_claimed(tmp_path: Path) -> None:
    build("international", 3, tmp_path)
    tables = Tables.open(tmp_path, "international")
    searcher = Engine("international", megabytes=1, tables=tables)
    late = next(
        position
        for position in some("international", 3, Result.WIN, 200, tables)
        if (tables.probe(position) or Verdict(Result.DRAW)).order[1] < -10
    )
    # Two kings against one have five moves each (FMJD 6.4), and a capture may lead to them.
    assert not searcher.analyse(late, depth=2).proven
    free = Game("international", start=late, draw_rules="none")
    report = searcher.analyse(free, depth=2)
    assert report.proven
    assert report.score is not None
    assert report.verdict is not None
    assert report.score.win_in == report.verdict.plies


def test_the_counter_of_a_game_is_taken_into_account(searcher: Engine) -> None:
    resets = frozenset({Progress.CAPTURE, Progress.MAN_MOVE})
    ten_moves = DrawRules("ten", "ten moves", (NoProgressDraw(10, resets, automatic=True, article="none"),))
    game = Game("american", start="B:WK32:BK18,K19", draw_rules=ten_moves)
    fresh = searcher.analyse(game, depth=2)
    assert fresh.verdict == Verdict(Result.WIN, 17)
    assert fresh.proven
    for text in ("18-22", "32-28", "22-18", "28-32"):
        game.push(text)
    late = searcher.analyse(game, depth=2)
    assert late.verdict == Verdict(Result.WIN, 17)
    assert not late.proven


def test_a_position_that_stood_twice_makes_no_win_certain(searcher: Engine) -> None:
    game = Game("american", start="B:WK32:BK18,K19", draw_rules="official")
    for text in ("18-22", "32-28", "22-18", "28-32"):
        game.push(text)
    assert searcher.analyse(game.position, depth=2).proven
    assert not searcher.analyse(game, depth=2).proven
    assert searcher.analyse(Game("american", start=game.position, draw_rules="none"), depth=2).proven


def test_a_draw_of_the_tables_is_proven(searcher: Engine) -> None:
    report = searcher.analyse(Position.from_fen("W:WK1:BK32"), depth=1)
    assert report.verdict == Verdict(Result.DRAW)
    assert report.proven
    assert report.score is not None
    assert report.score.value == 0


def test_a_file_that_is_no_table_gives_a_warning_and_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = tmp_path / "american" / "k-k.results"
    bad.parent.mkdir()
    bad.write_bytes(b"nonsense")
    monkeypatch.setenv("CROWNHEAD_TABLES", str(tmp_path))
    with pytest.warns(RuntimeWarning, match="k-k.results"):
        report = Engine("american", megabytes=1).analyse(Position.from_fen("W:WK1:BK32"), depth=1)
    assert report.verdict == Verdict(Result.DRAW)


def test_a_users_own_tables_are_taken_where_they_know_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build("russian", 2, tmp_path)
    monkeypatch.setenv("CROWNHEAD_TABLES", str(tmp_path))
    report = engine.analyse(Position.from_fen("W:WKa1:BKh8", "russian"), depth=1)
    assert report.verdict == Verdict(Result.LOSS, 2)
    assert draw_rules_of(report.position.variant, "official").rules
    assert report.position.turn is Colour.WHITE
