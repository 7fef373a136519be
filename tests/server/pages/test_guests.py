"""Playing without an account, by pages: a link for a friend, an offer of the waiting room, signing up."""

from __future__ import annotations

import re

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.accounts.preferences.services import set_preferences
from crownhead.server.play.models import Game
from tests.server.conftest import PASSWORD
from tests.server.guests import LINK, guest_in
from tests.server.pages.conftest import Open
from tests.server.pages.window import Window
from tests.server.play.factories import fresh, make_game, make_offer

pytestmark = pytest.mark.django_db

_LINK = re.compile(r'value="http://testserver(/join/[\w-]+/)"')


def offer_by_link(window: Window, **changes: str) -> tuple[str, str]:
    """The page of a game that a visitor offers, and the link to it."""
    page = window.post("/new/", LINK | changes).location
    found = _LINK.search(window.get(page).html)
    assert found, "expected the link on the page of the game"
    return page, found[1]


def test_the_form_offers_a_visitor_a_link_instead_of_a_sign_in(window: Open, alice: User) -> None:
    text = window().get("/new/").text
    assert "Play a friend by link Play the computer" in text  # the heading, and where else one may go
    assert text.index("Get the link") < text.index("Search games")  # on a phone the form is long
    assert "No account needed" in text
    for words in ("Create game", "Find a game", "Opponent", "Rated"):
        assert words not in text
    mine = window(alice).get("/new/").text
    assert all(words in mine for words in ("Create game", "Find a game", "Link for a friend", "Opponent"))


def test_two_visitors_without_accounts_play_by_a_link(window: Open) -> None:
    host, friend = window(), window()
    page, link = offer_by_link(host)
    assert "Send this link to a friend" in host.get(page).text
    assert window().get(page).status == 404

    shown = friend.get(link)
    assert re.search(r"Guest \d+ invites you to a game of", shown.text)
    assert "Play as a guest" in shown.text
    assert friend.post(link).location == page

    for player, move, version in ((host, "11-15", "0"), (friend, "22-18", "1"), (host, "15x22", "2")):
        assert player.post(page, {"do": "move", "move": move, "version": version}).location == page
    game = Game.objects.get()
    assert (game.moves, game.rated, game.open) == ("11-15 22-18 15x22", False, False)


def test_nobody_takes_a_link_of_their_own(window: Open) -> None:
    host = window()
    _page, link = offer_by_link(host)
    assert "This is your own invitation" in host.get(link).text
    assert host.post(link).status == 403


def test_a_link_is_good_for_one(window: Open) -> None:
    _page, link = offer_by_link(window())
    window().post(link)
    late = window()
    assert "no longer open" in late.get(link).text
    assert late.post(link).status == 409


def test_a_visitor_joins_a_casual_offer_at_once_and_moves(window: Open, alice: User) -> None:
    offer, visitor = make_offer(alice, colour="second"), window()
    assert "Join" in visitor.get("/waiting-room/").text

    page = visitor.post(f"/waiting-room/{offer.public_id}/take/").location
    visitor.post(page, {"do": "move", "move": "11-15", "version": "0"})

    assert fresh(offer).moves == "11-15"


def test_the_page_of_an_offer_lets_a_visitor_join(window: Open, alice: User) -> None:
    casual, rated = make_offer(alice), make_offer(alice, rated=True)
    assert "Join this game" in window().get(f"/games/{casual.public_id}/").text
    text = window().get(f"/games/{rated.public_id}/").text
    assert "Join this game" not in text
    assert "Sign up to join" in text


def test_a_rated_offer_is_remembered_through_signing_up(window: Open, alice: User) -> None:
    offer, visitor = make_offer(alice, rated=True), window()
    take = f"/waiting-room/{offer.public_id}/take/"
    assert f'href="/accounts/signup/?next={take}"' in visitor.get("/waiting-room/").html

    assert visitor.post(take).location == f"/accounts/signup/?next={take.replace('/', '%2F')}"
    form = visitor.get(f"/accounts/signup/?next={take}").html
    assert f'name="next" value="{take}"' in form
    account = {"username": "newcomer", "email": "n@club.example", "password1": PASSWORD, "next": take}
    assert visitor.post("/accounts/signup/", account).location == take
    assert visitor.get(take).location == f"/games/{offer.public_id}/"
    assert "Join this game" in visitor.get(f"/games/{offer.public_id}/").text
    assert fresh(offer).status == "waiting"


def test_the_sign_in_page_takes_the_offer_along_to_the_sign_up_page(window: Open, alice: User) -> None:
    take = f"/waiting-room/{make_offer(alice).public_id}/take/"
    assert (
        f"/accounts/signup/?next={take.replace('/', '%2F')}"
        in window().get(f"/accounts/login/?next={take}").html
    )


def test_members_who_refuse_guests_are_joined_by_members_alone(window: Open, alice: User, bob: User) -> None:
    offer = make_offer(alice)
    assert "Sign up to join" not in window().get("/waiting-room/").text
    set_preferences(user=alice, changes={"guests": False})
    assert "Sign up to join" in window().get("/waiting-room/").text
    assert "Sign up to join" not in window(bob).get("/waiting-room/").text
    assert window().post(f"/waiting-room/{offer.public_id}/take/").location.startswith("/accounts/signup/")


def test_a_guest_is_marked_beside_the_board_and_leads_to_no_profile(window: Open, alice: User) -> None:
    offer = make_offer(alice)
    window().post(f"/waiting-room/{offer.public_id}/take/")
    page = window(alice).get(f"/games/{offer.public_id}/")
    assert re.search(r"Guest \d{4}", page.text)
    assert "/players/guest-" not in page.html
    assert "/players/alice/" in page.html


def test_games_with_guests_have_no_chat_and_guests_no_notes_or_plans(window: Open, alice: User) -> None:
    offer, visitor = make_offer(alice), window()
    visitor.post(f"/waiting-room/{offer.public_id}/take/")
    address = f"/games/{offer.public_id}/"
    theirs, hers = visitor.get(address), window(alice).get(address)
    for page in (theirs, hers):
        assert "?tab=chat" not in page.html
        assert "Add a message" not in page.text
    assert "?tab=notes" not in theirs.html
    assert "?tab=plan" not in theirs.html
    assert "?tab=notes" in hers.html
    for form in ({"do": "say", "text": "Hi"}, {"do": "note", "note": "x"}, {"do": "appeal", "reason": "x"}):
        assert visitor.post(address, form).location.startswith("/accounts/login/")
    assert visitor.get(f"{address}plan/").location.startswith("/accounts/login/")


def test_a_guest_ends_a_game_and_is_offered_a_rematch(window: Open, alice: User) -> None:
    offer, visitor = make_offer(alice), window()
    visitor.post(f"/waiting-room/{offer.public_id}/take/")
    address = f"/games/{offer.public_id}/"
    assert "Resign" in visitor.get(f"{address}resign/").text
    visitor.post(address, {"do": "resign"})
    again = window(alice).post(address, {"do": "again"}).location
    assert "Your opponent offers a rematch." in visitor.get(address).text
    assert visitor.post(f"/invitations/{again.split('/')[2]}/accept/").location == again
    assert Game.objects.filter(status="playing").count() == 1


def test_every_page_leads_a_guest_back_to_their_games(window: Open, alice: User) -> None:
    visitor = window()
    assert "You're playing as" not in visitor.get("/help/").text
    games = [make_offer(alice, colour=colour) for colour in ("second", "first")]
    for offer in games:
        visitor.post(f"/waiting-room/{offer.public_id}/take/")
    page = visitor.get("/help/")
    assert re.search(r"You're playing as Guest \d+\.", page.text)
    assert "Sign up to keep your games" in page.text
    assert f'href="/games/{games[0].public_id}/"' in page.html
    assert "Your turn against alice" in page.text
    assert "Game against alice" in page.text
    here = visitor.get(f"/games/{games[0].public_id}/").text
    assert "Your turn against alice" not in here
    assert "Game against alice" in here


def test_the_page_of_the_only_game_has_no_bar_while_it_runs(window: Open, alice: User) -> None:
    offer, visitor = make_offer(alice), window()
    visitor.post(f"/waiting-room/{offer.public_id}/take/")
    address = f"/games/{offer.public_id}/"
    assert "You're playing as" not in visitor.get(address).text
    visitor.post(address, {"do": "resign"})
    assert "Sign up to keep your games" in visitor.get(address).text


def test_a_guest_sees_nothing_of_others_that_a_visitor_does_not(window: Open, alice: User, bob: User) -> None:
    private, visitor = make_game(alice, bob, hidden=True), window()
    offer_by_link(visitor)
    assert guest_in(visitor.client)
    address = f"/games/{private.public_id}/"
    assert visitor.get(address).status == 404
    assert visitor.post(address, {"do": "resign"}).status == 404
    public = make_game(alice, bob)
    assert visitor.post(f"/games/{public.public_id}/", {"do": "resign"}).status == 403


def test_a_visitor_withdraws_their_offer(window: Open) -> None:
    visitor = window()
    page, link = offer_by_link(visitor)
    assert f'href="{page}"' in visitor.get("/help/").html
    public_id = page.split("/")[2]
    assert window().post(f"/waiting-room/{public_id}/withdraw/").location.startswith("/accounts/login/")
    visitor.post(f"/waiting-room/{public_id}/withdraw/")
    assert Game.objects.get().status == "withdrawn"
    assert window().post(link).status == 409


def test_a_name_in_the_form_is_no_game_by_link(window: Open, alice: User, bob: User) -> None:
    answer = window(alice).post("/new/", LINK | {"opponent": "bob"})
    assert answer.status == 422
    assert "Leave this empty to get a link." in answer.text


def test_a_members_link_is_among_their_invitations(window: Open, alice: User) -> None:
    member = window(alice)
    _page, link = offer_by_link(member)
    page = member.get("/invitations/")
    assert "anyone with the link" in page.text
    assert link in page.html
