"""E-mails as they are sent: text, structure and unsubscribing."""

from __future__ import annotations

import re
import smtplib
from collections.abc import Iterator
from email.message import Message
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.mail.backends import locmem
from django.test import Client
from pytest_django import Settings

from crownhead.server.accounts.models import User
from crownhead.server.notices import jobs
from crownhead.server.notices.channels import mail as mail_channel
from crownhead.server.notices.kinds import Channel, Kind, Timing
from crownhead.server.notices.models import Delivery, Reader
from crownhead.server.notices.selectors.preferences import timings_of
from crownhead.server.notices.services import preferences
from crownhead.server.play.draws.services import offer_draw
from crownhead.server.play.moves.services import play_move
from crownhead.server.social.services import messages
from tests.server.notices.factories import DAY, HOUR, MINUTE, letters, make_notice, make_online, set_timing
from tests.server.pages.conftest import Open
from tests.server.play.factories import NOW, make_game, play_moves

pytestmark = pytest.mark.django_db

_LINK = re.compile(r'href="([^"]+)"')


def sent() -> Message:
    """The latest letter as it goes over the wire."""
    return mail.outbox[-1].message()


def parts(letter: Message) -> dict[str, Message]:
    """Its leaves by their types."""
    return {part.get_content_type(): part for part in letter.walk() if not part.is_multipart()}


def words(part: Message) -> str:
    return part.get_payload(decode=True).decode()  # type: ignore[union-attr]


@pytest.fixture
def turn(alice: User, bob: User) -> str:
    """Bob is told by mail that alice has moved; the game's identifier."""
    game = play_moves(make_game(alice, bob), "11-15")
    letters(NOW + HOUR)
    return game.public_id


def test_an_address_that_nobody_confirmed_gets_only_so_many(
    alice: User, bob: User, charlie: User, settings: Settings
) -> None:
    settings.LIMITS = settings.LIMITS | {"unconfirmed_mails": "1/d"}
    EmailAddress.objects.filter(user=bob).update(verified=False)
    for number in range(1, 4):
        play_moves(make_game(alice, bob), "11-15")
        play_moves(make_game(alice, charlie), "11-15")
        letters(NOW + number * HOUR)
    recipients = [letter.to[0] for letter in mail.outbox]
    assert (recipients.count(bob.email), recipients.count(charlie.email)) == (1, 3)


@pytest.fixture
def unconfirmed(bob: User) -> User:
    """Bob gave an address that nobody has confirmed: perhaps it is a stranger's."""
    EmailAddress.objects.filter(user=bob).update(verified=False)
    return bob


def test_an_address_that_nobody_confirmed_gets_no_word_of_a_member(alice: User, unconfirmed: User) -> None:
    messages.write(
        user=alice,
        to="bob",
        subject="Your parcel is waiting",
        text="Pay at https://evil.example/pay",
        now=NOW,
    )
    play_moves(make_game(alice, unconfirmed), "11-15")
    assert letters(NOW + HOUR) == ["bob: [Crownhead] 2 new notifications"]
    for part in ("text/plain", "text/html"):
        text = words(parts(sent())[part])
        assert not [word for word in ("parcel", "evil", "alice") if word in text]
        assert "Messages" in text
        assert "Your turn" in text
        assert "https://club.example/accounts/email/" in text
    EmailAddress.objects.filter(user=unconfirmed).update(verified=True)
    messages.write(user=alice, to="bob", subject="", text="Good morning!", now=NOW + HOUR)
    letters(NOW + 2 * HOUR)
    text = words(parts(sent())["text/plain"])
    assert "Good morning!" in text
    assert "Confirm" not in text


def test_a_stranger_whose_address_was_given_stops_all_mail_at_once(
    alice: User, charlie: User, unconfirmed: User
) -> None:
    play_moves(make_game(alice, unconfirmed), "11-15")
    letters(NOW + HOUR)
    stop = re.search(r"https://club\.example(/no-more/\S+)", words(parts(sent())["text/plain"]))
    assert stop is not None
    assert Client().post(stop[1]).status_code == 200
    play_moves(make_game(charlie, unconfirmed), "11-15")
    assert letters(NOW + 2 * HOUR) == []
    EmailAddress.objects.filter(user=unconfirmed).update(verified=True)
    play_moves(make_game(alice, unconfirmed), "11-15")
    assert letters(NOW + 3 * HOUR) == ["bob: [Crownhead] Your turn against alice"]


def test_the_settings_say_that_an_unconfirmed_address_gets_little(unconfirmed: User) -> None:
    browser = Client()
    browser.force_login(unconfirmed)
    assert "Until you have confirmed that it is yours" in browser.get("/notices/preferences/").text
    EmailAddress.objects.filter(user=unconfirmed).update(verified=True)
    assert "Until you have confirmed that it is yours" not in browser.get("/notices/preferences/").text


def test_an_email_has_text_html_and_the_board(turn: str) -> None:
    letter = sent()
    assert letter["Subject"] == "[Crownhead] Your turn against alice"
    assert letter.get_content_type() == "multipart/related"
    found = parts(letter)
    assert set(found) == {"text/plain", "text/html", "image/png"}
    picture = found["image/png"]
    assert picture.get_payload(decode=True)[:8] == b"\x89PNG\r\n\x1a\n"  # type: ignore[index]
    assert f'src="cid:{picture["Content-ID"][1:-1]}"' in words(found["text/html"])
    assert picture.get_content_disposition() == "inline"


def test_text_and_html_say_the_same_and_lead_to_the_game(turn: str) -> None:
    found = parts(sent())
    for kind in ("text/plain", "text/html"):
        text = words(found[kind])
        assert "alice played 11-15 in American checkers." in text
        assert f"https://club.example/games/{turn}/" in text


def test_no_link_of_an_email_leads_out_of_the_club(turn: str) -> None:
    links = _LINK.findall(words(parts(sent())["text/html"]))
    assert links
    assert all(link.startswith("https://club.example/") for link in links)


def test_an_email_says_that_no_person_wrote_it_and_how_to_stop_it(turn: str) -> None:
    letter = sent()
    assert letter["Auto-Submitted"] == "auto-generated"
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert re.fullmatch(r"<https://club\.example/notices/stop/[\w:=-]+/>", letter["List-Unsubscribe"])
    assert letter["To"] == "bob@club.example"


def test_emails_about_one_game_make_a_thread(alice: User, bob: User, turn: str) -> None:
    first = sent()
    game = play_move(user=bob, game_id=turn, move="22-18", version=1, now=NOW + HOUR)
    play_moves(game, "15x22", now=NOW + HOUR)
    letters(NOW + 2 * HOUR)
    second = sent()
    assert first["References"] == second["References"] == f"<game.{turn}@localhost>"
    assert first["Message-ID"] != second["Message-ID"]
    play_moves(make_game(alice, bob), "11-15")
    letters(NOW + 3 * HOUR)
    assert sent()["References"] != first["References"]


def test_an_email_about_several_things_belongs_to_no_thread(alice: User, bob: User) -> None:
    for _ in range(2):
        play_moves(make_game(alice, bob), "11-15")
    letters(NOW + HOUR)
    assert sent()["References"] is None
    assert len([part for part in sent().walk() if part.get_content_type() == "image/png"]) == 2


def test_names_cannot_break_out_of_the_html(alice: User) -> None:
    set_timing(alice, Kind.TROPHY, Channel.MAIL, Timing.NOW)
    make_notice(alice, "<b>Bold</b> & 'quoted'")
    letters(NOW + HOUR)
    found = parts(sent())
    assert "&lt;b&gt;Bold&lt;/b&gt; &amp;" in words(found["text/html"])
    assert "<b>Bold</b> & 'quoted'" in words(found["text/plain"])


def test_a_line_break_in_a_subject_cannot_make_headers(alice: User) -> None:
    set_timing(alice, Kind.TROPHY, Channel.MAIL, Timing.NOW)
    make_notice(alice, "Hello\nBcc: everybody@club.example")
    assert letters(NOW + HOUR) == ["alice: [Crownhead] Hello Bcc: everybody@club.example"]


def test_what_came_before_about_the_same_thing_is_named_in_a_line(alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15")
    offer_draw(user=alice, game_id=game.public_id, now=NOW)
    assert letters(NOW + HOUR) == ["bob: [Crownhead] alice offers a draw"]
    text = words(parts(sent())["text/plain"])
    assert "- Your turn against alice" in text
    assert text.count("https://club.example/games/") == 1


def test_an_email_names_each_kind_that_it_is_about_with_a_link_to_stop_it(alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15")
    offer_draw(user=alice, game_id=game.public_id, now=NOW)
    letters(NOW + HOUR)
    text = words(parts(sent())["text/plain"])
    assert "Unsubscribe from “Your turn”:" in text
    assert "Unsubscribe from “Draw offers and answers”:" in text


def test_without_a_mail_server_each_email_becomes_a_file(alice: User, bob: User, settings: Settings) -> None:
    settings.EMAIL_BACKEND = "crownhead.server.core.mail.FileBackend"
    for user in (alice, bob):
        set_timing(user, Kind.TROPHY, Channel.MAIL, Timing.NOW)
        make_notice(user, f"To {user.username}")
    assert jobs.send_mail(NOW + MINUTE) == 2
    files = [file.read_text() for file in settings.EMAIL_FILE_PATH.iterdir()]
    assert sorted("To: bob@" in text for text in files) == [False, True]


# ----------------------------------------------------------------------------------------- stopping it


def stop_link() -> str:
    """The address in the header of the latest letter, without the club's."""
    return str(sent()["List-Unsubscribe"])[1:-1].removeprefix("https://club.example")


def test_looking_at_the_link_changes_nothing(turn: str, window: Open, bob: User) -> None:
    page = window().get(stop_link())
    assert page.status == 200
    assert "Unsubscribe? We will no longer send bob e-mail about: Your turn" in page.text
    assert timings_of(bob.pk)[Kind.TURN, Channel.MAIL] is Timing.AWAY


def test_one_click_stops_that_kind_of_mail_alone_without_cookies(turn: str, bob: User) -> None:
    program = Client(enforce_csrf_checks=True)
    answer = program.post(stop_link(), {"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert "You have unsubscribed" in answer.content.decode()
    timings = timings_of(bob.pk)
    assert timings[Kind.TURN, Channel.MAIL] is Timing.NEVER
    assert timings[Kind.TURN, Channel.SITE] is Timing.NOW
    assert timings[Kind.DRAW, Channel.MAIL] is Timing.AWAY
    assert program.post(stop_link()).status_code == 200  # a second click changes nothing


@pytest.mark.parametrize("token", ["spoilt", "WzEsInR1cm4iXQ:1w:x", "W10:1w:x"])
def test_a_spoilt_link_stops_nothing_and_says_so(window: Open, bob: User, token: str) -> None:
    page = window().post(f"/notices/stop/{token}/")
    assert page.status == 404
    assert timings_of(bob.pk)[Kind.TURN, Channel.MAIL] is Timing.AWAY


# ----------------------------------------------------------------------------------------- trouble


class Trouble(locmem.EmailBackend):
    """A mail server that answers with what a test says, or takes the letter."""

    answers: list[Exception | None] = []

    def send_messages(self, messages: Any) -> int:
        """One answer for each try."""
        if Trouble.answers and (error := Trouble.answers.pop(0)) is not None:
            raise error
        return super().send_messages(messages)


@pytest.fixture
def trouble(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Exception | None]]:
    """The answers to come."""
    monkeypatch.setattr(mail_channel, "blocking_connection", Trouble)
    Trouble.answers = []
    yield Trouble.answers
    Trouble.answers = []


@pytest.fixture
def news(alice: User) -> None:
    """Alice wants news at once, and there is one."""
    set_timing(alice, Kind.TROPHY, Channel.MAIL, Timing.NOW)
    make_notice(alice, "The hall is heated")


def test_an_email_that_cannot_leave_is_tried_again_later(news: None, trouble: list[Exception | None]) -> None:
    trouble += [ConnectionRefusedError("nobody there"), smtplib.SMTPServerDisconnected("gone")]
    assert letters(NOW + MINUTE) == []
    assert letters(NOW + MINUTE) == []
    assert letters(NOW + 2 * MINUTE) == []
    assert letters(NOW + 6 * MINUTE) == []
    assert letters(NOW + 7 * MINUTE) == ["alice: [Crownhead] The hall is heated"]
    assert letters(NOW + DAY) == []


def test_it_is_given_up_in_the_end(news: None, trouble: list[Exception | None]) -> None:
    trouble += [OSError("no route")] * 20
    for hour in range(40):
        letters(NOW + (hour + 1) * HOUR)
    row = Delivery.objects.get()
    assert (row.state, row.tries) == ("failed", 7)
    assert len(trouble) == 13


def test_a_server_that_is_down_is_asked_once_for_all(
    alice: User, bob: User, news: None, trouble: list[Exception | None]
) -> None:
    set_timing(bob, Kind.TROPHY, Channel.MAIL, Timing.NOW)
    make_notice(bob, "The hall is heated")
    trouble += [OSError("no route")]
    assert letters(NOW + MINUTE) == []
    assert letters(NOW + MINUTE) == ["bob: [Crownhead] The hall is heated"]


def test_an_address_that_is_refused_for_good_gets_no_more_until_its_owner_says_so(
    alice: User, news: None, trouble: list[Exception | None]
) -> None:
    trouble += [smtplib.SMTPRecipientsRefused({alice.email: (550, b"no such mailbox")})]
    assert letters(NOW + MINUTE) == []
    make_notice(alice, "The bar is open")
    assert letters(NOW + DAY) == []
    assert Reader.objects.get(user=alice).refused_why == "550 no such mailbox"
    preferences.try_address_again(user=alice)
    make_notice(alice, "New boards have come", now=NOW + DAY)
    assert letters(NOW + 2 * DAY) == ["alice: [Crownhead] New boards have come"]


def test_a_new_address_gets_mail_again(alice: User, news: None, trouble: list[Exception | None]) -> None:
    trouble += [smtplib.SMTPRecipientsRefused({alice.email: (550, b"no such mailbox")})]
    letters(NOW + MINUTE)
    for rows in (User.objects.filter(pk=alice.pk), EmailAddress.objects.filter(user=alice)):
        rows.update(email="alice.new@club.example")
    make_notice(alice, "The bar is open")
    assert letters(NOW + DAY) == ["alice.new: [Crownhead] The bar is open"]


def test_an_address_that_is_refused_for_now_is_tried_again(
    alice: User, news: None, trouble: list[Exception | None]
) -> None:
    trouble += [smtplib.SMTPRecipientsRefused({alice.email: (451, b"greylisted")})]
    assert letters(NOW + MINUTE) == []
    assert letters(NOW + 2 * MINUTE) == ["alice: [Crownhead] The hall is heated"]


def test_an_email_that_is_refused_for_good_does_not_condemn_the_address(
    alice: User, news: None, trouble: list[Exception | None]
) -> None:
    trouble += [smtplib.SMTPDataError(554, b"looks like spam")]
    assert letters(NOW + MINUTE) == []
    make_notice(alice, "The bar is open")
    assert letters(NOW + DAY) == ["alice: [Crownhead] The bar is open"]


def test_a_notice_read_before_the_next_attempt_is_not_mailed(
    alice: User, news: None, trouble: list[Exception | None], window: Open
) -> None:
    trouble += [OSError("no route")]
    letters(NOW + MINUTE)
    window(alice).post("/notices/read/")
    assert letters(NOW + DAY) == []


def test_a_player_who_is_here_and_opens_the_page_of_the_game_is_not_mailed(
    alice: User, bob: User, window: Open
) -> None:
    game = play_moves(make_game(alice, bob), "11-15")
    make_online(bob, NOW)
    window(bob).get(f"/games/{game.public_id}/")
    assert letters(NOW + DAY) == []


def test_a_page_that_refreshes_itself_is_no_sign_of_a_reader(alice: User, bob: User, window: Open) -> None:
    game = play_moves(make_game(alice, bob), "11-15")
    window(bob).get(f"/games/{game.public_id}/", fragment=True)
    assert letters(NOW + DAY) == ["bob: [Crownhead] Your turn against alice"]
