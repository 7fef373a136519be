"""What people say about a game on its page: chat, notes, take-backs, appeals, matches, another game."""

from __future__ import annotations

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.play.draws.services import resign
from crownhead.server.play.models import ChatLine, Game, Note
from crownhead.server.play.staff import selectors as staff_selectors
from crownhead.server.play.staff import services as staff_services
from tests.server.conftest import make_user
from tests.server.pages.conftest import Open
from tests.server.play.factories import NOW, fresh, make_game, make_game_from, make_offer, play_moves

WORDS = "Shall we say <b>eight</b> o'clock?"


def test_players_read_each_other_and_others_only_after_the_end(
    window: Open, alice: User, bob: User, charlie: User
) -> None:
    game = make_game(alice, bob)
    address, red = f"/games/{game.public_id}/", window(alice)

    answer = red.post(address, {"do": "say", "text": WORDS})

    assert answer.location == f"{address}?tab=chat"
    assert WORDS in red.get(answer.location).text
    assert "&lt;b&gt;eight" in window(bob).get(address).html
    for other in (window(charlie), window()):
        page = other.get(f"{address}?tab=chat")
        assert "clock?" not in page.html
        assert 'data-tab="chat"' not in page.html
    resign(user=alice, game_id=game.public_id, now=NOW)
    assert WORDS in window().get(address).text
    assert 'value="say"' not in window().get(address).html


def test_a_long_chat_is_shown_in_parts_the_latest_first(
    window: Open, alice: User, bob: User, charlie: User
) -> None:
    game = make_game(alice, bob)
    ChatLine.objects.bulk_create(
        ChatLine(
            game=game, seat="second" if number % 2 else "first", text=f"No {number}.", ply=0, written_at=NOW
        )
        for number in range(120)
    )
    address = f"/games/{game.public_id}/"

    latest, before, first = (
        window(alice).get(f"{address}?tab=chat{part}") for part in ("", "&chat=1", "&chat=2")
    )

    assert [number for number in range(120) if f"No {number}." in latest.text] == list(range(70, 120))
    assert [number for number in range(120) if f"No {number}." in before.text] == list(range(20, 70))
    assert [number for number in range(120) if f"No {number}." in first.text] == list(range(20))
    assert "?tab=chat&amp;chat=1" in latest.html
    assert "Older messages" not in first.text
    assert "Latest messages" in first.text
    assert all('data-count="60"' in page.html for page in (latest, before, first))
    assert "No 1" not in window(charlie).get(f"{address}?tab=chat&chat=1").text


def test_strangers_cannot_talk_and_nothing_is_said_by_saying_nothing(
    window: Open, alice: User, bob: User, charlie: User
) -> None:
    game = make_game(alice, bob)
    address = f"/games/{game.public_id}/"

    assert window(charlie).post(address, {"do": "say", "text": "Hello"}).status == 403
    assert window(alice).post(address, {"do": "say", "text": "  "}).status == 422
    assert window(alice).post(address, {"do": "say", "text": "x" * 1001}).status == 422
    assert "No messages yet." in window(bob).get(address).text


def test_a_player_who_talks_too_much_is_told_to_wait(
    window: Open, alice: User, bob: User, settings: pytest.FixtureRequest
) -> None:
    game = make_game(alice, bob)
    settings.LIMITS = {**settings.LIMITS, "chat": "2/m"}  # type: ignore[attr-defined]
    red = window(alice)

    answers = [red.post(f"/games/{game.public_id}/", {"do": "say", "text": "Hello"}) for _ in range(3)]

    assert [answer.status for answer in answers] == [302, 302, 429]


def test_a_message_goes_with_a_move(window: Open, alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    move = {"do": "move", "move": "11-15", "version": "0", "message": "The old one."}

    window(alice).post(f"/games/{game.public_id}/", move)

    assert "The old one." in window(bob).get(f"/games/{game.public_id}/").text


def test_a_note_is_kept_and_seen_by_its_owner_alone(window: Open, alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    address, red = f"/games/{game.public_id}/", window(alice)

    answer = red.post(address, {"do": "note", "note": "Mind\r\nthe corner."})
    quiet = red.post(address, {"do": "note", "note": "Mind\r\nthe corner."}, fragment=True)

    assert answer.location == f"{address}?tab=notes"
    assert (quiet.status, quiet.html) == (200, "Saved.")
    assert Note.objects.get().text == "Mind\nthe corner."
    assert "Mind\nthe corner." in red.get(address).html
    assert "corner" not in window(bob).get(address).html
    assert 'data-tab="notes"' not in window().get(address).html
    red.post(address, {"do": "note", "note": ""})
    assert not Note.objects.exists()


def test_the_tab_of_an_address_is_open_and_an_unknown_one_is_not(
    window: Open, alice: User, bob: User
) -> None:
    game = make_game(alice, bob)
    address, red = f"/games/{game.public_id}/", window(alice)

    assert 'data-panel="notes" aria-label="Notes">' in red.get(f"{address}?tab=notes").html
    assert 'data-panel="moves" aria-label="Moves" hidden>' in red.get(f"{address}?tab=notes").html
    assert 'data-panel="moves" aria-label="Moves">' in red.get(f"{address}?tab=nonsense").html


def test_a_take_back_is_requested_and_granted(window: Open, alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15")
    address, red, white = f"/games/{game.public_id}/", window(alice), window(bob)

    assert "Take back" in red.get(address).text
    asked = red.post(address, {"do": "ask-take-back"}, follow=True)
    assert "You asked to take back your last move." in asked.text
    assert "alice asks to take back the last move." in white.get(address).text
    white.post(address, {"do": "decline-take-back"})
    assert "take the last move back" not in white.get(address).text
    play_moves(fresh(game), "22-18", "15x22")
    red.post(address, {"do": "ask-take-back"})
    given = white.post(address, {"do": "accept-take-back"}, follow=True)

    assert "Red to move." in given.text
    assert len(fresh(game).moves.split()) == 2


def test_in_a_rated_game_nothing_is_taken_back(window: Open, alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob, rated=True), "11-15")

    page = window(alice).get(f"/games/{game.public_id}/")
    answer = window(alice).post(f"/games/{game.public_id}/", {"do": "ask-take-back"})

    assert "Take back" not in page.text
    assert answer.status == 409
    assert "Rated games have no take-backs." in answer.text


def test_the_staff_are_asked_and_answer_on_the_page(
    window: Open, alice: User, bob: User, charlie: User
) -> None:
    game = make_game_from("W:WK32:BK1", alice, bob)
    address, red = f"/games/{game.public_id}/", window(alice)
    dora = make_user("dora", is_staff=True)

    asked = red.post(address, {"do": "appeal", "claim": "draw", "reason": "King against king."}, follow=True)

    assert "alice asks the staff to declare a draw. King against king." in asked.text
    assert "The staff haven't answered yet." in window(bob).get(address).text
    assert "Ask the staff for a decision" not in asked.text
    for other in (bob, charlie):
        assert "King against king." not in window(other).get(address).text
    (row,) = staff_selectors.appeals(game=game, viewer=alice)
    staff_services.answer_appeal(staff=dora, appeal_id=row.pk, granted=False, answer="Play on.", now=NOW)
    assert "Declined by the staff. Play on." in window(bob).get(address).text


@pytest.mark.parametrize("form", [{"claim": "draw", "reason": " "}, {"claim": "loss", "reason": "So."}, {}])
def test_a_request_to_the_staff_needs_a_claim_and_a_reason(
    window: Open, alice: User, bob: User, form: dict[str, str]
) -> None:
    game = make_game(alice, bob)

    assert window(alice).post(f"/games/{game.public_id}/", {"do": "appeal"} | form).status == 422
    assert not staff_selectors.appeals(game=game, viewer=alice)


def test_a_game_that_the_staff_annulled_says_so_with_the_reason(window: Open, alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15", "22-18", "15x22", "25x18")
    resign(user=alice, game_id=game.public_id, now=NOW)
    dora = make_user("dora", is_staff=True)
    staff_services.annul(staff=dora, game_id=game.public_id, reason="Played by one hand.", now=NOW)

    page = window().get(f"/games/{game.public_id}/")

    assert "The staff annulled this game." in page.text
    assert "Played by one hand." in page.text


def test_a_game_that_the_staff_stopped_has_no_result_and_a_reason(
    window: Open, alice: User, bob: User
) -> None:
    game = make_game(alice, bob)
    dora = make_user("dora", is_staff=True)
    staff_services.adjudicate(by=dora, game_id=game.public_id, result="nothing", reason="A mistake.", now=NOW)

    page = window().get(f"/games/{game.public_id}/")

    assert "This game was ended by adjudication. It doesn't count. Reason: A mistake." in page.text
    assert "Draw" not in page.text.replace("Draws", "")


def test_a_match_tells_its_score_and_leads_to_its_other_game(window: Open, alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob, games=2), "11-15", "22-18", "15x22", "25x18")
    resign(user=alice, game_id=game.public_id, now=NOW)
    other = Game.objects.exclude(pk=game.pk).get()

    page = window().get(f"/games/{game.public_id}/")

    assert "Match of 2 games alice 0, bob 1 game 1 game 2" in page.text
    assert f'href="/games/{other.public_id}/"' in page.html


def test_a_former_opponent_is_invited_again_with_the_sides_swapped(
    window: Open, alice: User, bob: User
) -> None:
    game = make_game(alice, bob)
    resign(user=alice, game_id=game.public_id, now=NOW)

    answer = window(alice).post(f"/games/{game.public_id}/", {"do": "again", "message": "Once more?"})

    new = Game.objects.exclude(pk=game.pk).get()
    assert answer.location == f"/games/{new.public_id}/"
    assert (new.invited, new.second_player) == (bob, alice)
    invited = window(bob).get(answer.location)
    assert "alice invites you to this game. Once more? Accept the invitation Decline" in invited.text
    assert "Waiting for an answer to your invitation." in window(alice).get(answer.location).text


def test_moments_have_records_and_pictures(window: Open, alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15", "22-18")

    assert "Download up to this position (PDN)" in window().get(f"/games/{game.public_id}/?ply=1").text
    assert "1. 11-15 *" in window().get(f"/games/{game.public_id}.pdn?ply=1").html
    picture = window().get(f"/games/{game.public_id}.svg?ply=1")
    assert picture.headers["Content-Type"] == "image/svg+xml"
    assert picture.html.startswith("<svg")
    assert window().get(f"/games/{game.public_id}.svg?ply=9").status == 404


def test_a_game_that_has_not_begun_has_nothing_to_say(window: Open, alice: User) -> None:
    page = window(alice).get(f"/games/{make_offer(alice).public_id}/")

    assert 'data-tab="chat"' not in page.html
    assert 'data-tab="plan"' not in page.html
