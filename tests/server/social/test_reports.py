"""Reports to the staff: what is frozen, who may report what, and what the staff decide."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from django.contrib.admin.models import LogEntry
from django.core import mail
from django.core.mail import EmailMessage
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from crownhead.server.accounts.models import Profile, User
from crownhead.server.core import events
from crownhead.server.core.problems import Conflict, Forbidden, NotFound, Unprocessable
from crownhead.server.play.chat import services as chat_services
from crownhead.server.play.moves.services import play_move
from crownhead.server.play.staff.services import appeal
from crownhead.server.social import selectors
from crownhead.server.social.events import ReportDecided
from crownhead.server.social.models import ModeratorAction, Mute, Report
from crownhead.server.social.services import messages, moderation, reports
from crownhead.server.teams import services as teams
from tests.server.conftest import Api
from tests.server.play.factories import make_game
from tests.server.social.conftest import NOW, Open, Write
from tests.server.social.test_bans import MAIL, NO_ADDRESS


@pytest.fixture
def game_id(alice: User, bob: User) -> str:
    """A game of Alice and Bob in which Bob has said something."""
    game = make_game(alice, bob, now=NOW)
    chat_services.send_message(user=bob, game_id=game.public_id, text="You play like a cow.", now=NOW)
    return game.public_id


def report(user: User, kind: str, key: str, reason: str = "It is rude.") -> Report:
    return reports.report(user=user, kind=kind, key=key, reason=reason, now=NOW)


def test_a_message_is_stored_as_it_was_when_it_was_reported(alice: User, bob: User, write: Write) -> None:
    message = write(bob, alice, "You are a cow.", "greetings")
    row = report(alice, "message", message.public_id)
    for user in (alice, bob):
        messages.delete_message(user=user, message_id=message.public_id)
    row.refresh_from_db()
    assert row.quoted == "bob, 2026-03-02 12:00 UTC\ngreetings\n\nYou are a cow."
    assert row.about == bob


def test_a_profile_is_stored_as_it_was(alice: User, bob: User) -> None:
    Profile.objects.create(user=bob, text="Buy my *pills*.")
    row = report(alice, "player", "BOB")
    Profile.objects.update(text="I like checkers.")
    row.refresh_from_db()
    assert row.quoted == "bob\n\nBuy my *pills*."


def test_a_profile_without_a_text_is_stored_as_a_name(alice: User, bob: User) -> None:
    assert report(alice, "player", "bob").quoted == "bob"


def test_the_chat_of_a_game_is_stored_with_names(alice: User, bob: User, game_id: str) -> None:
    row = report(alice, "chat", game_id)
    assert row.quoted == "2026-03-02 12:00 bob: You play like a cow."
    assert row.about == bob
    assert row.link == f"/games/{game_id}/"


def test_a_game_is_reported_with_its_moves_and_its_other_player(
    alice: User, bob: User, charlie: User, game_id: str
) -> None:
    play_move(user=alice, game_id=game_id, move="11-15", version=0, now=NOW)
    row = report(bob, "game", game_id, "I think that they use an engine.")
    assert row.about == alice
    assert row.quoted == "alice – bob\nAmerican checkers, in progress, moves: 1\n11-15"
    assert report(charlie, "game", game_id).about is None


def test_one_reports_only_what_one_sees(
    alice: User, bob: User, charlie: User, write: Write, game_id: str
) -> None:
    message = write(alice, bob)
    for kind, key in (("message", message.public_id), ("chat", game_id), ("game", "none"), ("player", "no")):
        with pytest.raises(NotFound):
            report(charlie, kind, key)
    assert not Report.objects.exists()


def test_nobody_reports_themselves_or_nonsense(alice: User, bob: User, write: Write) -> None:
    message = write(alice, bob)
    for kind, key in (("message", message.public_id), ("player", "alice"), ("weather", "rain"), ("", "")):
        with pytest.raises(Unprocessable):
            report(alice, kind, key)
    with pytest.raises(Unprocessable, match="at most 2000 characters"):
        report(bob, "message", message.public_id, "   ")


def test_the_same_thing_is_reported_once_until_it_is_decided(
    alice: User, bob: User, charlie: User, host: User
) -> None:
    row = report(alice, "player", "bob")
    with pytest.raises(Conflict, match="already"):
        report(alice, "player", "bob")
    report(charlie, "player", "bob")
    moderation.decide(staff=host, report_id=row.public_id, decision="nothing", note="", now=NOW)
    report(alice, "player", "bob")
    assert Report.objects.count() == 3


def test_the_reporter_is_notified_what_is_decided(
    alice: User, bob: User, host: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    emitted: list[ReportDecided] = []
    monkeypatch.setitem(events._in_transaction, ReportDecided, [emitted.append])  # noqa: SLF001 - nobody else is to hear
    row = report(alice, "player", "bob")
    moderation.decide(staff=host, report_id=row.public_id, decision="warned", note="Thank you.", now=NOW)
    (event,) = emitted
    assert (event.reporter_id, event.decision, event.note) == (alice.pk, "warned", "Thank you.")
    with pytest.raises(Conflict):
        moderation.decide(staff=host, report_id=row.public_id, decision="nothing", note="", now=NOW)


def test_every_act_of_the_staff_is_logged_with_its_reason(alice: User, bob: User, host: User) -> None:
    row = report(alice, "player", "bob")
    until = NOW + timedelta(days=7)
    moderation.decide(
        staff=host,
        report_id=row.public_id,
        decision="muted",
        note="",
        words="pills",
        until=until,
        now=NOW,
    )
    moderation.unmute(staff=host, user=bob, now=NOW)
    log = ModeratorAction.objects.order_by("pk").values_list("verb", "about__username", "words", "report")
    assert list(log) == [
        ("muted", "bob", "2026-03-09 12:00 UTC: pills", None),
        ("decided", "bob", "pills", row.pk),
        ("unmuted", "bob", "", None),
    ]


def test_a_player_who_is_reported_can_be_muted_with_the_decision(
    alice: User, bob: User, host: User, write: Write
) -> None:
    row = report(alice, "message", write(bob, alice).public_id)
    moderation.decide(staff=host, report_id=row.public_id, decision="muted", note="", words="rude", now=NOW)
    with pytest.raises(Forbidden, match="rude"):
        write(bob, alice)
    assert selectors.mute_of(bob, NOW + timedelta(days=1000)) is not None


def test_only_the_staff_decide_and_mute(alice: User, bob: User) -> None:
    row = report(alice, "player", "bob")
    with pytest.raises(Forbidden):
        moderation.decide(staff=alice, report_id=row.public_id, decision="nothing", note="", now=NOW)
    with pytest.raises(Forbidden):
        moderation.mute(staff=alice, user=bob, until=None, reason="x", now=NOW)


def test_the_staff_are_not_muted_nor_anybody_in_the_past(host: User, bob: User) -> None:
    with pytest.raises(Unprocessable, match="Staff can't be muted"):
        moderation.mute(staff=host, user=host, until=None, reason="x", now=NOW)
    for until in (NOW, NOW + timedelta(days=400)):
        with pytest.raises(Unprocessable, match="within a year"):
            moderation.mute(staff=host, user=bob, until=until, reason="x", now=NOW)


def test_a_report_is_made_on_a_page_and_seen_among_your_own(
    window: Open, alice: User, bob: User, write: Write
) -> None:
    message = write(bob, alice, "You are a cow.")
    form = window(alice)
    assert "You are a cow." in form.get(f"/report/message/{message.public_id}/").text
    answer = form.post(f"/report/message/{message.public_id}/", {"reason": "Rude."}, follow=True)
    assert "Thank you. The staff will look at it" in answer.text
    assert "Rude." in answer.text
    assert "waiting for the staff" in answer.text
    again = form.post(f"/report/message/{message.public_id}/", {"reason": "Rude."})
    assert again.status == 409
    assert "already reported this" in again.text
    assert "Rude." not in window(bob).get("/reports/").text


def test_reports_are_limited(window: Open, alice: User, bob: User, settings: Settings) -> None:
    settings.LIMITS = {**settings.LIMITS, "reports": "1/h"}
    assert window(alice).post("/report/player/bob/", {"reason": "x"}).status == 302
    assert window(alice).post("/contact/", {"reason": "y"}).status == 429


def test_a_member_writes_to_the_staff_and_reads_their_answer(window: Open, alice: User, host: User) -> None:
    answer = window(alice).post("/contact/", {"reason": "The clock is wrong."}, follow=True)
    assert "The staff have your message" in answer.text
    row = Report.objects.get()
    moderation.decide(staff=host, report_id=row.public_id, decision="answered", note="It is mended.", now=NOW)
    assert "It is mended." in window(alice).get("/reports/").text


def test_a_guest_gets_the_answer_by_mail(window: Open, host: User) -> None:
    form = {"address": "guest@club.example", "reason": "How do I sign up?", "website": ""}
    assert "The staff have your message" in window().post("/contact/", form, follow=True).text
    row = Report.objects.get()
    moderation.decide(
        staff=host, report_id=row.public_id, decision="answered", note="By the button.", now=NOW
    )
    (letter,) = mail.outbox  # stored in the same transaction, which this test never commits
    assert letter.to == ["guest@club.example"]
    assert letter.body.startswith("By the button.")
    assert "How do I sign up?" in letter.body


@pytest.fixture
def answered(window: Open, host: User) -> Callable[[str], list[EmailMessage]]:
    """A guest writes to the staff, who answer: what is sent."""

    def write(reason: str) -> list[EmailMessage]:
        mail.outbox.clear()
        window().post("/contact/", {"address": "guest@club.example", "reason": reason, "website": ""})
        row = Report.objects.latest("pk")
        assert row.address == "guest@club.example"
        moderation.decide(
            staff=host, report_id=row.public_id, decision="answered", note="See our rules.", now=NOW
        )
        row.refresh_from_db()
        assert row.address == ""
        return mail.outbox

    return write


@pytest.mark.parametrize(
    ("reason", "quoted"),
    [
        ("How do\n I sign up?", "How do I sign up?"),
        ("A question. " * 30, "…"),
        ("Win at https://prizes.example now! " * 20, ""),
        ("Write to me@prizes.example", ""),
        ("Look at prizes\uff0eexample", ""),
    ],
)
def test_an_answer_repeats_little_of_what_anybody_may_have_written(
    answered: Callable[[str], list[EmailMessage]], reason: str, quoted: str
) -> None:
    (letter,) = answered(reason)
    beginning = letter.body.partition("Your message began:\n")[2].partition("\n")[0]
    assert len(beginning) <= 100
    assert beginning.endswith(quoted) if quoted else not beginning
    assert "prizes" not in letter.body


def test_who_wants_no_more_mail_from_strangers_gets_no_answers(
    window: Open, answered: Callable[[str], list[EmailMessage]]
) -> None:
    (letter,) = answered("Hello")
    stop = letter.extra_headers["List-Unsubscribe"].strip("<>")
    assert letter.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert stop in letter.body
    assert "nor answers" in window().post(urlsplit(stop).path, {}).text
    assert answered("Hello again") == []


def test_a_guest_without_an_address_is_notified_and_a_machine_thanked(window: Open, db: None) -> None:
    assert window().post("/contact/", {"reason": "Hello"}).status == 422
    long = {"reason": "Hello", "address": f"{'a' * 250}@spam.example"}
    assert window().post("/contact/", long).status == 422
    form = {"address": "bot@spam.example", "reason": "pills", "website": "https://spam.example"}
    assert window().post("/contact/", form).status == 302
    assert not Report.objects.exists()


def test_the_queue_shows_what_waits_first_and_decides(
    client: Client, alice: User, bob: User, charlie: User, host: User
) -> None:
    done = report(charlie, "player", "bob", "first")
    moderation.decide(staff=host, report_id=done.public_id, decision="nothing", note="", now=NOW)
    row = report(alice, "player", "bob", "second")
    client.force_login(host)
    page = client.get("/staff/social/report/").content.decode()
    assert page.index("second") < page.index("first")
    form = {"verdict": "muted", "muted_for": "7", "reply": "Thank you.", "words": "spam"}
    client.post(f"/staff/social/report/{row.pk}/change/", form)
    row.refresh_from_db()
    assert (row.decision, row.note, row.decided_by) == ("muted", "Thank you.", host)
    assert Mute.objects.get().until == NOW + timedelta(days=7)
    assert "spam" in client.get("/staff/social/moderatoraction/").content.decode()


def test_who_cannot_be_muted_is_not_said_to_be(client: Client, alice: User, host: User) -> None:
    row = report(alice, "player", host.username)
    client.force_login(host)
    form = {"verdict": "muted", "muted_for": "7", "reply": "", "words": "spam"}
    page = client.post(f"/staff/social/report/{row.pk}/change/", form, follow=True).content.decode()
    assert "Staff can&#x27;t be muted or suspended." in page
    assert "changed successfully" not in page
    assert not LogEntry.objects.exists()


def test_the_latest_decisions_come_first_where_only_they_are_shown(
    client: Client, alice: User, bob: User, host: User
) -> None:
    for number, reason in enumerate(("first", "second", "third")):
        row, decided = report(alice, "player", "bob", reason), ("warned", "nothing", "warned")[number]
        at = NOW + timedelta(days=number)
        moderation.decide(staff=host, report_id=row.public_id, decision=decided, note="", now=at)
    client.force_login(host)
    page = client.get("/staff/social/report/?state=decided").content.decode()
    assert page.index("third") < page.index("second") < page.index("first")


def test_the_queue_loads_no_long_texts(client: Client, alice: User, bob: User, host: User) -> None:
    report(alice, "player", "bob", "x" * 2000)
    client.force_login(host)
    with CaptureQueriesContext(connection) as queries:
        page = client.get("/staff/social/report/").content.decode()
    assert ("x" * 80 in page, "x" * 81 in page) == (True, False)
    asked = [query["sql"] for query in queries.captured_queries if 'FROM "social_report"' in query["sql"]]
    assert asked
    assert not any('"social_report"."quoted"' in sql or ', "social_report"."reason",' in sql for sql in asked)


def test_only_so_many_reports_of_one_member_wait(
    api: Api, alice: User, bob: User, host: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reports, "MAX_WAITING", 2)
    row = report(alice, "player", "bob")
    reports.letter(user=alice, address="", reason="Hello", now=NOW)
    with pytest.raises(Conflict, match="2 of your reports and messages are waiting"):
        reports.letter(user=alice, address="", reason="Hello again", now=NOW)
    assert (
        api.as_(alice).post("/reports", {"about": "player", "key": "host", "reason": "x"}).status_code == 404
    )
    assert api.as_(alice).post("/reports", {"about": "staff", "reason": "x"}).status_code == 409
    reports.letter(user=bob, address="", reason="Hello", now=NOW)
    moderation.decide(staff=host, report_id=row.public_id, decision="nothing", note="", now=NOW)
    reports.letter(user=alice, address="", reason="Hello again", now=NOW)


@pytest.mark.parametrize("backend", MAIL)
def test_a_guest_is_answered_whose_address_no_letter_can_carry(
    host: User, settings: Settings, backend: str
) -> None:
    settings.EMAIL_BACKEND = f"crownhead.server.{backend}"
    with pytest.raises(Unprocessable, match="not an e-mail address"):
        reports.letter(user=None, address=NO_ADDRESS, reason="Hello", now=NOW)
    row = reports.letter(user=None, address="guest@club.example", reason="Hello", now=NOW)
    Report.objects.update(address=NO_ADDRESS)  # as was possible once
    moderation.decide(staff=host, report_id=row.public_id, decision="answered", note="Thanks.", now=NOW)
    row.refresh_from_db()
    assert row.decision == "answered"


def test_the_staff_see_how_much_waits_and_led_to_it(window: Open, alice: User, bob: User, host: User) -> None:
    report(alice, "player", "bob")
    page = window(host).get("/reports/")
    assert "1 report is waiting for the staff." in page.text
    assert window(host).get("/staff/social/report/?state=open").text.count("It is rude.") == 1
    assert window(host).get("/staff/social/report/?state=decided").text.count("It is rude.") == 0
    assert "waits for the staff" not in window(alice).get("/reports/").text
    assert ">Admin</a>" in page.html
    assert ">Admin</a>" not in window(alice).get("/reports/").html


def test_the_front_page_of_the_back_office_leads_to_what_is_open(
    client: Client, alice: User, bob: User, host: User, game_id: str
) -> None:
    client.force_login(host)
    assert "?state=open" not in client.get("/staff/").content.decode()
    report(alice, "player", "bob")
    appeal(user=alice, game_id=game_id, claim="win", reason="They left.", now=NOW)
    page = client.get("/staff/").content.decode()
    assert '<a href="/staff/social/report/?state=open">1 open report</a>' in page
    (appeals,) = re.findall(r'<a href="([^"]*)">1 open appeal</a>', page)
    assert client.get(appeals).status_code == 200


def test_the_back_office_names_a_report_in_words(client: Client, alice: User, bob: User, host: User) -> None:
    row = report(alice, "player", "bob")
    client.force_login(host)
    page = client.get(f"/staff/social/report/{row.pk}/change/").content.decode()
    assert "A player: bob, 2 March 2026" in page


def test_the_back_office_warns_that_no_mail_server_is_set(
    client: Client, host: User, settings: Settings
) -> None:
    client.force_login(host)
    assert "No mail server is set" not in client.get("/staff/").content.decode()
    settings.EMAIL_BACKEND = "crownhead.server.core.mail.FileBackend"
    assert "No mail server is set" in client.get("/staff/").content.decode()


def test_muting_in_the_queue_needs_a_reason(client: Client, alice: User, bob: User, host: User) -> None:
    row = report(alice, "player", "bob")
    client.force_login(host)
    form = {"verdict": "muted", "muted_for": "7", "reply": "", "words": ""}
    page = client.post(f"/staff/social/report/{row.pk}/change/", form).content.decode()
    assert "Enter a reason." in page
    assert not Mute.objects.exists()


def test_players_are_muted_and_unmuted_in_the_back_office(client: Client, bob: User, host: User) -> None:
    client.force_login(host)
    client.post("/staff/social/mute/add/", {"user": bob.pk, "reason": "rude", "until_0": "", "until_1": ""})
    assert Mute.objects.get().muted_by == host
    client.post(f"/staff/social/mute/{bob.pk}/delete/", {"post": "yes"})
    assert not Mute.objects.exists()
    verbs = ModeratorAction.objects.order_by("pk").values_list("verb", flat=True)
    assert list(verbs) == ["muted", "unmuted"]


def test_one_who_is_muted_writes_nowhere_but_plays_on(
    alice: User, bob: User, host: User, game_id: str
) -> None:
    moderation.mute(staff=host, user=alice, until=None, reason="rude", now=NOW)
    with pytest.raises(Forbidden, match="rude"):
        chat_services.send_message(user=alice, game_id=game_id, text="Moo.", now=NOW)
    with pytest.raises(Forbidden, match="rude"):
        play_move(user=alice, game_id=game_id, move="11-15", version=0, message="Moo.", now=NOW)
    game = play_move(user=alice, game_id=game_id, move="11-15", version=0, now=NOW)
    assert game.version == 1
    chat_services.send_message(user=bob, game_id=game_id, text="Hello?", now=NOW)


def test_a_message_on_a_teams_board_is_reported_by_its_members_alone(
    window: Open, alice: User, bob: User, charlie: User
) -> None:
    team = teams.create_team(user=bob, name="The Lynxes", about_text="", joining="open", now=NOW)
    teams.join(user=alice, team_id=team.public_id, now=NOW)
    post = teams.write(user=bob, team_id=team.public_id, text="Cows, all of you.", now=NOW)
    page = window(alice).get(f"/teams/{team.public_id}/board/")
    address = f"/report/post/{team.public_id}-{post.pk}/"
    assert f'href="{address}"' in page.html
    assert window(alice).post(address, {"reason": "Rude."}).status == 302
    row = Report.objects.get()
    assert (row.about, row.quoted) == (bob, "bob, 2026-03-02 12:00 UTC, The Lynxes\n\nCows, all of you.")
    assert window(charlie).get(address).status == 403
    for key in (f"{team.public_id}-0", f"{team.public_id}-{'9' * 30}", "x-y", "none"):
        assert window(alice).get(f"/report/post/{key}/").status == 404
