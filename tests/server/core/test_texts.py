"""What people type: names and titles of one line that is seen, and texts that control no screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.test import Client

from crownhead.server.accounts.contacts import services as contacts
from crownhead.server.accounts.models import ApiToken, User
from crownhead.server.accounts.preferences.services import set_profile
from crownhead.server.accounts.tokens import services as token_services
from crownhead.server.core import clock
from crownhead.server.core.problems import Unprocessable
from crownhead.server.core.texts import LineField, check_line, expect_one_of, mended_line, without_controls
from crownhead.server.play.chat import services as chat
from crownhead.server.play.models import ChatLine, Note
from crownhead.server.social.models import Conversation
from crownhead.server.social.services import messages, reports
from crownhead.server.teams import services as teams
from tests.server.competitions.factories import make_tournament
from tests.server.conftest import Api
from tests.server.play.factories import NOW, make_game
from tests.server.teams.factories import make_team

OURS = "crownhead.server."

# Columns of text that nobody types, or that have a check of their own, by what they hold.
NO_NAMES = {
    "keys, tokens and hashes": {
        *"key public_id digest token claim who kept_session likeness folded fingerprint game_id".split(),
        *"boot again_of p256dh auth contest_kind contest_event contest_key about caller remind_of".split(),
        *"credential problem".split(),
    },
    "values of the program": {
        *"kind topic scope scopes variant draw_rules format termination result team language".split(),
        *"time_zone country step".split(),
    },
    "positions": {"start_fen", "fen"},
    "addresses": {"link", "contest_link", "email", "old", "new", "address", "refused_address"},
    "letters and digits, or a hash": {"username", "password"},
    "sentences, not names": {"note", "reason", "text", "waiting_for", "trouble", "refused_why"},
}


def columns() -> list[models.CharField[Any, Any]]:
    """All columns of text of our apps that hold no choice."""
    return [
        field
        for app in apps.get_app_configs()
        if app.name.startswith(OURS)
        for model in app.get_models()
        for field in model._meta.get_fields()
        if isinstance(field, models.CharField) and not field.choices
    ]


def test_every_name_and_title_has_the_check() -> None:
    exempt = set().union(*NO_NAMES.values())
    unchecked = [
        str(field) for field in columns() if not isinstance(field, LineField) and field.name not in exempt
    ]
    assert unchecked == [], "use LineField for a name or title, or say above what it holds"
    assert exempt <= {field.name for field in columns()}
    checked = {str(field) for field in columns() if isinstance(field, LineField)}
    assert {
        "teams.Team.name",
        "competitions.Tournament.name",
        "competitions.Trophy.name",
        "ladders.Ladder.title",
        "social.News.title",
        "social.Conversation.subject",
        "accounts.ApiToken.name",
    } <= checked
    copied = {str(field) for field in columns() if isinstance(field, LineField) and field.copied}
    assert copied == {
        "play.Game.contest_name",
        "competitions.Trophy.name",
        "competitions.Pairing.stage",
        "notices.Notice.subject",
        "accounts.FormerName.name",
    }


UNSEEN = [
    "a\x00b",
    "a\x07b",
    "a\nb",
    "a\u202eb",
    "a\u2066b",
    "\u200fab",
    "a\ufeffb",
    "a\u200bb",
    "a\u00adb",
    "a\u2028b",
]
UNSEEN += ["a\u034fb", "a\ufe0fb", "a\U000e0100b", "Cup\u200dper", "\u17b4a"]
UNSEEN += ["a\u3164b", "a\u200d", "\u200ca", "a\u200d\u200db", "a\U000e0041b", "a\ue000b", "a\u0085b"]
UNSEEN += [
    "a\u180bb",
    "\u180da",
    "1\u180f",
    "a\U00016fe4",
    "a\ufffcb",
    "a\U0001d159",
    "a\U00013441b",
    "\U00013442b",
]
UNSEEN += ["a\uffffb", "a\ufdd0b", "a\U0001fffeb", "a\U0010ffffb", "a\ufff0b", "a\U000e0fffb", "a\u2065b"]


@pytest.mark.parametrize("text", UNSEEN)
def test_what_nobody_sees_is_refused(text: str) -> None:
    with pytest.raises(ValidationError):
        check_line(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Blue Dogs",
        "Шашки",
        "دمة",
        "می‌خواهم",
        "👩‍👩‍👧",
        "é\u0301",
        "中国跳棋",
        "a b",
        "❤\ufe0f",
        "葛\U000e0100",
        "a\u0323\u0302\u0301b",
        "1\ufe0f\u20e3",
        "\U0001fae8",  # an emoji of Unicode 15, which Python 3.11 does not know
        "ᠪᠢᠴᠢᠭ\u180c",
    ],
)
def test_what_people_write_is_kept(text: str) -> None:
    check_line(text)


@pytest.mark.parametrize(
    "text",
    [
        "လျှို့ဝှက် ညှို့ မြန်မာ ကျွန်ုပ်",
        "བྷྲཱུྃ ཧྲཱིཿ ཧཱུྃ བསྒྲུབས",
        "ཧྐྵྨླྺྼྻྂ",  # eight under one letter
        "שָׁלוֹם בְּרֵאשִׁ֖ית בָּרָ֣א שָּׁ֑",
        "ٱلرَّحْمَٰنِ",
        "ที่น้ำปิ๊",
        "द्ध्रुवीं स्त्री सु॒ग॒न्धिं पु॑ष्टि॒वर्ध॑नम्",
        "ស្ត្រីក្រុំ",
        "ᨠᩮᩥᩢ᩠᩵ᨦ ᩈ᩠ᩅᩢᩔ᩠ᨯᩦ",
        "ܡܲܠ̇ܟܵܐ",
        "Vie\u0323\u0302t, Cơ\u0300",
        "O\u0323\u0300s\u0323un, a\u0328\u0303\u0301",
        "α\u0314\u0342\u0345",
    ],
)
def test_the_marks_of_every_script_are_kept(text: str) -> None:
    check_line(text)


@pytest.mark.parametrize(
    "text",
    [
        "a" + "\u0301" * 4,
        "Cup " + "e\u0336\u0315\u0489\u035c" * 9,
        "a\u0316\u0317\u0318\u0319",
        "a\u0327\u0328\u0322\u0321\u0327",
        "ส" + "\u0e47" * 5,  # a mark that piles up once it is repeated
        "a\u20dd\u20de\u20df\u20e0",
        "a\u0301\u05b0\u0302\u05b1\u0303\u05b2\u0304",
        "a" + "\u0301\u0301\u200d" * 3 + "\u0301",
        "a" + "".join(map(chr, range(0x5B0, 0x5B9))),
    ],
)
def test_a_title_does_not_reach_into_the_lines_around_it(text: str) -> None:
    with pytest.raises(ValidationError, match="at most three accents"):
        check_line(text)
    check_line(mended_line(text))


@pytest.mark.parametrize("text", UNSEEN)
def test_a_text_is_mended_by_what_is_left_out(text: str) -> None:
    mended = mended_line(text)
    check_line(mended)
    assert [letter for letter in mended if letter.isascii()] == [
        letter for letter in text if letter.isascii() and letter.isprintable()
    ]


NOTHING = [
    "\u200b",
    "\u3164",
    "\u2800\u2800",
    "\ufeff \u200d",
    "\u115f\n\u00ad",
    "\ufe0f",
    "\uffff",
    "\u3000\u3164",
    "\u180b",
    "\ufffc\U0001d159",
    "\U00016fe4 \U00013441\U00013442",
]


@pytest.mark.parametrize("text", NOTHING)
def test_a_text_in_which_nobody_sees_anything_is_empty(text: str) -> None:
    assert without_controls(text) == ""
    assert without_controls(f"{text}hm{text}") != ""


@pytest.mark.django_db
@pytest.mark.parametrize("text", NOTHING)
def test_nothing_can_be_said_in_a_chat_or_letter_by_what_nobody_sees(
    alice: User, bob: User, text: str
) -> None:
    game = make_game(alice, bob)
    with pytest.raises(Unprocessable, match="Write 1 to"):
        chat.send_message(user=alice, game_id=game.public_id, text=text, now=NOW)
    with pytest.raises(Unprocessable):
        messages.write(user=alice, to="bob", subject="", text=text, now=NOW)


def by_service(user: User, other: User, subject: str) -> None:
    messages.write(user=user, to=other.username, subject=subject, text="Hello!", now=clock.now())


def by_row(user: User, other: User, subject: str) -> None:
    Conversation.objects.bulk_create(
        [Conversation(first=user, second=other, subject=subject, begun_at=clock.now())]
    )


@pytest.mark.django_db
@pytest.mark.parametrize("make", [by_service, by_row])
def test_a_new_row_has_no_such_title(alice: User, bob: User, make: Callable[[User, User, str], None]) -> None:
    with pytest.raises(Unprocessable, match="visible characters"), transaction.atomic():
        make(alice, bob, "Hello\u202e you")
    make(alice, bob, "Hello you")


@pytest.mark.django_db
def test_a_row_from_before_can_be_saved_but_gets_no_other_such_title(alice: User, bob: User) -> None:
    by_row(alice, bob, "Hello")
    Conversation.objects.update(subject="Hello\u202eyou")
    row = Conversation.objects.get()
    row.save()
    row.subject = "Goodbye\u202eyou"
    with pytest.raises(Unprocessable):
        row.save()


@pytest.mark.django_db
def test_programs_and_pages_are_told(alice: User, bob: User, api: Api) -> None:
    letter = {"to": "bob", "subject": "Hello\u202e you", "text": "Hi"}
    answer = api.as_(alice).post("/messages", letter)
    assert answer.status_code == 422
    assert answer.json()["detail"] == "subject: Use only visible characters, on one line."
    browser = Client()
    browser.force_login(alice)
    page = browser.post("/messages/new/", letter)
    assert "visible characters" in page.content.decode()
    assert not Conversation.objects.exists()


def of_profile(user: User, _other: User, text: str) -> str:
    return set_profile(user=user, text=text, now=NOW).text


def of_buddy(user: User, other: User, text: str) -> str:
    return contacts.add_buddy(user=user, other=other, note=text, now=NOW).note


def of_chat(user: User, other: User, text: str) -> str:
    chat.send_message(user=user, game_id=make_game(user, other).public_id, text=text, now=NOW)
    return ChatLine.objects.get().text


def of_game(user: User, other: User, text: str) -> str:
    chat.write_note(user=user, game_id=make_game(user, other).public_id, text=text)
    return Note.objects.get().text


def of_team(user: User, _other: User, text: str) -> str:
    return make_team(user, about=text).about


def of_board(user: User, _other: User, text: str) -> str:
    return teams.write(user=user, team_id=make_team(user).public_id, text=text, now=NOW).text


def of_tournament(user: User, _other: User, text: str) -> str:
    return make_tournament(user, about=text).about


def of_message(user: User, other: User, text: str) -> str:
    return messages.write(user=user, to=other.username, subject="", text=text, now=NOW).text


def of_report(user: User, other: User, text: str) -> str:
    return reports.report(user=user, kind="player", key=other.username, reason=text, now=NOW).reason


@pytest.mark.django_db
@pytest.mark.parametrize(
    "stored",
    [of_profile, of_buddy, of_chat, of_game, of_team, of_board, of_tournament, of_message, of_report],
)
def test_no_text_for_others_controls_their_screens(
    alice: User, bob: User, stored: Callable[[User, User, str], str]
) -> None:
    assert stored(alice, bob, " One\r\ntwo \u202eth\u2066ree\x07\x1b! ") == "One\ntwo three!"


def test_a_value_that_is_none_of_those_possible_is_refused_with_their_list() -> None:
    expect_one_of("joining", "ask", ["ask", "open"])
    with pytest.raises(Unprocessable) as refused:
        expect_one_of("joining", "x" * 70, ["ask", "open"])
    assert refused.value.detail == f"joining: Choose one of ask, open, not '{'x' * 60}'."


@pytest.mark.django_db
def test_a_token_has_a_name_that_is_seen(alice: User) -> None:
    with pytest.raises(Unprocessable):
        token_services.new_token(user=alice, now=clock.now(), name="bot\u202e")
    assert not ApiToken.objects.exists()
