"""`crownhead diagram`."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from crownhead import VARIANTS, Position
from tests.cli.conftest import Command, Ran


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_is_drawn(run: Command, tmp_path: Path, variant: str) -> None:
    ran = run("diagram", "--variant", variant)
    assert (ran.status, ran.out, ran.err) == (0, f"{Position.start(variant)}\n", "")
    picture = tmp_path / "board.svg"
    assert run("diagram", "--variant", variant, "--svg", picture) == Ran(0, "", "")
    assert ElementTree.fromstring(picture.read_text(encoding="utf-8")).tag.endswith("svg")


def test_a_position_is_drawn_after_some_moves(run: Command) -> None:
    expected = Position.start("american").play("11-15").play("23-18")
    assert run("diagram", "--moves", "11-15 23-18").out == f"{expected}\n"
    assert run("diagram", "--moves", "22-18 10-15", "--numbering", "mirrored").out != f"{expected}\n"
    fen = expected.fen()
    assert run("diagram", "--fen", fen).out == f"{expected}\n"


def test_the_last_move_is_traced(run: Command) -> None:
    played = run("diagram", "--svg", "-", "--moves", "11-15").out
    assert "Last move: 11 to 15." in played
    assert "Last move: 8 to 11." in run("diagram", "--svg", "-", "--moves", "11-15", "--last", "8-11").out


def test_a_picture_has_marks_arrows_and_a_size(run: Command) -> None:
    marks = ["--mark", "14,18", "--mark", "1", "--arrow", "14-10"]
    out = run("diagram", "--svg", "-", *marks, "--size", "300").out
    assert "Marked with a ring: 14, 18, 1." in out
    assert "Arrows: 14 to 10." in out
    assert 'width="300"' in out


def test_flip_theme_and_numbers_change_a_picture(run: Command) -> None:
    plain = run("diagram", "--svg", "-").out
    for options in (["--flip"], ["--theme", "dark"], ["--numbers", "none"], ["--numbering", "mirrored"]):
        ran = run("diagram", "--svg", "-", *options)
        assert ran.status == 0
        assert ran.out != plain


def test_squares_are_called_as_in_the_numbering(run: Command) -> None:
    ran = run("diagram", "--svg", "-", "--mark", "19", "--numbering", "mirrored")
    assert "Marked with a ring: 19." in ran.out


@pytest.mark.parametrize(
    ("options", "status", "reason"),
    [
        (["--fen", "nonsense"], 1, "expected the side to move"),
        (["--moves", "11-16 11-16"], 1, "expected a legal move, got '11-16'"),
        (["--svg", "-", "--last", "here"], 1, "expected a move such as"),
        (["--svg", "-", "--mark", "99"], 1, "got '99'"),
        (["--svg", "-", "--arrow", "1-6-10"], 1, "expected an arrow between two squares, got 3"),
        (["--svg", "-", "--size", "0"], 2, "expected a whole number from 1 to 10000"),
        (["--svg", "-", "--theme", "pink"], 2, "invalid choice: 'pink'"),
        (["--flip", "--mark", "1"], 2, "--flip, --mark can only be used with --svg"),
        (["--svg", "/no/such/folder/board.svg"], 2, "/no/such/folder/board.svg: No such file or directory"),
        (["--variant", "lasca"], 2, "expected one of the variants"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(
    run: Command, options: list[str], status: int, reason: str
) -> None:
    ran = run("diagram", *options)
    assert (ran.status, ran.out) == (status, "")
    assert reason in ran.err
    assert ran.err.count("\n") == 1
