"""No engine help in a running game, whatever the position is made to look like, and by whose study."""

from __future__ import annotations

import json
from collections.abc import Iterable
from random import Random
from typing import Any
from urllib.parse import parse_qsl, urlencode

import pytest

import crownhead
from crownhead import Position
from crownhead.engine import levels as levels_of_engine
from crownhead.rules import variant_of
from crownhead.server.accounts.models import User
from crownhead.server.analysis import access, selectors
from crownhead.server.analysis.access import OwnGameInProgress
from crownhead.server.analysis.computer import replies
from crownhead.server.analysis.computer import services as computer_services
from crownhead.server.analysis.engine import likeness
from crownhead.server.analysis.engine.likeness import (
    NEAR,
    Surroundings,
    forms,
    guarded,
    placement,
    plays_alike,
    shares_board,
)
from crownhead.server.analysis.events import EngineRefused
from crownhead.server.analysis.models import Study
from crownhead.server.analysis.services.allowances import allow
from crownhead.server.analysis.studies import services as study_services
from crownhead.server.analysis.studies.services import AnalysisRequest
from crownhead.server.play.draws.services import resign
from crownhead.server.play.games.options import GameOptions
from crownhead.server.play.invitations.services import invite_again
from crownhead.server.play.models import Game
from crownhead.server.play.selectors import replay_game
from tests.server.guests import browser_of, make_guest
from tests.server.pages.conftest import Open
from tests.server.pages.window import Window
from tests.server.play.factories import (
    NOW,
    api_of,
    fresh,
    make_game,
    make_game_from,
    play_moves,
    recorded_events,
    slug,
)

pytestmark = pytest.mark.django_db
MOVES = ("11-15", "23-19", "8-11", "22-17", "4-8", "17-13", "15-18")
ENDGAME = "W:WK10,K15,22:BK1,K5,12"
WITHOUT_CORNERS = "B:W21,22,23,24,25,26,27,28,29,30,31:B2,3,4,5,6,7,8,9,10,11,12"
HERE = Position.start("american")
for move in MOVES:
    HERE = HERE.play(move)


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    """A running game of Alice and Bob, seven plies old."""
    return play_moves(make_game(alice, bob), *MOVES)


def ask(user: User, position: Position, variant: str = "american") -> Study:
    query = AnalysisRequest(variant=variant, fen=position.fen())
    return study_services.create_study(user=user, caller=f"user:{user.pk}", query=query, now=NOW)


def with_other_turn(position: Position) -> Position:
    turn = {"B": "W", "W": "B"}[position.fen()[0]]
    return Position.from_fen(turn + position.fen()[1:], position.variant)


def without_a_man(position: Position) -> Position:
    return Position.from_fen(position.fen().replace(",32", ""), position.variant)


DISGUISES: dict[str, Any] = {
    "as it is": HERE,
    "mirrored with the colours swapped": HERE.mirror(),
    "with the other side to move": with_other_turn(HERE),
    "as another variant with the same laws": Position.from_fen(HERE.fen(), "pro"),
    "a ply later": HERE.play(HERE.legal_moves()[0]),
    "a man fewer": without_a_man(HERE),
    "both": with_other_turn(HERE.mirror()),
}


@pytest.mark.parametrize("position", DISGUISES.values(), ids=DISGUISES.keys())
def test_the_engine_helps_in_no_disguise(alice: User, game: Game, position: Position) -> None:
    with pytest.raises(OwnGameInProgress):
        ask(alice, position, position.variant_key)
    resign(user=alice, game_id=game.public_id, now=NOW)
    ask(alice, position, position.variant_key)


@pytest.mark.parametrize("position", DISGUISES.values(), ids=DISGUISES.keys())
def test_the_computer_goes_on_from_no_position_of_a_running_game(
    alice: User, charlie: User, game: Game, position: Position
) -> None:
    body = {"colour": "first", "days_per_move": 3, "computer": 10}
    terms = {**body, "variant": position.variant_key, "start": position.fen()}
    answer = api_of(alice).post("/games", terms)
    assert (answer.status_code, slug(answer)) == (403, "own-game-runs")
    assert api_of(charlie).post("/games", terms).status_code == 201
    resign(user=alice, game_id=game.public_id, now=NOW)
    assert api_of(alice).post("/games", terms).status_code == 201


def test_the_moves_of_a_running_game_are_not_kept_as_a_game_with_the_computer(
    alice: User, charlie: User, game: Game, window: Open
) -> None:
    form = {"variant": "american", "level": "10", "colour": "first", "moves": " ".join(MOVES)}
    page = window(alice).post("/computer/keep/", form, follow=True)
    assert "while your game is in progress" in page.text
    assert Game.objects.count() == 1
    window(charlie).post("/computer/keep/", form)
    assert Game.objects.count() == 2


RELAYED = (*MOVES, "26-23", "11-15", "23x14")


def relay(user: User, person: User) -> tuple[Game, Game]:
    """A running game against somebody, and one with the computer in which the user makes that one's moves."""
    game = play_moves(make_game(user, person), *RELAYED)
    options = GameOptions(variant="american", colour="second", days_per_move=3)
    mirror = computer_services.start(user=user, level=10, options=options, now=NOW, dice=Random(1))
    Game.objects.filter(pk=mirror.pk).update(moves=game.moves, version=game.version, turn=game.turn)
    return game, fresh(mirror)


def test_the_computer_does_not_play_a_running_game_for_its_player(
    alice: User, bob: User, charlie: User, window: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    levels: list[int] = []
    choose = levels_of_engine.choose

    def chosen(*arguments: Any, level: int, **others: Any) -> Any:
        levels.append(level)
        return choose(*arguments, level=1, **others)

    monkeypatch.setattr(replies, "choose", chosen)
    game, mirror = relay(alice, bob)
    here = Position.start("american")
    for made in RELAYED:
        here = here.play(made)

    def considered() -> None:
        other = mirror.first_player_id
        assert other is not None
        assert replies.consider(game_id=mirror.public_id, computer_id=other, now=NOW) is not None

    with recorded_events(EngineRefused) as refused:
        considered()
        assert "while your game is in progress" in guard(alice, here, window, computer="1")["refused"]
        assert len(refused) == 1
        assert "while your game is in progress" in ask_guard(alice, here, window, computer="1")["refused"]
    assert [event.game_id for event in refused] == [game.public_id] * 2
    assert guard(alice, Position.start("american"), window, computer="1") == {"refused": "", "guarded": True}
    assert guard(charlie, here, window, computer="1")["refused"] == ""
    resign(user=alice, game_id=game.public_id, now=NOW)
    considered()
    assert levels == [1, 10]


def test_the_computer_does_not_play_a_running_game_that_began_from_an_own_start(
    alice: User, bob: User
) -> None:
    game = make_game_from(ENDGAME, alice, bob)
    here = Position.from_fen(ENDGAME, "american")
    assert access.is_relayed(user=alice, position=here)
    made = here.legal_moves()[0]
    play_moves(game, here.notation(made))
    assert access.is_relayed(user=alice, position=here.play(made))


def test_the_computer_plays_no_position_near_to_a_running_game_beyond_the_opening(
    alice: User, charlie: User, game: Game, window: Open
) -> None:
    game = play_moves(game, *RELAYED[len(MOVES) :])
    near = without_a_man(replay_game(game).position)
    assert near.fen() != replay_game(game).position.fen()
    assert access.is_relayed(user=alice, position=near, plies=len(RELAYED))
    assert access.is_relayed(user=alice, position=near, is_own_start=True)
    assert not access.is_relayed(user=alice, position=near, plies=7)
    assert not access.is_relayed(user=charlie, position=near, plies=len(RELAYED))
    for more, refused in ({"plies": "10"}, True), ({"own": "1"}, True), ({"plies": "7"}, False), ({}, False):
        assert bool(guard(alice, near, window, computer="1", **more)["refused"]) is refused, more


def test_a_game_in_the_opening_leaves_the_computer_its_strength_in_another_that_began_as_usual(
    alice: User, game: Game
) -> None:
    assert not access.is_relayed(user=alice, position=HERE, plies=7)
    assert not access.is_relayed(user=alice, position=without_a_man(HERE), plies=len(RELAYED))


def test_the_computer_plays_no_opening_from_a_start_near_to_the_usual_one(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    levels: list[int] = []

    def moved(_game: Game, _replay: crownhead.Game, level: int) -> str:
        levels.append(level)
        return ""

    monkeypatch.setattr(replies, "_move", moved)
    options = GameOptions(variant="american", colour="second", days_per_move=3, start=WITHOUT_CORNERS)
    played = computer_services.start(user=alice, level=10, options=options, now=NOW, dice=Random(1))

    def considered() -> None:
        assert played.first_player_id is not None
        replies.consider(game_id=played.public_id, computer_id=played.first_player_id, now=NOW)

    considered()
    running = make_game(alice, bob)
    considered()
    resign(user=alice, game_id=running.public_id, now=NOW)
    considered()
    assert levels == [10, 1, 10]


def test_another_game_with_the_computer_goes_on_from_no_position_of_a_running_game(
    alice: User, bob: User
) -> None:
    options = GameOptions(variant="american", colour="first", days_per_move=3, start=ENDGAME)
    game = computer_services.start(user=alice, level=10, options=options, now=NOW, dice=Random(1))
    resign(user=alice, game_id=game.public_id, now=NOW)
    make_game_from(ENDGAME, alice, bob)
    with pytest.raises(OwnGameInProgress):
        invite_again(user=alice, game_id=game.public_id, message="", now=NOW)
    assert not Game.objects.filter(status="waiting").exists()


def test_a_running_game_is_replayed_once_however_often_is_asked(alice: User, game: Game) -> None:
    access.guarded_placements.cache_clear()
    for _ in range(3):
        with pytest.raises(OwnGameInProgress):
            ask(alice, HERE)
    assert access.guarded_placements.cache_info().misses == 1
    play_moves(game, "26-23")
    ask(alice, Position.from_fen("B:WK18,22,27:BK1,K6"))
    assert access.guarded_placements.cache_info().misses == 2


MANY_CAPTURES = "W:WK3,K4,K13,K21,K28:B8,9,10,16,17,18,24,25,26"


def test_many_games_from_one_start_are_compared_as_one(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = Position.from_fen(MANY_CAPTURES, "russian")
    compared: list[int] = []

    make_table = likeness.Table.of

    def counted(known: Iterable[int]) -> likeness.Table:
        table = make_table(known)
        if table.known:
            compared.append(len(table.known))
        return table

    monkeypatch.setattr(likeness.Table, "of", counted)
    first = make_game_from(MANY_CAPTURES, alice, bob, variant="russian")
    assert access.OwnGames(alice).like(here) == first
    for _ in range(5):
        make_game_from(MANY_CAPTURES, alice, bob, variant="russian")
    assert access.OwnGames(alice).like(here) == first
    assert compared[0] == compared[1] <= 1 + len(here.legal_moves())


def test_from_a_start_with_many_captures_none_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    start = Position.from_fen(MANY_CAPTURES, "russian")
    captures = {placement(start.play(move)) for move in start.legal_moves()}
    assert len(captures) > 40
    monkeypatch.setattr(Position, "play", None)
    assert set(guarded([start], answers=False)) == captures | {placement(start)}


def test_a_position_of_a_review_is_compared_once_however_many_games_run(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[Position] = []
    find = Surroundings.find

    def counted(known: Surroundings, position: Position) -> tuple[int, int] | None:
        compared.append(position)
        return find(known, position)

    monkeypatch.setattr(Surroundings, "find", counted)
    for square in (13, 14, 15, 16):
        make_game_from(f"W:WK32,K31:BK1,K2,{square}", alice, bob)
    positions = [Position.start("american"), Position.from_fen("B:WK32,K31:BK1,K2,17"), HERE]
    assert access.barred_plies(alice, positions) == {1}
    assert compared == positions
    assert access.barred_plies(bob, positions) == {1}
    assert access.barred_plies(None, positions) == frozenset()


@pytest.mark.parametrize("variant", ["american", "turkish", "frisian", "parachute", "hawaiian", "one-way"])
def test_near_is_what_few_pieces_make(variant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crownhead.server.analysis.engine.likeness._MOST_AFTER_ANSWERS", 1_000)
    dice = Random(variant)
    games = []
    for plies in (12, 30, 60):
        game = crownhead.Game(variant, draw_rules="none")
        while len(game.moves) < plies and (moves := game.position.legal_moves()):
            game.push(dice.choice(moves))
        games.append(game)
    watched, *others = games
    last = watched.position
    captures = [last.play(move) for move in last.legal_moves() if move.captures]
    moved = [last.play(move) for move in last.legal_moves()]
    answers = [there.play(move) for there in moved for move in there.legal_moves() if move.captures]
    known = list(guarded(watched.positions))
    assert set(known) == {placement(position) for position in (*watched.positions[-5:], *captures, *answers)}
    surroundings = Surroundings(known)
    assert surroundings.near(last) is not None
    for position in (here for game in (watched, *others) for here in game.positions):
        near = [one for one in known for form in forms(position) if (form ^ one).bit_count() <= NEAR]
        found = surroundings.near(position)
        assert found in near if near else found is None


@pytest.mark.parametrize("variant", ["pool", "russian", "czech"])
def test_the_engine_helps_by_no_other_laws(alice: User, bob: User, game: Game, variant: str) -> None:
    def by_other_laws(position: Position) -> Position:
        return Position.from_fen(position.fen(), variant)

    ask(alice, by_other_laws(HERE), variant)  # seven plies old, as other games are
    play_moves(game, *RELAYED[len(MOVES) :])
    here = HERE
    for move in RELAYED[len(MOVES) :]:
        here = here.play(move)
    for position in (here, here.mirror(), with_other_turn(here)):
        with pytest.raises(OwnGameInProgress):
            ask(alice, by_other_laws(position), variant)
        assert access.is_relayed(user=alice, position=by_other_laws(position))
        assert access.barred_plies(alice, [by_other_laws(position)]) == {0}
    ask(alice, Position.from_fen(here.fen(), "anti"), "anti")
    make_game_from(ENDGAME, alice, bob)
    with pytest.raises(OwnGameInProgress):
        ask(alice, Position.from_fen(ENDGAME, variant), variant)


@pytest.mark.parametrize(
    ("variant", "twin"),
    [
        ("american", "mule"),
        ("american", "parachute"),
        ("czech", "corner"),
        ("pool", "russian"),
        ("international", "killer"),
    ],
)
def test_a_move_is_not_tried_out_by_the_laws_of_another_variant(
    alice: User, bob: User, charlie: User, variant: str, twin: str
) -> None:
    game, dice = make_game(alice, bob, variant=variant), Random(4)
    for _ in range(10):
        here = replay_game(fresh(game)).position
        play_moves(game, here.notation(dice.choice(here.legal_moves())))
    here = replay_game(fresh(game)).position
    assert not any(made.captures for made in here.legal_moves())
    for made in here.legal_moves():
        after = Position.from_fen(here.play(made).fen(), twin)
        assert access.OwnGames(alice).like(after) == game
        assert access.is_relayed(user=alice, position=after, plies=11)
        assert access.is_relayed(user=alice, position=after, is_own_start=True)
        assert not access.is_relayed(user=charlie, position=after, plies=11)
        assert access.barred_plies(alice, [after]) == {0}


def test_the_engine_says_nothing_about_recent_moves(alice: User, game: Game) -> None:
    before = Position.start("american")
    for move in MOVES[:-3]:
        before = before.play(move)
    with pytest.raises(OwnGameInProgress):
        ask(alice, before)


def test_others_and_other_positions_are_free(alice: User, charlie: User, game: Game) -> None:
    ask(charlie, HERE)
    ask(alice, Position.from_fen("B:WK18,22,27:BK1,K6"))
    ask(alice, Position.from_fen("W:W21,22,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,12,14,16"))
    ask(alice, Position.from_fen("W:W21-32:B1-12", "italian"), "italian")


def test_a_player_does_not_read_the_study_of_a_friend(
    alice: User, charlie: User, game: Game, window: Open
) -> None:
    study = ask(charlie, HERE.mirror())
    Study.objects.update(
        report={"depth": 9, "nodes": 1, "proven": False, "lines": []}, progress="done", ended_at=NOW
    )
    path = f"/analyses/{study.public_id}"
    assert api_of(charlie).get(path).status_code == 200
    answer = api_of(alice).get(path)
    assert (answer.status_code, slug(answer)) == (403, "own-game-runs")
    assert selectors.followable([study.public_id], alice) == set()
    assert selectors.followable([study.public_id], charlie) == {study.public_id}
    assert (
        "The engine is off while your game is in progress, and the club's server checks this too"
        in window(alice).get(f"/analysis/?study={study.public_id}").text
    )


def test_what_was_asked_is_kept_for_the_staff(alice: User, game: Game) -> None:
    with recorded_events(EngineRefused) as refused, pytest.raises(OwnGameInProgress):
        ask(alice, HERE.mirror())
    (event,) = refused
    assert (event.user_id, event.game_id, event.ply) == (alice.pk, game.public_id, 7)
    assert event.fen == HERE.mirror().fen()


def guard(user: User | None, position: Position, window: Open, **more: str) -> Any:
    """What the server answers the engine of a browser that asks by itself."""
    query = urlencode({"variant": position.variant_key, "fen": position.fen(), **more})
    return json.loads(window(user).get(f"/analysis/guard/?{query}").html)


def ask_guard(user: User, position: Position, window: Open, **more: str) -> Any:
    """What it answers an engine that the reader has just turned on, or a move against the computer."""
    form = {"variant": position.variant_key, "fen": position.fen(), **more}
    return json.loads(window(user).post("/analysis/guard/", form).html)


def test_the_engine_of_a_browser_is_refused_alike(
    alice: User, charlie: User, game: Game, window: Open
) -> None:
    elsewhere = Position.from_fen("B:WK18,22,27:BK1,K6")
    for position in DISGUISES.values():
        assert "while your game is in progress" in guard(alice, position, window)["refused"]
    assert guard(alice, elsewhere, window) == {"refused": "", "guarded": True}
    assert guard(alice, Position.start("anti"), window) == {"refused": "", "guarded": False}
    assert guard(charlie, HERE, window) == guard(None, HERE, window) == {"refused": "", "guarded": False}
    resign(user=alice, game_id=game.public_id, now=NOW)
    assert guard(alice, HERE, window) == {"refused": "", "guarded": False}


def test_looking_at_ones_game_with_an_engine_left_on_is_no_evidence(
    alice: User, game: Game, window: Open
) -> None:
    with recorded_events(EngineRefused) as refused:
        guard(alice, HERE, window)
        assert refused == []
        assert "while your game is in progress" in ask_guard(alice, HERE, window)["refused"]
    assert [event.game_id for event in refused] == [game.public_id]


def test_a_guest_who_plays_has_no_help_either(alice: User, charlie: User, window: Open) -> None:
    guest = make_guest()
    play_moves(make_game(alice, guest), *MOVES)
    study = ask(charlie, HERE.mirror())
    here = {"variant": "american", "fen": HERE.mirror().fen()}
    browser, refusal = Window(browser_of(guest)), "while your game is in progress"

    assert refusal in json.loads(browser.get(f"/analysis/guard/?{urlencode(here)}").html)["refused"]
    assert refusal in browser.post("/analysis/begin/", here, follow=True).text
    assert refusal in browser.get(f"/analysis/?{urlencode({**here, 'study': study.public_id})}").text
    assert refusal in browser.get(f"/computer/?{urlencode(here)}").text
    assert selectors.followable([study.public_id], guest) == set()
    assert browser.client.get(f"/api/v1/analyses/{study.public_id}").status_code == 403
    assert window().client.get(f"/api/v1/analyses/{study.public_id}").status_code == 200
    assert Study.objects.count() == 1
    assert refusal not in window().get(f"/computer/?{urlencode(here)}").text


def test_the_engine_of_a_browser_is_off_for_those_whom_the_staff_have_blocked(
    alice: User, charlie: User, window: Open
) -> None:
    allow(staff=charlie, user=alice, games=None, seconds=None, shut=True, reason="two accounts", now=NOW)
    assert "two accounts" in guard(alice, Position.start("anti"), window)["refused"]


@pytest.mark.parametrize("query", ["", "variant=chess&fen=W:W1:B2", "variant=american&fen=nonsense"])
def test_what_is_no_position_is_refused_with_a_reason(window: Open, query: str) -> None:
    assert window().get(f"/analysis/guard/?{query}").status == 422
    assert window().post("/analysis/guard/", dict(parse_qsl(query))).status == 422


def test_positions_are_alike_on_a_mirrored_board() -> None:
    spanish, portuguese = Position.start("spanish"), Position.start("portuguese")
    assert plays_alike(spanish.variant, portuguese.variant)
    assert set(forms(spanish)) == set(forms(portuguese))
    assert not plays_alike(variant_of("american"), variant_of("anti"))
    assert shares_board(variant_of("american"), spanish.variant)
    assert not shares_board(variant_of("american"), variant_of("anti"))
    assert not shares_board(variant_of("american"), variant_of("turkish"))
