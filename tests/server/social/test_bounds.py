"""What one request about messages does is bounded, however many there are and whatever is in them."""

from __future__ import annotations

import re

import pytest
from django.utils.html import urlize

from crownhead.server.accounts.models import User
from crownhead.server.core.markup import markdown
from crownhead.server.core.pagination import LONGEST_TEXTS
from crownhead.server.social import presenters, selectors
from crownhead.server.social.models import Conversation, Message, Side
from crownhead.server.social.services import clearing, messages
from tests.server.conftest import Api, make_user
from tests.server.social.conftest import NOW, Open, Write
from tests.server.test_query_bounds import counted

pytestmark = pytest.mark.django_db


def talk(sender: User, recipient: User, texts: list[str]) -> list[Message]:
    """A long conversation, the first message first."""
    first, second = sorted([sender, recipient], key=lambda user: user.pk)
    held = Conversation.objects.create(first=first, second=second, begun_at=NOW)
    return Message.objects.bulk_create(
        Message(conversation=held, sender=sender, recipient=recipient, text=text, sent_at=NOW)
        for text in texts
    )


@pytest.mark.parametrize("do", ["read", "delete"])
def test_many_picked_conversations_cost_as_many_queries_as_two(
    window: Open, alice: User, write: Write, do: str
) -> None:
    counts = []
    for count in (2, 20):
        written = [write(make_user(f"player{do}{count}x{number}"), alice) for number in range(count)]
        keys = [message.conversation.public_id for message in written]
        member = window(alice)
        with counted() as statements:
            member.client.post("/messages/picked/", {"pick": [*keys, *keys, "none"], "do": do})
        counts.append(len(statements))
        sides = Side.objects.filter(user=alice, conversation__public_id__in=keys)
        assert set(sides.values_list("unread", flat=True)) <= {0}
        assert all((side.last is None) == (do == "delete") for side in sides)
    assert counts[1] <= counts[0] + 1
    assert counts[1] < 20


def test_one_picks_no_more_conversations_than_a_page_shows(window: Open, alice: User, write: Write) -> None:
    written = [write(make_user(f"player{number}"), alice) for number in range(30)]
    keys = [message.conversation.public_id for message in written]
    window(alice).client.post("/messages/picked/", {"pick": keys, "do": "read"})
    assert selectors.unread_count(user=alice) == 5


def test_picked_conversations_of_others_stay_as_they_are(
    window: Open, alice: User, bob: User, charlie: User, write: Write
) -> None:
    theirs = write(bob, charlie)
    window(alice).client.post("/messages/picked/", {"pick": [theirs.conversation.public_id], "do": "delete"})
    assert Message.objects.filter(deleted_by_sender=False, deleted_by_recipient=False).count() == 1
    assert selectors.unread_count(user=charlie) == 1


def test_what_is_deleted_by_both_is_gone_though_it_was_picked(alice: User, bob: User, write: Write) -> None:
    message = write(alice, bob, "Good game!", "the cup")
    for user in (alice, bob):
        keys = [message.conversation.public_id]
        assert messages.delete_picked(user=user, conversation_ids=keys) == 1
        assert not selectors.conversations(user=user).exists()
    clearing.clear(now=NOW)
    assert not Conversation.objects.exists()


def test_a_search_looks_through_some_messages_and_goes_on_to_older_ones(
    window: Open, api: Api, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selectors, "MAX_SEARCHED", 10)
    talk(alice, bob, ["the needle", *["hay"] * 24])
    member, path = window(bob), "/messages/search/?q=needle"
    for _ in range(2):
        page = member.get(path)
        assert "Not found in these messages. Go on to older ones." in page.text
        found = re.search(r'href="(\?[^"]*cursor=[^"]*)"', page.html)
        assert found
        path = f"/messages/search/{found[1].replace('&amp;', '&')}"
    assert "the needle" in member.get(path).text
    program, cursor, texts = api.as_(bob), None, []
    for _ in range(3):
        parameters = {"q": "NEEDLE", **({"cursor": cursor} if cursor else {})}
        part = program.get("/messages", **parameters).json()
        texts += [row["text"] for row in part["items"]]
        cursor = part["next"]
    assert (texts, cursor) == (["the needle"], None)


def test_every_message_that_a_search_finds_is_on_one_page(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selectors, "MAX_SEARCHED", 7)
    rows = talk(alice, bob, ["yes" if number % 3 else "no" for number in range(40)])
    found, cursor = [], None
    for _ in range(40):
        part = selectors.search(user=bob, words="yes", cursor=cursor, limit=2)
        found += [row.pk for row in part.items]
        cursor = part.next
        if cursor is None:
            break
    assert found == [row.pk for row in reversed(rows) if row.text == "yes"]


def test_a_search_reads_so_many_characters(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selectors, "MAX_CHARACTERS", 100)
    talk(alice, bob, ["a" * 30] * 10)
    part = selectors.search(user=bob, words="a")
    assert len(part.items) == 3
    assert part.next is not None
    monkeypatch.setattr(selectors, "MAX_CHARACTERS", 5)
    assert len(selectors.search(user=bob, words="a").items) == 1


def test_of_many_long_words_the_first_count_and_their_beginnings(alice: User, bob: User) -> None:
    talk(alice, bob, [f"{'x' * 30} b c d e"])
    assert selectors.search(user=bob, words=f"{'x' * 40} b c d e f").items


@pytest.mark.parametrize("marks", ["[" * 5000, "[](" * 500, "a\n" * 2000, "*a" * 1000, "> - " * 900])
def test_the_beginning_of_a_crowded_text_is_shown_without_parsing_it(
    marks: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(markdown, "_parser", None)
    assert selectors.excerpt(marks).startswith(" ".join(marks[:20].split()))


def test_the_beginning_of_a_text_has_addresses_and_no_marks() -> None:
    text = "## **Well** played\n\n- see [this](https://a.example/x)\n- and https://b.example/y"
    assert selectors.excerpt(text) == "Well played see this and https://b.example/y"


LISTS = {
    "/api/v1/conversations/{id}/messages?limit=100",
    "/api/v1/messages?box=received&limit=100",
    "/api/v1/messages?q=word&limit=100",
}


@pytest.mark.parametrize("path", sorted(LISTS))
def test_a_list_of_long_messages_ends_where_they_are_long_enough_and_goes_on(
    window: Open, alice: User, bob: User, path: str
) -> None:
    written = talk(bob, alice, ["word " * 800] * 30)
    Side.objects.create(
        conversation=written[0].conversation, user=alice, other=bob, last=written[-1], last_at=NOW
    )
    path = path.format(id=written[0].conversation.public_id)
    read: list[str] = []
    cursor = ""
    while True:
        found = window(alice).client.get(f"{path}&cursor={cursor}" if cursor else path).json()
        assert sum(len(message["text"]) for message in found["items"]) <= LONGEST_TEXTS
        read += [message["id"] for message in found["items"]]
        if not (cursor := found["next"]):
            break
    assert read == [message.public_id for message in reversed(written)]


def test_a_page_of_long_messages_shows_fewer_and_leads_to_the_earlier_ones(
    window: Open, alice: User, bob: User
) -> None:
    written = talk(bob, alice, [f"{number} " + "word " * 800 for number in range(30)])
    Side.objects.create(
        conversation=written[0].conversation, user=alice, other=bob, last=written[-1], last_at=NOW
    )
    seen: list[int] = []
    address = f"/messages/{written[0].conversation.public_id}/"
    following: str | None = address
    while following:
        text = window(alice).client.get(following).content.decode()
        shown = re.findall(r"<p>(\d+) word", text)
        assert len(shown) <= LONGEST_TEXTS // 4000
        seen = [*map(int, shown), *seen]
        more = re.search(r'href="[^"?]*(\?cursor=[^"]+)"', text)
        following = more and address + more[1]
    assert seen == list(range(30))


@pytest.mark.parametrize("word", ["a\n\n", "a.co\n\n", "www.a\n\n", "a@b.co ", "http://a ", "a.com "])
def test_of_a_text_so_many_words_are_looked_at_as_addresses(
    monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    looked: list[str] = []

    def count(text: str, **options: bool) -> str:
        looked.append(text)
        return urlize(text, **options)

    monkeypatch.setattr(presenters, "urlize", count)
    text = (word * 5000)[:5000]
    shown = presenters.plain(text)
    assert len(looked) <= presenters.MAX_LINKS
    assert sum(map(len, looked)) < 1000
    assert re.sub(r"<[^>]*>|\s", "", shown) == re.sub(r"\s", "", text)
