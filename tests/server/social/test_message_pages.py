"""The pages of messages, as members see them without JavaScript."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytest_django import Settings

from crownhead.server.accounts.models import User
from crownhead.server.social import selectors
from crownhead.server.social.models import Message
from crownhead.server.social.services import messages
from tests.server.conftest import Api, make_user
from tests.server.social.conftest import NOW, Open, Write

Ignore = Callable[[User, User], None]


def address(message: Message) -> str:
    return f"/messages/{message.conversation.public_id}/"


def test_guests_are_led_to_sign_in(window: Open) -> None:
    for path in ("/messages/", "/messages/sent/", "/messages/search/", "/messages/new/", "/reports/"):
        assert window().get(path).location == f"/accounts/login/?next={path}"


def test_a_new_member_is_notified_what_to_do(window: Open, alice: User) -> None:
    assert "No messages yet." in window(alice).get("/messages/").text
    assert "You haven't sent any messages yet" in window(alice).get("/messages/sent/").text
    assert "No unread messages" in window(alice).get("/messages/?unread=1").text


def test_a_message_is_written_and_answered_on_pages(window: Open, alice: User, bob: User) -> None:
    form = {"to": "BOB", "subject": "the cup", "text": "Shall we\nenter?"}
    sent = window(alice).post("/messages/new/", form, follow=True)
    assert "Message sent." in sent.text
    assert "Shall we<br>enter?" in sent.html
    inbox = window(bob).get("/messages/")
    assert "alice · the cup 1 new" in inbox.text
    assert 'data-badge="messages"' in inbox.html
    row = Message.objects.get()
    assert "alice" in window(bob).get(address(row)).text
    answer = window(bob).post(address(row), {"text": "With pleasure."})
    assert answer.location == address(row)
    assert "You: With pleasure." in window(bob).get("/messages/").text
    assert "With pleasure." in window(alice).get(address(row)).text


def test_no_browser_stores_what_members_write_to_each_other(
    window: Open, alice: User, bob: User, write: Write
) -> None:
    message = write(alice, bob)
    for path in ("/messages/", "/messages/sent/", "/messages/search/", "/messages/new/", address(message)):
        assert "no-store" in window(bob).get(path).headers["Cache-Control"], path


def test_opening_a_conversation_makes_it_read(window: Open, alice: User, bob: User, write: Write) -> None:
    message = write(alice, bob)
    assert "1 new" in window(bob).get("/messages/").text
    page = window(bob).get(address(message))
    assert 'data-badge="messages" hidden' in page.html
    assert "1 new" not in window(bob).get("/messages/").text


def test_the_form_names_what_is_wrong_and_keeps_what_was_written(
    window: Open, alice: User, bob: User, ignore: Ignore
) -> None:
    window_of_alice = window(alice)
    for to, sentence in (("nobody", "There is no player with this name."), ("Alice", "That's you.")):
        page = window_of_alice.post("/messages/new/", {"to": to, "text": "My long words"})
        assert page.status == 422
        assert sentence in page.text
        assert "My long words" in page.html
    page = window_of_alice.post("/messages/new/", {"to": "bob", "text": ""})
    assert "This field is required." in page.text
    ignore(alice, bob)
    page = window_of_alice.post("/messages/new/", {"to": "bob", "text": "Hello"})
    assert page.status == 409
    assert "You have blocked bob and would not see their reply. Unblock them first." in page.text


def test_a_link_can_fill_the_form_in(window: Open, alice: User) -> None:
    page = window(alice).get("/messages/new/?to=bob&subject=Our+game")
    assert 'value="bob"' in page.html
    assert 'value="Our game"' in page.html


def test_a_flood_is_stopped(window: Open, alice: User, bob: User, settings: Settings) -> None:
    settings.LIMITS = {**settings.LIMITS, "messages": "2/h"}
    form = {"to": "bob", "text": "Buy!"}
    statuses = [window(alice).post("/messages/new/", form).status for _ in range(3)]
    assert statuses == [302, 302, 429]
    row = Message.objects.first()
    assert row is not None
    page = window(alice).post(address(row), {"text": "Buy more!"})
    assert page.status == 429
    assert "Try again in" in page.text
    assert "Buy more!" in page.html


def test_one_writes_so_much_to_those_who_never_wrote_back_and_to_others_at_will(
    window: Open, alice: User, bob: User, charlie: User, write: Write, settings: Settings
) -> None:
    settings.LIMITS = {**settings.LIMITS, "strangers": "2/d"}
    write(charlie, alice)
    member = window(alice)
    names = ["bob", "bob", "charlie", make_user("dora").username]
    statuses = [member.post("/messages/new/", {"to": name, "text": "Hi"}).status for name in names]
    assert statuses == [302, 302, 302, 429]


def test_a_reply_to_one_who_never_wrote_back_counts_as_well(
    window: Open, api: Api, alice: User, bob: User, write: Write, settings: Settings
) -> None:
    settings.LIMITS = {**settings.LIMITS, "strangers": "1/d"}
    message = write(alice, bob)
    path = f"/conversations/{message.conversation.public_id}/messages"
    assert api.as_(alice).post(path, {"text": "Hello?"}).status_code == 201
    assert api.as_(alice).post(path, {"text": "Hello!"}).status_code == 429
    assert window(alice).post(address(message), {"text": "Are you there?"}).status == 429
    write(bob, alice)
    assert window(alice).post(address(message), {"text": "At last!"}).status == 302


def test_nothing_in_a_message_acts_but_addresses_lead_on(
    window: Open, alice: User, bob: User, write: Write
) -> None:
    text = "<b>x</b> <script>alert(1)</script> javascript:alert(1) https://club.example/?a=1&b=2."
    page = window(bob).get(address(write(alice, bob, text)))
    assert "<script>alert" not in page.html
    assert "&lt;b&gt;x&lt;/b&gt;" in page.html
    assert '<a href="https://club.example/?a=1&amp;b=2" rel="nofollow">' in page.html
    assert 'href="javascript' not in page.html


def test_others_find_no_conversation(
    window: Open, alice: User, bob: User, charlie: User, write: Write
) -> None:
    message = write(alice, bob)
    stranger = window(charlie)
    assert stranger.get(address(message)).status == 404
    assert stranger.post(address(message), {"text": "x"}).status == 404
    for act in ("delete", "unread"):
        assert stranger.post(f"{address(message)}{act}/").status == 404
    assert stranger.post(f"/message/{message.public_id}/delete/").status == 404
    assert stranger.get(f"/report/message/{message.public_id}/").status == 404


def test_the_one_who_is_blocked_sees_the_same_pages_as_ever(
    window: Open, alice: User, bob: User, ignore: Ignore
) -> None:
    ignore(bob, alice)
    page = window(alice).post("/messages/new/", {"to": "bob", "text": "Hello?"}, follow=True)
    assert "Message sent." in page.text
    assert "Hello?" in page.text
    assert "Hello?" not in window(bob).get("/messages/").text
    assert 'data-badge="messages" hidden' in window(bob).get("/messages/").html


def test_a_conversation_with_one_who_is_blocked_says_so(
    window: Open, alice: User, bob: User, write: Write, ignore: Ignore
) -> None:
    message = write(alice, bob)
    ignore(bob, alice)
    page = window(bob).get(address(message))
    assert "You have blocked alice, so you won't get their messages." in page.text
    assert "Your message" not in page.text


def test_a_conversation_with_a_closed_account_cannot_continue(
    window: Open, alice: User, bob: User, write: Write
) -> None:
    message = write(alice, bob)
    User.objects.filter(pk=alice.pk).update(is_active=False)
    assert "This account is closed" in window(bob).get(address(message)).text
    assert window(bob).post(address(message), {"text": "x"}).status == 409


def test_a_message_and_a_conversation_are_deleted_on_your_own_side(
    window: Open, alice: User, bob: User, write: Write
) -> None:
    first, last = write(alice, bob, "one"), write(alice, bob, "two")
    page = window(bob).post(f"/message/{first.public_id}/delete/", follow=True)
    assert "Message deleted." in page.text
    assert "one" not in [part.strip() for part in page.text.split()]
    gone = window(bob).post(f"{address(last)}delete/", follow=True)
    assert "Conversation deleted." in gone.text
    assert "No messages yet." in gone.text
    assert "one" in window(alice).get(address(first)).text


def test_the_last_message_deleted_leads_back_to_the_list(
    window: Open, alice: User, bob: User, write: Write
) -> None:
    message = write(alice, bob)
    assert window(bob).post(f"/message/{message.public_id}/delete/").location == "/messages/"


def test_those_picked_are_deleted_only_after_a_question(
    window: Open, alice: User, bob: User, write: Write
) -> None:
    write(bob, alice)
    page = window(alice).get("/messages/").html
    question = page.index("<summary>Delete for me</summary>")
    assert question < page.index("can't be undone") < page.index('value="delete">Delete</button>')


def test_those_picked_are_read_or_deleted_together(window: Open, alice: User, write: Write) -> None:
    written = [write(make_user(f"player{number}"), alice) for number in range(3)]
    keys = [message.conversation.public_id for message in written]
    member = window(alice)
    member.client.post("/messages/picked/", {"pick": keys[:2], "do": "read"})
    assert selectors.unread_count(user=alice) == 1
    answer = member.client.post(
        "/messages/picked/", {"pick": [*keys[1:], "none"], "do": "delete"}, follow=True
    )
    assert "2 conversations deleted." in answer.content.decode()
    assert [side.conversation.public_id for side in selectors.conversations(user=alice)] == keys[:1]
    assert (
        "Select at least one conversation."
        in member.post("/messages/picked/", {"do": "delete"}, follow=True).text
    )


def test_a_conversation_can_be_kept_as_not_read(window: Open, alice: User, bob: User, write: Write) -> None:
    message = write(alice, bob)
    window(bob).get(address(message))
    window(bob).post(f"{address(message)}unread/")
    assert "1 new" in window(bob).get("/messages/").text


def test_a_page_that_asks_again_reads_what_is_new_to_it_alone(
    window: Open, alice: User, bob: User, write: Write
) -> None:
    message = write(alice, bob)
    again = f"{address(message)}?shown={message.public_id}"
    assert f'hx-get="{again}"' in window(bob).get(address(message)).html
    window(bob).post(f"{address(message)}unread/")
    window(bob).get(again)
    assert selectors.unread_count(user=bob) == 1
    write(alice, bob, "And?")
    window(bob).get(again)
    assert selectors.unread_count(user=bob) == 0


def test_long_conversations_begin_with_the_latest(window: Open, alice: User, bob: User, write: Write) -> None:
    for number in range(60):
        message = write(alice, bob, f"word-{number}.")
    page = window(bob).get(address(message))
    assert "word-59." in page.text
    assert "word-9." not in page.text
    assert page.text.index("word-58.") < page.text.index("word-59.")
    cursor = page.html.partition('href="?cursor=')[2].partition('"')[0]
    earlier = window(bob).get(f"{address(message)}?cursor={cursor}")
    assert "word-9." in earlier.text
    assert "Latest messages" in earlier.text


def test_search_shows_what_it_found_and_what_to_do_if_nothing(
    window: Open, alice: User, bob: User, write: Write
) -> None:
    write(alice, bob, "The bridge held.")
    assert "from alice" in window(bob).get("/messages/search/?q=bridge").text
    assert "to bob" in window(alice).get("/messages/search/?q=bob").text
    assert "No messages found." in window(bob).get("/messages/search/?q=tunnel").text
    assert "Search for a word in your messages" in window(bob).get("/messages/search/").text


@pytest.mark.parametrize(
    "path", ["/messages/?cursor=x", "/messages/sent/?cursor=%00", "/messages/search/?q=%25&cursor=AA"]
)
def test_a_spoilt_address_is_announced(window: Open, alice: User, path: str) -> None:
    assert window(alice).get(path).status == 400


def test_only_the_content_is_sent_where_only_that_is_asked_for(
    window: Open, alice: User, bob: User, write: Write
) -> None:
    message = write(alice, bob)
    page = window(bob).get(address(message), fragment=True)
    assert "<html" not in page.html
    assert "Good game!" in page.text
    answer = window(bob).post(address(message), {"text": "Thanks"}, fragment=True)
    assert (answer.status, answer.location) == (302, address(message))


def test_the_menu_tells_how_many_conversations_wait(
    window: Open, alice: User, bob: User, write: Write
) -> None:
    write(alice, bob)
    messages.write(user=alice, to="bob", subject="the cup", text="x", now=NOW)
    assert window(bob).client.get("/badges/").json()["messages"] == 2
