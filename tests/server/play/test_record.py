"""The tokens a row keeps, played again, are the same game: in every variant, whatever its captures."""

from __future__ import annotations

from random import Random

import pytest

import crownhead
from crownhead import VARIANTS
from crownhead.server.accounts.models import User
from crownhead.server.play import selectors
from crownhead.server.play.games.selectors import replay
from crownhead.server.play.models import Game, Seat
from crownhead.server.play.staff.services import adjudicate
from tests.server.play.factories import NOW, fresh, make_game, play_moves

GAMES, PLIES = 12, 80


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_random_game_is_the_same_when_its_row_is_replayed(variant: str) -> None:
    for seed in range(GAMES):
        dice, played = Random(seed), crownhead.Game(variant)
        while played.outcome() is None and len(played.moves) < PLIES:
            played.push(dice.choice(played.position.legal_moves()))
        row = Game(variant=variant, start_fen=played.start.fen(), moves=replay.full_tokens(played))
        again = replay.replay_game(row)
        assert again.moves == played.moves
        assert again.positions == played.positions


def test_a_row_ended_by_its_players_is_replayed_with_its_end(
    alice: User, bob: User, django_user_model: type[User]
) -> None:
    staff = django_user_model.objects.create_user("dora", "dora@club.example", is_staff=True)
    game = play_moves(make_game(alice, bob), "11-15")
    adjudicate(by=staff, game_id=game.public_id, result="second", reason="Seen.", now=NOW)
    again = selectors.replay_game(fresh(game))
    assert again.result == "0-1"
    assert again.outcome() == crownhead.Outcome(crownhead.Colour.WHITE, crownhead.Termination.ADJUDICATION)


def test_seats_and_colours_belong_together() -> None:
    for variant in VARIANTS.values():
        for seat in Seat:
            assert replay.seat_of(variant, replay.colour_of(variant, seat)) is seat
        assert replay.colour_of(variant, Seat.FIRST) is variant.start.first
