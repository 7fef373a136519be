"""Games that begin from a position of somebody's own."""

from __future__ import annotations

from typing import Any

import pytest

from crownhead import Position, TooManyCaptures
from crownhead.rules.budget import capture_budget
from crownhead.server.accounts.models import User
from crownhead.server.core.problems import MAX_MOVES, Unprocessable
from crownhead.server.play.draws.services import resign
from crownhead.server.play.games.options import GameOptions
from crownhead.server.play.games.selectors.starts import CAPTURES, LONGEST_FEN, checked_start
from crownhead.server.play.games.services.checking import findings_of_games
from crownhead.server.play.invitations import services as invitations
from crownhead.server.play.models import Game
from crownhead.server.play.moves import services as moves
from crownhead.server.play.plans.services import set_plan
from tests.server.conftest import Api
from tests.server.crafted.adversary import known_positions
from tests.server.play.factories import NOW, fresh, make_game, make_offer, play_moves, slug

pytestmark = pytest.mark.django_db

ENDGAME = "W:W32,31,K30:B1,2,K3"  # in American checkers Black has the first side
TERMS: dict[str, Any] = {"variant": "american", "colour": "first", "days_per_move": 3}


def challenge(user: User, opponent: User, **changes: Any) -> Game:
    options = GameOptions(**(TERMS | {"start": ENDGAME} | changes))
    return invitations.invite(
        creator=user, opponent=opponent.username, options=options, message="", site="http://club", now=NOW
    )


def test_a_game_begins_from_the_position_with_the_side_to_move(alice: User, bob: User) -> None:
    offered = challenge(alice, bob)
    game = invitations.accept(user=bob, game_id=offered.public_id, now=NOW)

    assert (game.first_player, game.second_player, game.turn) == (alice, bob, "second")
    game = play_moves(game, "31-27", "1-5")
    assert (game.turn, game.version) == ("second", 2)
    assert list(findings_of_games(repair=False)) == []


def test_a_friend_takes_it_by_a_link(alice: User, bob: User) -> None:
    offered = invitations.offer_by_link(creator=alice, options=GameOptions(**TERMS, start=ENDGAME), now=NOW)
    game = invitations.accept_link(user=bob, token=offered.invitation.token, now=NOW)
    assert game.turn == "second"


def test_no_ballot_is_drawn_where_a_position_is_given(alice: User, bob: User) -> None:
    offered = challenge(alice, bob, variant="pro")
    game = invitations.accept(user=bob, game_id=offered.public_id, now=NOW)
    assert (game.opening, game.moves) == (None, "")


def test_a_rematch_begins_from_the_same_position_with_the_sides_swapped(alice: User, bob: User) -> None:
    game = invitations.accept(user=bob, game_id=challenge(alice, bob).public_id, now=NOW)
    game = play_moves(game, "31-27", "1-5")
    resign(user=bob, game_id=game.public_id, now=NOW)

    again = invitations.invite_again(user=bob, game_id=game.public_id, message="", now=NOW)

    assert again.start_fen == fresh(game).start_fen
    assert again.first_player == bob


def test_the_array_as_a_position_is_a_usual_game(alice: User, bob: User) -> None:
    usual = make_offer(alice).start_fen
    offered = challenge(alice, bob, variant="pro", start=usual)
    game = invitations.accept(user=bob, game_id=offered.public_id, now=NOW)
    assert game.opening is not None


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"rated": True}, "never rated"),
        ({"games": 2}, "single game"),
        ({"wins": 3}, "single game"),
        ({"first_move": "11-15"}, "single game"),
        ({"variant": "pro", "opening": 1}, "single game"),
        ({"start": "W:W32:B"}, "over"),
        ({"start": "W:W99:B1"}, "99"),
        ({"start": "nonsense"}, "nonsense"),
        ({"start": "W:W32" + "," * LONGEST_FEN + ":B1"}, "too long"),
    ],
)
def test_what_no_game_can_begin_with_is_refused(
    alice: User, bob: User, changes: dict[str, Any], why: str
) -> None:
    with pytest.raises(Unprocessable, match=why):
        challenge(alice, bob, **changes)
    assert not Game.objects.exists()


@pytest.mark.parametrize(("variant", "fen"), known_positions())
def test_a_crafted_position_takes_a_small_part_of_a_page_or_is_refused(variant: str, fen: str) -> None:
    position = Position.from_fen(fen, variant)
    with capture_budget(CAPTURES):
        try:
            moves = position.legal_moves()
            costly = max(len(moves), *(len(position.play(move).legal_moves()) for move in moves)) > MAX_MOVES
        except TooManyCaptures:
            costly = True
    if costly or len({piece.colour for piece in position.pieces.values()}) < 2:
        with pytest.raises(Unprocessable):
            checked_start(position.variant, fen)
    else:
        assert checked_start(position.variant, fen) == position.fen()


def test_the_waiting_room_has_games_from_the_array_alone(alice: User) -> None:
    with pytest.raises(Unprocessable, match="invitation"):
        make_offer(alice, start=ENDGAME)


def test_programs_challenge_from_a_position(api: Api, alice: User, bob: User) -> None:
    answer = api.as_(alice).post("/games", TERMS | {"start": ENDGAME, "opponent": "bob"})
    assert answer.status_code == 201
    assert answer.json()["start"].startswith("W:")

    assert slug(api.as_(alice).post("/games", TERMS | {"start": ENDGAME})) == "unprocessable"
    long = TERMS | {"start": "W" * 300, "opponent": "bob"}
    assert api.as_(alice).post("/games", long).status_code == 422


# After e8-e7 b1-a1 the move a7-b7 leads to a board whose captures nobody can count.
EXPLOSIVE = "B:WKb1:BKa8,d8,Ke8,Kg8,a7,c7,Kf7,g7,h7,Kd6,Kb5,d5,Ka4,b4,h4,c3,g3,Ke2"


def explosive_game(alice: User, bob: User) -> Game:
    offered = challenge(alice, bob, variant="turkish", colour="second", start=EXPLOSIVE)
    game = invitations.accept(user=bob, game_id=offered.public_id, now=NOW)
    return play_moves(game, "e8-e7", "b1-a1")


def test_a_move_that_nobody_could_answer_ends_the_game_drawn(api: Api, alice: User, bob: User) -> None:
    game = explosive_game(alice, bob)
    path, mover = f"/games/{game.public_id}", api.as_(alice)

    made = mover.post(f"{path}/moves", {"move": "a7-b7", "version": game.version})

    assert made.status_code == 200
    outcome = made.json()["outcome"]
    assert (outcome["winner"], outcome["termination"]) == (None, "too-many-moves")
    page = mover.client.get(f"/games/{game.public_id}/").content.decode()
    assert "Draw: this position has too many possible moves to go on." in page
    assert "[Result " in mover.get(f"{path}.pdn").content.decode()


def test_so_does_a_planned_move(alice: User, bob: User) -> None:
    offered = challenge(alice, bob, variant="turkish", colour="second", start=EXPLOSIVE)
    game = invitations.accept(user=bob, game_id=offered.public_id, now=NOW)
    game = play_moves(game, "e8-e7")
    set_plan(user=alice, game_id=game.public_id, lines=[["b1-a1", "a7-b7"]], version=0, now=NOW)

    game = play_moves(game, "b1-a1")

    assert (fresh(game).termination, fresh(game).winner) == ("too-many-moves", None)
    assert list(findings_of_games(repair=False)) == []


def test_nobody_loses_on_time_whose_only_move_leads_there(alice: User, bob: User) -> None:
    trap = "W:Wa7,Kb1:Bd8,Kg8,b7,c7,Ke7,Kf7,g7,h7,Ka6,Kd6,Kb5,d5,Ka4,b4,h4,c3,g3,Ke2"
    offered = challenge(alice, bob, variant="turkish", start=trap)
    game = play_moves(invitations.accept(user=bob, game_id=offered.public_id, now=NOW), "b1-a1")

    game = play_moves(game, "a6xa8")

    assert (game.termination, game.winner) == ("too-many-moves", None)


def test_games_that_cannot_be_listed_hide_no_others(
    api: Api, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as were begun before moves that lead too far were refused."""
    monkeypatch.setattr(moves, "leads_too_far", lambda *_: False)
    game = explosive_game(alice, bob)
    with capture_budget(10_000_000):
        game = play_moves(game, "a7-b7")
    usual = play_moves(make_game(alice, bob), "11-15")

    answer = api.as_(bob).get("/games?mine=1")

    assert answer.status_code == 200
    listed = {item["id"]: len(item["legal_moves"]) for item in answer.json()["items"]}
    assert listed == {game.public_id: 0, usual.public_id: 7}


def test_a_page_of_a_list_has_few_games_with_starts_of_their_own(api: Api, alice: User, bob: User) -> None:
    for _number in range(6):
        invitations.accept(user=bob, game_id=challenge(alice, bob).public_id, now=NOW)

    page = api.as_(bob).get("/games?mine=1&limit=25").json()
    rest = api.as_(bob).get(f"/games?mine=1&limit=25&cursor={page['next']}").json()

    assert (len(page["items"]), len(rest["items"]), rest["next"]) == (4, 2, None)
