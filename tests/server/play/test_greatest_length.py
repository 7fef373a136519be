"""No game goes on for ever: it is drawn at the club's greatest length; chats and notes have an end, too."""

from __future__ import annotations

from typing import Any

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.core.problems import Conflict
from crownhead.server.play.chat import services as chat
from crownhead.server.play.games.selectors.replay import replay_game, write_pdn
from crownhead.server.play.models import ChatLine, Game, Note
from crownhead.server.play.moves.services import play_move
from crownhead.server.play.plans.services import set_plan
from tests.server.conftest import make_user
from tests.server.play.factories import NOW, api_of, fresh, make_game, make_game_from, play_moves

pytestmark = pytest.mark.django_db

KINGS = "B:WK32:BK1"  # at American checkers its draws are claimed, not declared
AROUND = ("1-6", "32-27", "6-1", "27-32")


@pytest.fixture(autouse=True)
def _short(settings: Any) -> None:
    settings.LONGEST_GAME = 8


def test_a_game_is_drawn_when_it_reaches_the_greatest_length(alice: User, bob: User) -> None:
    game = make_game_from(KINGS, alice, bob)
    game = play_moves(game, *AROUND, *AROUND[:3])
    assert game.status == "playing"
    game = play_moves(game, AROUND[3])
    assert (game.status, game.winner, game.termination) == ("finished", None, "length")
    assert api_of(alice).get(f"/games/{game.public_id}").json()["outcome"]["result"] == "1/2-1/2"
    assert replay_game(game).result == "1/2-1/2"
    assert '[Result "1/2-1/2"]' in write_pdn(game)


def test_a_move_that_wins_at_that_length_wins(alice: User, bob: User, settings: Any) -> None:
    settings.LONGEST_GAME = 1
    game = play_moves(make_game_from("B:W6:BK1", alice, bob), "1x10")
    assert (game.winner, game.termination) == ("first", "no-pieces")


def test_what_was_taken_back_does_not_count(alice: User, bob: User) -> None:
    game = make_game_from(KINGS, alice, bob)
    Game.objects.filter(pk=game.pk).update(version=20, turned_back=20)
    assert play_moves(fresh(game), *AROUND).status == "playing"


def test_conditional_moves_stop_there_too(alice: User, bob: User, settings: Any) -> None:
    settings.LONGEST_GAME = 4
    game = play_moves(make_game_from(KINGS, alice, bob), AROUND[0])
    line = (*AROUND[1:], *AROUND[:2])
    set_plan(user=alice, game_id=game.public_id, lines=[line[:2]], version=0, now=NOW)
    game = play_moves(game, AROUND[1])
    assert (game.status, len(game.moves.split())) == ("playing", 3)
    assert play_moves(game, AROUND[3]).termination == "length"


def test_a_club_may_have_no_such_end(alice: User, bob: User, settings: Any) -> None:
    settings.LONGEST_GAME = 0
    assert play_moves(make_game_from(KINGS, alice, bob), *AROUND * 3).status == "playing"


def test_it_is_told_in_words(alice: User, bob: User) -> None:
    game = play_moves(make_game_from(KINGS, alice, bob), *AROUND * 2)
    page = api_of(alice).client.get(f"/games/{game.public_id}/").content.decode()
    assert "Draw: the game reached the maximum length." in page


def test_a_chat_has_so_many_lines_of_each_player(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chat, "MAX_LINES", 2)
    game = make_game(alice, bob)
    for _ in range(2):
        chat.send_message(user=alice, game_id=game.public_id, text="hello", now=NOW)
    with pytest.raises(Conflict, match="2 messages"):
        chat.send_message(user=alice, game_id=game.public_id, text="hello", now=NOW)
    moved = play_move(
        user=alice, game_id=game.public_id, move="9-13", version=game.version, now=NOW, message="hello"
    )
    assert moved.moves == "9-13"
    chat.send_message(user=bob, game_id=game.public_id, text="hello", now=NOW)
    assert ChatLine.objects.count() == 3


def test_a_member_has_so_many_notes(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat, "MAX_NOTES", 2)
    games = [make_game(alice, bob) for _ in range(3)]
    charlie = make_user("charlie")
    for game in games[:2]:
        chat.write_note(user=charlie, game_id=game.public_id, text="an idea")
    with pytest.raises(Conflict, match="2 notes"):
        chat.write_note(user=charlie, game_id=games[2].public_id, text="an idea")
    chat.write_note(user=charlie, game_id=games[0].public_id, text="a better one")
    chat.write_note(user=charlie, game_id=games[1].public_id, text="")
    chat.write_note(user=charlie, game_id=games[2].public_id, text="an idea")
    chat.write_note(user=alice, game_id=games[2].public_id, text="an idea")
    assert Note.objects.count() == 3


def test_the_notes_of_a_member_have_so_many_characters_together(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chat, "MAX_NOTED", 20)
    games = [make_game(alice, bob) for _ in range(3)]
    for game in games[:2]:
        chat.write_note(user=alice, game_id=game.public_id, text="ten signs.")
    with pytest.raises(Conflict, match="20 characters"):
        chat.write_note(user=alice, game_id=games[2].public_id, text="a")
    chat.write_note(user=alice, game_id=games[0].public_id, text="another t.")
    with pytest.raises(Conflict):
        chat.write_note(user=alice, game_id=games[0].public_id, text="eleven sig.")
    chat.write_note(user=alice, game_id=games[1].public_id, text="")
    chat.write_note(user=alice, game_id=games[2].public_id, text="ten signs.")
    chat.write_note(user=bob, game_id=games[2].public_id, text="ten signs.")
