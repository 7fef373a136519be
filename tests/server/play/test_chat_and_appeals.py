"""What players say to each other, write for themselves, and ask of the staff."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from crownhead.server.accounts.choices import Scope
from crownhead.server.accounts.contacts.services import block
from crownhead.server.accounts.models import User
from crownhead.server.accounts.services.computers import computer
from crownhead.server.accounts.tokens.services import new_token
from crownhead.server.core.problems import Conflict, Forbidden
from crownhead.server.live.models import Outbox
from crownhead.server.play import problems
from crownhead.server.play.chat import services as chat_services
from crownhead.server.play.draws.services import accept_draw, offer_draw, resign
from crownhead.server.play.games.services.deadlines import end_overdue_games
from crownhead.server.play.models import Appeal, ChatLine, Game, StaffAction
from crownhead.server.play.staff import services as staff_services
from crownhead.server.play.staff.services import adjudicate, annul, answer_appeal
from crownhead.server.social.services import moderation
from tests.server.conftest import Api
from tests.server.play.factories import DAY, NOW, api_of, fresh, make_game, make_offer, play_moves, slug

pytestmark = pytest.mark.django_db


@pytest.fixture
def dora(django_user_model: type[User]) -> User:
    """Dora, of the staff."""
    return django_user_model.objects.create_superuser("dora", "dora@example.org", "a long passphrase")


def _chat(user: User | None, game: Game) -> list[str]:
    found = json.loads(api_of(user).get(f"/games/{game.public_id}/chat").content)
    return [f"{line['seat']}@{line['ply']}: {line['text']}" for line in found]


def _say(user: User, game: Game, text: str) -> Any:
    return api_of(user).post(f"/games/{game.public_id}/chat", {"message": text})


def test_players_talk_and_others_read_it_only_when_the_game_is_over(
    alice: User, bob: User, charlie: User, dora: User
) -> None:
    game = make_game(alice, bob)
    assert _say(alice, game, " Good luck! ").status_code == 200
    _say(bob, play_moves(game, "11-15"), "You too.")
    said = ["first@0: Good luck!", "second@1: You too."]
    assert _chat(alice, game) == _chat(bob, game) == _chat(dora, game) == said
    assert _chat(charlie, game) == _chat(None, game) == []
    resign(user=bob, game_id=game.public_id, now=NOW)
    assert _chat(charlie, game) == said
    assert _say(bob, game, "Thanks.").status_code == 200


def test_words_are_sent_to_the_players_alone(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    events = Outbox.objects.count()
    _say(alice, game, "Hello")
    topics = {row.topic for row in Outbox.objects.all()[events:]}
    assert topics == {f"user:{alice.pk}", f"user:{bob.pk}"}


def test_a_message_goes_with_a_move_and_is_kept_once(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    body = {"move": "11-15", "version": 0, "message": "Watch this."}
    for _ in range(2):
        assert api_of(alice).post(f"/games/{game.public_id}/moves", body).status_code == 200
    assert _chat(bob, game) == ["first@1: Watch this."]


def test_a_message_goes_only_with_a_move_that_is_made(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    body = {"move": "11-14", "version": 0, "message": "Watch this."}
    assert api_of(alice).post(f"/games/{game.public_id}/moves", body).status_code == 422
    assert _chat(bob, game) == []


def _move_and_say(user: User, game: Game, move: str, message: str) -> Any:
    body = {"move": move, "version": fresh(game).version, "message": message}
    return api_of(user).post(f"/games/{game.public_id}/moves", body)


def test_a_line_that_goes_with_a_move_counts_as_any_other(alice: User, bob: User, settings: Any) -> None:
    settings.LIMITS = settings.LIMITS | {"chat": "2/h"}
    game = make_game(alice, bob)
    assert _move_and_say(alice, game, "11-15", "One").json()["message_sent"] is True
    assert _say(alice, game, "Two").status_code == 200
    assert _say(alice, game, "Three").status_code == 429
    assert _say(bob, game, "Mine").status_code == 200
    client = Client()
    client.force_login(alice)
    said = client.post(f"/games/{game.public_id}/", {"do": "say", "text": "Four"})
    assert said.status_code == 429
    assert _chat(bob, game) == ["first@1: One", "first@1: Two", "second@1: Mine"]


def test_a_move_is_made_without_its_message_once_the_player_has_written_enough(
    alice: User, bob: User, settings: Any
) -> None:
    settings.LIMITS = settings.LIMITS | {"chat": "1/h"}
    game = make_game(alice, bob)
    assert _say(alice, game, "One").status_code == 200
    body = {"move": "11-15", "version": 0, "message": "Two"}
    for _ in range(2):  # a move that is sent again is answered alike
        answer = api_of(alice).post(f"/games/{game.public_id}/moves", body)
        assert answer.status_code == 200
        assert (answer.json()["message_sent"], answer.json()["version"]) == (False, 1)
    answer = api_of(alice).post(f"/games/{game.public_id}/moves", body | {"message": ""})
    assert (answer.status_code, answer.json()["message_sent"]) == (200, None)
    assert (fresh(game).moves, _chat(bob, game)) == ("11-15", ["first@0: One"])


@pytest.mark.parametrize("message", [" \n", "\u202e", "\x07\x1b ", "\r\n\u2066"])
def test_a_message_of_nothing_but_controls_is_none_and_the_move_is_made(
    alice: User, bob: User, message: str
) -> None:
    game = make_game(alice, bob)
    token = new_token(user=alice, now=NOW, scopes=(Scope.READ, Scope.PLAY))
    body = {"move": "11-15", "version": 0, "message": message}
    answer = Api(token).post(f"/games/{game.public_id}/moves", body)
    assert (answer.status_code, answer.json()["message_sent"]) == (200, None)
    assert (fresh(game).moves, _chat(bob, game)) == ("11-15", [])


def test_a_move_is_made_without_its_message_once_the_chat_of_the_game_is_full(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chat_services, "MAX_LINES", 1)
    game = make_game(alice, bob)
    assert _say(alice, game, "One").status_code == 200
    assert _move_and_say(alice, game, "11-15", "Two").json()["message_sent"] is False
    assert (fresh(game).moves, _chat(bob, game)) == ("11-15", ["first@0: One"])


def test_the_page_says_that_a_move_was_made_without_its_message(
    alice: User, bob: User, settings: Any
) -> None:
    settings.LIMITS = settings.LIMITS | {"chat": "1/h"}
    game = make_game(alice, bob)
    assert _say(alice, game, "One").status_code == 200
    client = Client()
    client.force_login(alice)
    form = {"do": "move", "move": "11-15", "version": "0", "message": "Two"}
    page = client.post(f"/games/{game.public_id}/", form, follow=True).content.decode()
    assert re.search(r"Your message was not sent with the move\. Try again in \d+ minutes?\.", page)
    assert fresh(game).moves == "11-15"
    assert "not sent with" not in client.get(f"/games/{game.public_id}/").content.decode()


def test_a_move_that_is_refused_uses_up_no_words(alice: User, bob: User, settings: Any) -> None:
    settings.LIMITS = settings.LIMITS | {"chat": "1/h"}
    game = make_game(alice, bob)
    for _ in range(3):
        assert _move_and_say(alice, game, "11-14", "Hm").status_code == 422
    assert _move_and_say(alice, game, "11-15", "Watch this.").json()["message_sent"] is True


def test_a_muted_players_words_with_a_move_are_refused_also_beyond_the_limit(
    alice: User, bob: User, dora: User, settings: Any
) -> None:
    settings.LIMITS = settings.LIMITS | {"chat": "1/h"}
    game = make_game(alice, bob)
    moderation.mute(staff=dora, user=alice, until=None, reason="Insults.", now=NOW)
    for _ in range(3):
        assert _move_and_say(alice, game, "11-15", "Grr").status_code == 403
    assert _move_and_say(alice, game, "11-15", "").json()["message_sent"] is None
    assert (fresh(game).moves, _chat(bob, game)) == ("11-15", [])


@pytest.mark.parametrize("text", ["", "  \n", "x" * 1001])
def test_words_that_are_none_or_too_many_are_refused(alice: User, bob: User, text: str) -> None:
    assert slug(_say(alice, make_game(alice, bob), text)) == "unprocessable"


def test_only_players_of_a_game_that_has_begun_talk(alice: User, bob: User, charlie: User) -> None:
    assert slug(_say(charlie, make_game(alice, bob), "Hi")) == "not-a-player"
    assert slug(_say(alice, make_offer(alice), "Hi")) == "not-in-progress"


def _note(user: User, game: Game) -> str:
    text: str = json.loads(api_of(user).get(f"/games/{game.public_id}/note").content)["text"]
    return text


def test_a_note_is_seen_by_its_writer_alone(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    path = f"/games/{game.public_id}/note"
    api_of(alice).send("PUT", path, json.dumps({"text": "Likes the Dyke."}).encode())
    assert (_note(alice, game), _note(bob, game)) == ("Likes the Dyke.", "")
    assert b"Dyke" not in api_of(bob).get(f"/games/{game.public_id}").content
    api_of(alice).send("PUT", path, json.dumps({"text": ""}).encode())
    assert _note(alice, game) == ""


def _appeal(user: User, game: Game, claim: str = "draw", reason: str = "Two kings each.") -> Any:
    return api_of(user).post(f"/games/{game.public_id}/appeals", {"claim": claim, "reason": reason})


def test_a_player_asks_the_staff_and_both_see_the_request(alice: User, bob: User, charlie: User) -> None:
    game = make_game(alice, bob)
    assert _appeal(alice, game).status_code == 200
    path = f"/games/{game.public_id}/appeals"
    (seen,) = json.loads(api_of(bob).get(path).content)
    assert (seen["seat"], seen["claim"], seen["granted"]) == ("first", "draw", None)
    assert slug(api_of(charlie).get(path)) == "not-a-player"
    assert slug(_appeal(alice, game)) == "already-asked"
    assert _appeal(bob, game, "win").status_code == 200


def test_only_its_author_and_the_staff_read_the_reason_of_a_request(
    alice: User, bob: User, dora: User
) -> None:
    game = make_game(alice, bob)
    block(user=bob, other=alice, now=NOW)
    moderation.mute(staff=dora, user=alice, until=None, reason="Insults.", now=NOW)
    assert json.loads(_appeal(alice, game).content)[0]["reason"] == "Two kings each."
    _appeal(bob, game, reason="No, three.")
    path = f"/games/{game.public_id}/appeals"
    reasons = [[row["reason"] for row in json.loads(api_of(user).get(path).content)] for user in (alice, bob)]
    assert reasons == [["Two kings each.", ""], ["", "No, three."]]
    staff = json.loads(api_of(dora).get(path).content)
    assert [row["reason"] for row in staff] == ["Two kings each.", "No, three."]


def test_the_staff_are_asked_so_often_and_not_without_end(alice: User, bob: User, settings: Any) -> None:
    settings.LIMITS = settings.LIMITS | {"reports": "2/h"}
    games = [make_game(alice, bob) for _ in range(3)]
    assert _appeal(alice, games[0]).status_code == 200
    assert slug(_appeal(alice, games[0])) == "already-asked"
    assert _appeal(alice, games[1]).status_code == 200
    assert _appeal(alice, games[2]).status_code == 429
    assert _appeal(bob, games[2]).status_code == 200
    assert Appeal.objects.count() == 3


def test_the_staff_decide_nothing_against_the_computer(alice: User) -> None:
    game = make_game(alice, computer(3))
    answer = _appeal(alice, game, "win")
    assert slug(answer) == "conflict"
    assert b"the staff don't decide them" in answer.content
    assert not Appeal.objects.exists()
    client = Client()
    client.force_login(alice)
    address = f"/games/{game.public_id}/"
    assert b'value="appeal"' not in client.get(address).content
    sent = {"do": "appeal", "claim": "win", "reason": "Give me."}
    assert b"the staff don&#x27;t decide them" in client.post(address, sent).content


@pytest.mark.parametrize(("claim", "reason"), [("loss", "So."), ("win", ""), ("win", "x" * 2001)])
def test_a_request_needs_a_claim_and_a_reason(alice: User, bob: User, claim: str, reason: str) -> None:
    assert slug(_appeal(alice, make_game(alice, bob), claim, reason)) == "unprocessable"
    assert not Appeal.objects.exists()


@pytest.mark.parametrize(("claim", "winner"), [("win", "second"), ("draw", None)])
def test_what_the_staff_grant_ends_the_game_with_their_reason(
    alice: User, bob: User, dora: User, claim: str, winner: str | None
) -> None:
    game = make_game(alice, bob)
    _appeal(bob, game, claim)
    appeal = Appeal.objects.get()
    answer_appeal(staff=dora, appeal_id=appeal.pk, granted=True, answer="So it is.", now=NOW + DAY)
    game = fresh(game)
    assert (game.termination, game.winner, game.adjudication_reason) == ("adjudication", winner, "So it is.")
    (action,) = StaffAction.objects.all()
    assert (action.verb, action.staff, action.reason, action.done_at) == (
        "adjudicated",
        dora,
        "So it is.",
        NOW + DAY,
    )
    with pytest.raises(Conflict):
        answer_appeal(staff=dora, appeal_id=appeal.pk, granted=False, answer="No.", now=NOW + DAY)


def test_what_the_staff_refuse_leaves_the_game_as_it_is_and_is_kept(
    alice: User, bob: User, dora: User
) -> None:
    game = make_game(alice, bob)
    _appeal(bob, game)
    answer_appeal(staff=dora, appeal_id=Appeal.objects.get().pk, granted=False, answer="Play on.", now=NOW)
    assert fresh(game).status == "playing"
    (seen,) = json.loads(api_of(alice).get(f"/games/{game.public_id}/appeals").content)
    assert (seen["granted"], seen["answer"]) == (False, "Play on.")
    assert StaffAction.objects.get().verb == "refused"
    assert _appeal(bob, game).status_code == 200


def test_nobody_but_staff_answers(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    _appeal(bob, game)
    with pytest.raises(Forbidden):
        answer_appeal(staff=alice, appeal_id=Appeal.objects.get().pk, granted=True, answer="Yes.", now=NOW)


def test_the_back_office_answers_a_request(alice: User, bob: User, dora: User) -> None:
    game = make_game(alice, bob)
    _appeal(bob, game)
    client = Client()
    client.force_login(dora)
    address = reverse("admin:play_appeal_change", args=[Appeal.objects.get().pk])
    assert b"Two kings each." in client.get(address).content
    assert client.post(address, {"verdict": "grant", "reply": " "}).status_code == 200
    assert client.post(address, {"verdict": "grant", "reply": "Agreed."}).status_code == 302
    assert fresh(game).termination == "adjudication"
    assert b'name="verdict"' not in client.get(address).content
    assert b"Agreed." in client.get(reverse("admin:play_staffaction_changelist")).content


def test_games_given_up_before_two_moves_each_count_for_nothing(alice: User, bob: User) -> None:
    for moves, annulled in (
        ([], True),
        (["11-15", "22-18", "15x22"], True),
        (["11-15", "22-18", "15x22", "25x18"], False),
    ):
        game = play_moves(make_game(alice, bob), *moves)
        resign(user=alice, game_id=game.public_id, now=NOW)
        assert fresh(game).annulled is annulled
        body = json.loads(api_of().get(f"/games/{game.public_id}").content)
        assert body["annulled"] is annulled


def test_the_moves_of_a_ballot_are_nobodys_own(alice: User, bob: User) -> None:
    game = make_game(alice, bob, variant="pro")
    resign(user=alice, game_id=game.public_id, now=NOW)
    assert fresh(game).annulled


def test_games_lost_on_time_or_agreed_drawn_at_once_count_for_nothing(alice: User, bob: User) -> None:
    late, agreed = make_game(alice, bob), make_game(alice, bob)
    end_overdue_games(now=NOW + 3 * DAY)
    assert fresh(late).annulled
    agreed = make_game(alice, bob)
    offer_draw(user=alice, game_id=agreed.public_id, now=NOW)
    accept_draw(user=bob, game_id=agreed.public_id, now=NOW)
    assert fresh(agreed).annulled


def test_staff_say_that_a_game_counts_for_nothing(alice: User, bob: User, dora: User) -> None:
    running = make_game(alice, bob)
    adjudicate(by=dora, game_id=running.public_id, result="nothing", reason="A test.", now=NOW)
    assert (fresh(running).annulled, fresh(running).winner) == (True, None)
    game = play_moves(make_game(alice, bob), "11-15", "22-18", "15x22", "25x18")
    with pytest.raises(Conflict):
        annul(staff=dora, game_id=game.public_id, reason="Why not.", now=NOW)
    resign(user=alice, game_id=game.public_id, now=NOW)
    with pytest.raises(Forbidden):
        annul(staff=alice, game_id=game.public_id, reason="I lost.", now=NOW)
    annul(staff=dora, game_id=game.public_id, reason="An engine played.", now=NOW)
    assert fresh(game).annulled
    assert "counts for nothing" in api_of().get(f"/games/{game.public_id}.pdn").content.decode()
    with pytest.raises(Conflict):
        annul(staff=dora, game_id=game.public_id, reason="Again.", now=NOW)


def test_the_back_office_annuls_a_game_that_is_over(alice: User, bob: User, dora: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15", "22-18", "15x22", "25x18")
    resign(user=alice, game_id=game.public_id, now=NOW)
    client = Client()
    client.force_login(dora)
    address = reverse("admin:play_game_change", args=[game.pk])
    assert client.post(address, {"why_annulled": "An engine played."}).status_code == 302
    assert fresh(game).annulled
    assert StaffAction.objects.get().reason == "An engine played."
    assert b'name="why_annulled"' not in client.get(address).content


def test_an_appeal_belongs_to_a_game_in_progress(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    resign(user=alice, game_id=game.public_id, now=NOW)
    with pytest.raises(problems.GameOver):
        staff_services.appeal(user=bob, game_id=game.public_id, claim="win", reason="They resigned.", now=NOW)


def test_the_api_has_a_long_chat_in_parts_without_what_blocked_players_say(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    ChatLine.objects.bulk_create(
        ChatLine(game=game, seat="second" if number % 2 else "first", text=f"{number}", ply=0, written_at=NOW)
        for number in range(250)
    )

    def numbers(**query: int) -> list[int]:
        answer = api_of(alice).get(f"/games/{game.public_id}/chat", **query)
        return [int(line["text"]) for line in json.loads(answer.content)]

    assert numbers() == list(range(150, 250))
    assert numbers(offset=100) == list(range(50, 150))
    assert numbers(offset=200) == list(range(50))
    assert numbers(limit=3) == [247, 248, 249]
    block(user=alice, other=bob, now=NOW)
    assert numbers(limit=3, offset=1) == [242, 244, 246]
