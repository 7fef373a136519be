"""The API of messages, reports and news."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from crownhead.server.accounts.models import User
from crownhead.server.live.selectors import position
from crownhead.server.live.services import publish_unheard
from crownhead.server.social.models import News
from crownhead.server.social.services import news
from tests.server.conftest import Api, make_user
from tests.server.social.conftest import NOW, Write

Ignore = Callable[[User, User], None]


def test_a_message_is_sent_and_found_by_both(api: Api, alice: User, bob: User) -> None:
    sent = api.as_(alice).post("/messages", {"to": "bob", "subject": "the cup", "text": "Hello"})
    assert sent.status_code == 201
    message = sent.json()
    assert message == {
        "id": message["id"],
        "conversation": message["conversation"],
        "sender": "alice",
        "recipient": "bob",
        "subject": "the cup",
        "text": "Hello",
        "sent_at": "2026-03-02T12:00:00Z",
    }
    assert api.as_(bob).get("/messages").json() == {"items": [message], "next": None}
    assert api.as_(alice).get("/messages", box="sent").json()["items"] == [message]
    assert api.as_(bob).get("/messages", box="sent").json()["items"] == []
    assert api.as_(bob).get("/messages", q="hello cup").json()["items"] == [message]
    (conversation,) = api.as_(bob).get("/conversations").json()["items"]
    assert conversation == {
        "id": message["conversation"],
        "player": "alice",
        "subject": "the cup",
        "unread": 1,
        "last": message,
    }


def test_a_conversation_is_read_answered_and_deleted(api: Api, alice: User, bob: User, write: Write) -> None:
    path = f"/conversations/{write(alice, bob).conversation.public_id}"
    other = api.as_(bob)
    assert other.get(path).json()["unread"] == 1
    assert [row["text"] for row in other.get(f"{path}/messages").json()["items"]] == ["Good game!"]
    assert other.get(path).json()["unread"] == 1
    assert other.post(f"{path}/read").json()["unread"] == 0
    assert other.post(f"{path}/messages", {"text": "Thanks"}).status_code == 201
    assert api.as_(alice).get("/conversations", unread="1").json()["items"][0]["last"]["text"] == "Thanks"
    assert other.delete(path).status_code == 204
    assert other.get("/conversations").json()["items"] == []
    assert other.get(path).status_code == 404
    assert len(api.as_(alice).get(f"{path}/messages").json()["items"]) == 2


def test_a_deleted_message_does_not_tell_who_has_blocked_its_sender(
    api: Api, alice: User, bob: User, ignore: Ignore
) -> None:
    ignore(bob, alice)
    answers = []
    for name in ("bob", make_user("carol").username):
        client = api.as_(alice)
        sent = client.post("/messages", {"to": name, "subject": "one of its own", "text": "Hello"}).json()
        path = f"/conversations/{sent['conversation']}"
        answers.append(
            [
                client.get(path).status_code,
                client.delete(f"/messages/{sent['id']}").status_code,
                client.get(path).status_code,
                client.post(f"{path}/messages", {"text": "again"}).status_code,
            ]
        )
    assert answers[0] == answers[1] == [200, 204, 404, 404]


def test_neither_does_what_is_picked_or_written_again_without_a_subject(
    api: Api, alice: User, bob: User, ignore: Ignore, client: Client
) -> None:
    ignore(bob, alice)
    client.force_login(alice)
    found = []
    for name in ("bob", make_user("carol").username):
        sent = api.as_(alice).post("/messages", {"to": name, "subject": "", "text": "Hello"}).json()
        api.as_(alice).delete(f"/messages/{sent['id']}")
        pick = {"pick": sent["conversation"], "do": "delete"}
        said = client.post("/messages/picked/", pick, follow=True).content.decode()
        again = api.as_(alice).post("/messages", {"to": name, "subject": "", "text": "Again"}).json()
        found.append(("Conversation deleted." in said, again["conversation"] == sent["conversation"]))
    assert found[0] == found[1]


def test_one_message_is_deleted(api: Api, alice: User, bob: User, write: Write) -> None:
    message = write(alice, bob)
    assert api.as_(bob).delete(f"/messages/{message.public_id}").status_code == 204
    assert api.as_(bob).delete(f"/messages/{message.public_id}").status_code == 404
    assert len(api.as_(alice).get("/messages", box="sent").json()["items"]) == 1


def test_an_blocked_sender_is_answered_as_ever(
    api: Api, alice: User, bob: User, charlie: User, ignore: Ignore
) -> None:
    ignore(bob, alice)
    body = {"to": "bob", "text": "Hello"}
    unheard, heard = (api.as_(user).post("/messages", body) for user in (alice, charlie))
    assert unheard.status_code == heard.status_code == 201
    assert unheard.json().keys() == heard.json().keys()
    assert [row["sender"] for row in api.as_(bob).get("/messages").json()["items"]] == ["charlie"]


def test_the_position_of_the_stream_moves_alike_whether_a_message_arrives_or_not(
    api: Api, alice: User, bob: User, charlie: User, ignore: Ignore
) -> None:
    ignore(bob, alice)
    publish_unheard()  # before the first event the position is 0, whatever others have been
    moved = set()
    for name in ("bob", "charlie", "bob", "charlie"):
        before = position()
        assert api.as_(alice).post("/messages", {"to": name, "text": "Hello"}).status_code == 201
        moved.add(position() - before)
    assert len(moved) == 1


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"to": "nobody", "text": "x"}, 404),
        ({"to": "alice", "text": "x"}, 422),
        ({"to": "bob", "text": ""}, 422),
        ({"to": "bob", "text": "x" * 5001}, 422),
        ({"to": "bob", "subject": "s" * 81, "text": "x"}, 422),
        ({"to": "bob"}, 422),
        ({"to": "", "text": "x"}, 422),
    ],
)
def test_a_wrong_message_is_refused_with_a_reason(
    api: Api, alice: User, bob: User, body: dict[str, str], status: int
) -> None:
    answer = api.as_(alice).post("/messages", body)
    assert answer.status_code == status
    assert answer.json()["detail"]
    assert api.as_(bob).get("/messages").json()["items"] == []


def test_others_find_nothing(api: Api, alice: User, bob: User, charlie: User, write: Write) -> None:
    message = write(alice, bob)
    path = f"/conversations/{message.conversation.public_id}"
    stranger = api.as_(charlie)
    assert stranger.get(path).status_code == stranger.get(f"{path}/messages").status_code == 404
    assert stranger.post(f"{path}/messages", {"text": "x"}).status_code == 404
    assert stranger.post(f"{path}/read").status_code == stranger.delete(path).status_code == 404
    assert stranger.delete(f"/messages/{message.public_id}").status_code == 404
    assert api.get("/conversations").status_code == api.get("/messages").status_code == 401


def test_a_flood_is_stopped(api: Api, alice: User, bob: User, settings: Settings) -> None:
    settings.LIMITS = {**settings.LIMITS, "messages": "1/h"}
    answers = [api.as_(alice).post("/messages", {"to": "bob", "text": "x"}) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 429]
    assert int(answers[1]["Retry-After"]) > 0


def test_lists_come_in_pages_and_cost_the_same_however_long(
    api: Api, alice: User, write: Write, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(6):
        write(make_user(f"player{number}"), alice)
    member = api.as_(alice)
    first = member.get("/conversations", limit=4).json()
    rest = member.get("/conversations", limit=4, cursor=first["next"]).json()
    names = [row["player"] for row in [*first["items"], *rest["items"]]]
    assert sorted(names) == [f"player{number}" for number in range(6)]
    assert rest["next"] is None
    with django_assert_max_num_queries(6):
        assert len(member.get("/messages").json()["items"]) == 6
    with django_assert_max_num_queries(6):
        assert len(member.get("/conversations").json()["items"]) == 6


def test_something_is_reported_and_seen_among_your_reports(
    api: Api, alice: User, bob: User, write: Write
) -> None:
    message = write(bob, alice, "Rude words")
    body = {"about": "message", "key": message.public_id, "reason": "Rude."}
    made = api.as_(alice).post("/reports", body)
    assert made.status_code == 201
    assert api.as_(alice).get("/reports").json()["items"] == [made.json()]
    assert made.json()["player"] == "bob"
    assert made.json()["decision"] == ""
    assert api.as_(bob).get("/reports").json()["items"] == []
    assert api.as_(alice).post("/reports", body).status_code == 409
    assert api.as_(bob).post("/reports", body).status_code == 422
    for wrong in (
        {**body, "about": "weather"},
        {**body, "reason": ""},
        {"about": "staff", "key": "x", "reason": "y"},
    ):
        assert api.as_(alice).post("/reports", wrong).status_code in {400, 422}


def test_an_email_to_the_staff_is_a_report_without_a_key(api: Api, alice: User) -> None:
    letter = {"about": "staff", "reason": "The clock is wrong."}
    assert [api.as_(alice).post("/reports", letter).status_code for _ in range(2)] == [201, 201]


def test_news_need_nobody(api: Api, host: User) -> None:
    row = News.objects.create(title="Rain", text="in *Spain*", author=host, written_at=NOW, changed_at=NOW)
    assert api.get("/news").json() == {"items": [], "next": None}
    assert api.get(f"/news/{row.public_id}").status_code == 404
    news.publish(staff=host, news=row, now=NOW)
    (item,) = api.get("/news").json()["items"]
    assert item == api.get(f"/news/{row.public_id}").json()
    assert (item["title"], item["author"], item["text"]) == ("Rain", "hostess", "in *Spain*")
    assert item["html"] == "<p>in <em>Spain</em></p>\n"
