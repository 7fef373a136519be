"""`crownhead pdn convert`."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from crownhead import VARIANTS, Game, pdn
from tests.cli.conftest import Command
from tests.notation.files import PDN, SAMPLE

RICH = """\
[Event "Study"]
[GameType "21"]
[FEN "B:W22,K32:BK1,5"]
{ before } 1. 5-9! $1 { [%clk 0:01:02] } (1-6 22-18 (22-17 { deep } 6-10)) 22-18 2. 9-13
/FEN "W:W18:B5"/ 18-14 1-0
"""
RUSSIAN = '[GameType "25"]\n1. cd4 ba5 2. dc5 db4 3. ac5 *\n'


def converted(run: Command, path: Path, text: str, *options: str) -> str:
    """A text after conversion without complaint."""
    path.write_text(text, encoding="utf-8")
    ran = run("pdn", "convert", "--variant", "american", *options, path)
    assert (ran.status, ran.err) == (0, "")
    return ran.out


def movetext(record: str) -> str:
    """The moves of one record, on one line."""
    return " ".join(record.partition("\n\n")[2].split())


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ("native", "1. c3-d4 b6-a5 2. d4-c5 d6:b4 3. a3:c5 *"),
        ("algebraic", "1. c3-d4 b6-a5 2. d4-c5 d6:b4 3. a3:c5 *"),
        ("short", "1. cd4 ba5 2. dc5 db4 3. ac5 *"),
        ("numeric", "1. 22-18 9-13 2. 18-14 10:17 3. 21:14 *"),
        ("mirrored", "1. 11-15 24-20 2. 15-19 23:16 3. 12:19 *"),
        ("from-a1", "1. 10-14 21-17 2. 14-18 22:13 3. 9:18 *"),
    ],
)
def test_moves_are_written_in_a_style(run: Command, tmp_path: Path, style: str, expected: str) -> None:
    out = converted(run, tmp_path / "russian.pdn", RUSSIAN, "--to", style)
    assert movetext(out) == expected


@pytest.mark.parametrize(
    ("style", "game_type"),
    [
        ("native", "25"),
        ("algebraic", "25,W,8,8,A0,0"),
        ("short", "25,W,8,8,S0,0"),
        ("numeric", "25,W,8,8,N2,0"),
        ("mirrored", "25,W,8,8,N1,0"),
        ("from-a1", "25,W,8,8,N0,0"),
    ],
)
def test_the_game_type_tells_the_style(run: Command, tmp_path: Path, style: str, game_type: str) -> None:
    out = converted(run, tmp_path / "russian.pdn", RUSSIAN, "--to", style)
    assert f'[GameType "{game_type}"]' in out


@pytest.mark.parametrize(
    ("style", "game_type"),
    [
        ("native", "21"),
        ("numeric", "21,B,8,8,N1,0"),
        ("algebraic", "21,B,8,8,A0,0"),
        ("mirrored", "21,B,8,8,N2,0"),
    ],
)
def test_the_game_type_is_reported_as_the_beginning_side_sees_the_board(
    run: Command, tmp_path: Path, style: str, game_type: str
) -> None:
    out = converted(run, tmp_path / "american.pdn", "1. 11-15 *\n", "--to", style)
    assert f'[GameType "{game_type}"]' in out


@pytest.mark.parametrize("style", ["native", "numeric", "algebraic", "short", "mirrored", "from-a1"])
def test_what_is_converted_there_and_back_is_the_same(run: Command, tmp_path: Path, style: str) -> None:
    plain = converted(run, tmp_path / "plain.pdn", RICH)
    there = converted(run, tmp_path / "there.pdn", RICH, "--to", style)
    numbering = "algebraic" if style == "short" else style
    assert converted(run, tmp_path / "back.pdn", there, "--from", numbering) == plain


@pytest.mark.parametrize("variant", VARIANTS)
def test_games_of_every_variant_come_back_from_other_styles(
    run: Command, tmp_path: Path, variant: str
) -> None:
    game, chance = Game(variant), random.Random(variant)
    while len(game.moves) < 30 and game.outcome() is None:
        game.push(chance.choice(game.position.legal_moves()))
    for style, numbering in (("mirrored", "mirrored"), ("short", "native"), ("numeric", "numeric")):
        there = converted(run, tmp_path / "there.pdn", game.pdn(), "--to", style)
        back = converted(run, tmp_path / "back.pdn", there, "--from", numbering)
        (read,) = pdn.read(back)
        assert (read.variant.key, read.moves) == (variant, game.moves)


def test_all_that_is_said_of_a_game_stays(run: Command, tmp_path: Path) -> None:
    out = converted(run, tmp_path / "rich.pdn", RICH)
    (tree,) = pdn.read_trees(out)
    assert tree.comments == ["before"]
    first = tree.line[0]
    assert (first.strength, first.nags) == ("!", [1])
    assert first.clock is not None
    assert first.clock.clk == 62
    assert first.variations[0][1].variations[0][0].comments == ["deep"]
    assert movetext(out).endswith('2. 9-13 /FEN "W:W18:B5"/ 18-14 *')


def test_positions_are_written_in_the_style_as_well(run: Command, tmp_path: Path) -> None:
    out = converted(run, tmp_path / "rich.pdn", RICH, "--to", "mirrored")
    assert '[FEN "B:W11,K1:BK32,28"]' in out
    assert '/FEN "W:W15:B28"/' in movetext(out)


def test_mirrored_numbers_are_read(run: Command, tmp_path: Path) -> None:
    text = '[FEN "B:WK5:B30,12"]\n1. 12-8 (30-25 { 30-25 }) 5-9 *\n'
    out = converted(run, tmp_path / "ytmt.pdn", text, "--from", "mirrored")
    assert '[FEN "B:WK28:B3,21"]' in out
    assert movetext(out) == "1. 21-25 (1. 3-8 {30-25}) 28-24 *"


def test_several_files_become_one(run: Command, games: Path) -> None:
    ran = run("pdn", "convert", SAMPLE, games)
    assert ran.status == 0
    assert [line.partition("): ")[0] for line in ran.err.splitlines()] == [
        f"{path}: info: no variant is named; read as American checkers (american" for path in (SAMPLE, games)
    ]
    assert len(list(pdn.read(ran.out))) == 24
    assert "\n\n\n" not in ran.out


def test_a_bad_game_is_reported_with_its_place_and_left_out(run: Command, games: Path) -> None:
    text = games.read_text()
    games.write_text(text + '\n[Event "Bad"]\n1. 11-15\n1-32 *\n\n' + text)
    ran = run("pdn", "convert", "--variant", "american", games)
    assert ran.status == 1
    line = text.count("\n") + 4
    assert ran.err.startswith(
        f"{games}: game 5 (Bad), line {line}, column 1: expected a legal move, got '1-32'"
    )
    assert ran.err.count("\n") == 1
    assert len(list(pdn.read(ran.out))) == 8


def test_a_position_in_the_numbers_of_another_board_is_a_bad_game(run: Command, tmp_path: Path) -> None:
    path = tmp_path / "wrong.pdn"
    path.write_text('[FEN "W:W33:B1"]\n*\n')
    ran = run("pdn", "convert", "--variant", "american", "--from", "mirrored", path)
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith(f"{path}: game 1, line 1, column 1: expected a square of the board")


@pytest.mark.parametrize("key", ["czech", "italian", "international"])
def test_the_variant_that_was_recognised_is_written(run: Command, key: str) -> None:
    ran = run("pdn", "convert", PDN / f"{key}.pdn")
    assert ran.status == 0
    assert {tree.variant.key for tree in pdn.read_trees(ran.out)} == {key}
    assert '[GameType "' in ran.out


def test_a_game_on_another_board_is_converted_for_itself(run: Command, tmp_path: Path) -> None:
    path = tmp_path / "two.pdn"
    path.write_text("1. 11-15 *\n" * 3 + "1. 34-29 20-25 *\n")
    ran = run("pdn", "convert", path)
    assert [tree.variant.key for tree in pdn.read_trees(ran.out)] == ["american"] * 3 + ["international"]


@pytest.mark.parametrize("option", ["--to", "--from"])
def test_a_style_that_is_none_is_wrong_usage(run: Command, games: Path, option: str) -> None:
    ran = run("pdn", "convert", option, "roman", games)
    assert (ran.status, ran.out) == (2, "")
    assert "expected one of native, numeric, algebraic" in ran.err
    assert ran.err.count("\n") == 1
