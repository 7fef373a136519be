"""Notifications of messages, reports and news."""

from __future__ import annotations

import pytest

from crownhead.server.accounts.models import Ignored, User
from crownhead.server.notices.kinds import Channel, Kind, Timing
from crownhead.server.notices.models import Notice
from crownhead.server.notices.selectors.reading import notices_of, unread_count
from crownhead.server.notices.tasks import notify_news_subscribers
from crownhead.server.social.models import News
from crownhead.server.social.services import messages as social
from crownhead.server.social.services import moderation
from crownhead.server.social.services.news import publish
from crownhead.server.social.services.reports import letter
from tests.server.notices.factories import HOUR, kinds, letters, set_timing, subjects
from tests.server.pages.conftest import Open
from tests.server.play.factories import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def dora(django_user_model: type[User]) -> User:
    """Dora, of the staff."""
    return django_user_model.objects.create_superuser("dora", "dora@club.example", "a long passphrase")


def write(sender: User, recipient: User, text: str = "Shall we play?") -> str:
    """A message; the identifier of its conversation."""
    sent = social.write(user=sender, to=recipient.username, subject="A game", text=text, now=NOW)
    return sent.conversation.public_id


def test_a_message_is_mailed_and_stands_in_its_own_place_on_the_site(alice: User, bob: User) -> None:
    write(alice, bob)
    assert letters(NOW + HOUR) == ["bob: [Crownhead] Message from alice: A game"]
    assert unread_count(bob) == 0


def test_a_message_without_a_subject_is_announced_without_one(alice: User, bob: User) -> None:
    social.write(user=alice, to="bob", subject="", text="Shall we play?", now=NOW)
    assert letters(NOW + HOUR) == ["bob: [Crownhead] alice wrote to you"]


def test_a_player_who_wants_messages_among_their_notices_has_them_there(alice: User, bob: User) -> None:
    set_timing(bob, Kind.MESSAGE, Channel.SITE, Timing.NOW)
    write(alice, bob)
    assert subjects(bob) == ["Message from alice: A game"]


def test_several_messages_of_a_conversation_are_one_email(alice: User, bob: User) -> None:
    conversation = write(alice, bob)
    social.reply(user=alice, conversation_id=conversation, text="Or tomorrow?", now=NOW)
    assert letters(NOW + HOUR) == ["bob: [Crownhead] Message from alice: A game"]
    assert letters(NOW + 2 * HOUR) == []


def test_a_conversation_that_was_opened_is_not_mailed(alice: User, bob: User, window: Open) -> None:
    conversation = write(alice, bob)
    assert window(bob).get(f"/messages/{conversation}/").status == 200
    assert letters(NOW + HOUR) == []


def test_a_player_who_has_answered_is_not_mailed_what_they_answered(alice: User, bob: User) -> None:
    conversation = write(alice, bob)
    social.reply(user=bob, conversation_id=conversation, text="Yes.", now=NOW)
    assert letters(NOW + HOUR) == ["alice: [Crownhead] Message from bob: A game"]


def test_nothing_comes_from_somebody_who_is_blocked(alice: User, bob: User) -> None:
    Ignored.objects.create(user=bob, ignored=alice, created_at=NOW)
    write(alice, bob)
    assert not Notice.objects.filter(user=bob).exists()
    assert letters(NOW + HOUR) == []


def test_an_email_to_the_staff_is_announced_to_them_until_it_is_decided(alice: User, dora: User) -> None:
    made = letter(user=alice, address="", reason="Somebody plays with an engine.", now=NOW)
    assert kinds(dora) == ["staff"]
    moderation.decide(
        staff=dora, report_id=made.public_id, decision="answered", note="We look into it.", now=NOW
    )
    assert unread_count(dora) == 0
    (notice,) = notices_of(alice)
    assert (notice.kind, notice.text) == ("report", "We look into it.")


def test_news_go_to_those_alone_who_asked_for_them(alice: User, bob: User, dora: User) -> None:
    set_timing(alice, Kind.NEWS, Channel.MAIL, Timing.NOW)
    set_timing(bob, Kind.NEWS, Channel.PUSH, Timing.NOW)
    set_timing(bob, Kind.NEWS, Channel.PUSH, Timing.NEVER)
    news = News.objects.create(
        title="The hall is heated", text="At last.", author=dora, written_at=NOW, changed_at=NOW
    )
    publish(staff=dora, news=news, now=NOW)
    assert notify_news_subscribers.func(news.public_id, news.title) == 1
    assert notify_news_subscribers.func(news.public_id, news.title) == 1  # repeated by another worker
    assert letters(NOW + HOUR) == ["alice: [Crownhead] The hall is heated"]
    assert not Notice.objects.exclude(user=alice).exists()
