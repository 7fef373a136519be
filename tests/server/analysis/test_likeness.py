"""Positions that are the same from another side of the board, where nothing on it has a direction."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from random import Random

import pytest

from crownhead import Position
from crownhead.rules.budget import capture_budget, captures_left
from crownhead.rules.geometry import square_name, squares
from crownhead.server.accounts.models import User
from crownhead.server.analysis.access import OwnGameInProgress, guarded_placements
from crownhead.server.analysis.engine import likeness
from crownhead.server.analysis.engine.likeness import (
    NEAR,
    Surroundings,
    Table,
    forms,
    guarded,
    placement,
)
from crownhead.server.analysis.studies import services as study_services
from crownhead.server.analysis.studies.services import AnalysisRequest
from tests.server.play.factories import NOW, make_game_from

KINGS = "W:WK10,K15,K22,K29:BK1,K5,K12"
Where = Callable[[int, int], tuple[int, int]]  # file and rank of an 8 × 8 board


def as_it_is(file: int, rank: int) -> tuple[int, int]:
    return file, rank


def along(file: int, rank: int) -> tuple[int, int]:
    return rank, file


def across(file: int, rank: int) -> tuple[int, int]:
    return 7 - rank, 7 - file


def seen(position: Position, where: Where, *, swapped: bool = False) -> Position:
    """The position with each piece elsewhere, and perhaps of the other colour; White is to move."""
    variant = position.variant
    names = {
        number: square_name(*where(square.file, square.rank), variant.board, variant.notation)
        for number, square in squares(variant.board, variant.notation).items()
    }
    white = [
        *(names[man] for man in position.white_men),
        *("K" + names[king] for king in position.white_kings),
    ]
    black = [
        *(names[man] for man in position.black_men),
        *("K" + names[king] for king in position.black_kings),
    ]
    if swapped:
        white, black = black, white
    return Position.from_fen(f"W:W{','.join(white)}:B{','.join(black)}", variant)


FORMS = {
    "colours swapped in place": (as_it_is, True),
    "reflected in the main road": (along, False),
    "reflected in the other diagonal": (across, False),
    "reflected and swapped": (along, True),
}


@pytest.mark.parametrize(("where", "swapped"), FORMS.values(), ids=FORMS.keys())
@pytest.mark.parametrize("extra", ["", ",7"])
@pytest.mark.django_db
def test_the_engine_helps_with_no_form_of_an_ending_of_kings(
    alice: User, bob: User, where: Where, swapped: bool, extra: str
) -> None:
    make_game_from(KINGS, alice, bob)
    asked = seen(Position.from_fen(KINGS + extra, "american"), where, swapped=swapped)
    with pytest.raises(OwnGameInProgress):
        study_services.create_study(
            user=alice,
            caller=f"user:{alice.pk}",
            query=AnalysisRequest(variant="american", fen=asked.fen()),
            now=NOW,
        )


@pytest.mark.parametrize(("where", "swapped"), FORMS.values(), ids=FORMS.keys())
def test_pieces_that_only_jump_have_no_direction(where: Where, swapped: bool) -> None:
    here = Position.start("hawaiian")
    for _ in range(9):
        here = here.play(here.legal_moves()[0])
    form = seen(here, where, swapped=swapped)
    assert placement(here) in forms(form)
    assert Surroundings(guarded([here])).near(form) is not None


def test_where_both_sides_go_the_same_way_they_may_be_swapped() -> None:
    here = Position.from_fen("W:Wb4,d2,f2,h2,a1,c1:Bd4,f4,h4,e3,b2,g1", "one-way")
    assert placement(here) in forms(seen(here, as_it_is, swapped=True))


def test_men_have_a_direction() -> None:
    here = Position.from_fen("W:W18,19,22:B10,11,14", "american")
    turned = (seen(here, where, swapped=swapped) for where, swapped in FORMS.values())
    known = {placement(here)}
    assert known.isdisjoint(chain.from_iterable(forms(form) for form in turned))


@pytest.mark.parametrize(
    ("variant", "fen", "move", "answer"),
    [
        ("american", "W:W12,14,17,26:B3,5,6,8,24", "14-9", "6x31"),
        ("international", "B:W12,36,37,38,40,42,43,46,47,48,49,50:B1,2,3,4,6,9,15,20", "3-8", "12x25"),
        ("russian", "W:Wc3,b2,f2,a1,c1:Bh8,e5,a3", "c1-d2", "a3:g1"),
        ("turkish", "W:WKd6,f3,g3,a2,d2,f2,g2:Bh6,Kf1", "f3-f4", "f1xa1"),
        ("russian", "W:WKa5,c5,c3,e3,f2,a1:Bh8,a7,c7,f6,h6,h2", "a5:g5", "h6:d6"),
        ("frisian", "B:W22,30,36,41:B4,8,10,14,19,20,23", "20x40", "22x2"),
        ("hawaiian", "B:Wf8,h8,a7,h6,e5,c3:Ba8,c8,g8,d7,f7,a6,b5,a4,a2,b1", "g8xe8", "a7xa1"),
    ],
)
def test_a_capture_that_answers_a_move_is_guarded_however_many_it_takes(
    variant: str, fen: str, move: str, answer: str
) -> None:
    here = Position.from_fen(fen, variant)
    then = here.play(move).play(answer)
    assert (placement(here) ^ placement(then)).bit_count() > NEAR
    assert Surroundings(guarded([here])).near(then) is not None


def test_what_a_game_guards_does_not_depend_on_what_a_request_may_still_look_for() -> None:
    here = Position.from_fen("W:WKd6,f3,g3,a2,d2,f2,g2:Bh6,Kf1", "turkish")
    everything = set(guarded([here]))
    with capture_budget(1_000):
        here.legal_moves()
        needed = 1_000 - (captures_left() or 0)
    with capture_budget(needed):
        assert set(guarded([here])) == everything


def test_a_game_from_a_start_of_ones_own_is_guarded_without_answers() -> None:
    here = Position.from_fen("W:WKd6,f3,g3,a2,d2,f2,g2:Bh6,Kf1", "turkish")
    assert set(guarded_placements("turkish", here.fen(), "")) == set(guarded([here], answers=False))
    start = Position.start("turkish")
    assert set(guarded_placements("turkish", start.fen(), "")) == set(guarded([start]))


def test_a_position_with_hundreds_of_captures_guards_those_that_change_least(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here = Position.from_fen("W:WKb8,Kh8,Kh4,Kh2,Ka1,Kc1:BKe7,Kg7,Kb6,e5,g5,b4,Ke3,g3,b2", "russian")
    distances = sorted((one ^ placement(here)).bit_count() for one in set(guarded([here])))
    most = likeness._MOST_CAPTURED  # noqa: SLF001
    assert len(distances) == 1 + most
    monkeypatch.setattr(likeness, "_MOST_CAPTURED", 1_000)
    everything = sorted((one ^ placement(here)).bit_count() for one in set(guarded([here])))
    assert len(everything) > most + 1
    assert distances == everything[: most + 1]


def test_tables_find_together_what_one_finds() -> None:
    games = [walk("american", seed) for seed in range(12)]
    known = [list(guarded(game[: 30 + 3 * number])) for number, game in enumerate(games)]
    alone, together = Surroundings(chain.from_iterable(known)), Surroundings(*map(Table.of, known))
    found = 0
    for game in games:
        for first in range(0, len(game), 8):
            some = game[first : first + 8]
            near = [alone.near(position) for position in some]
            assert [together.near(position) is None for position in some] == [one is None for one in near]
            assert together.may_find(some) or not any(near)
            for place in filter(None, map(together.find, some)):
                assert place[1] in known[place[0]]
                found += 1
    assert found > 100


def walk(variant: str, seed: int) -> list[Position]:
    """A game of random moves."""
    dice, game = Random(seed), [Position.start(variant)]
    while len(game) < 80 and (moves := list(game[-1].legal_moves())):
        game.append(game[-1].play(dice.choice(moves)))
    return game
