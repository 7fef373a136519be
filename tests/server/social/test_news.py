"""News of the host: drafts, publishing, the mark for those who have not seen them, the feed."""

from __future__ import annotations

from datetime import timedelta
from xml.etree import ElementTree

import pytest
from django.test import Client

from crownhead.server.accounts.models import User
from crownhead.server.core import clock
from crownhead.server.core.problems import Conflict, Forbidden
from crownhead.server.social.models import ModeratorAction, News
from crownhead.server.social.services import news
from tests.server.social.conftest import NOW, Open

ATOM = "{http://www.w3.org/2005/Atom}"


def draft(host: User, title: str = "The spring cup", text: str = "Enter *now*.") -> News:
    return News.objects.create(title=title, text=text, author=host, written_at=NOW, changed_at=NOW)


def published(host: User, title: str = "The spring cup", text: str = "Enter *now*.") -> News:
    row = draft(host, title, text)
    news.publish(staff=host, news=row, now=clock.now())
    row.refresh_from_db()
    return row


def test_a_draft_is_seen_by_nobody(window: Open, host: User) -> None:
    row = draft(host)
    assert "No news yet." in window().get("/news/").text
    assert window(host).get(f"/news/{row.public_id}/").status == 404
    assert "The spring cup" not in window().get("/news/feed.xml").html


def test_news_are_read_by_everybody_with_their_marks(window: Open, host: User) -> None:
    row = published(host, text="Enter *now*.\n\n# Rounds\n\n<script>alert(1)</script>")
    page = window().get("/news/")
    assert "<em>now</em>" in page.html
    assert "<h3>Rounds</h3>" in page.html
    assert "<script>alert" not in page.html
    assert "by hostess" in page.text
    assert "The spring cup" in window().get(f"/news/{row.public_id}/").text


def test_what_a_member_has_not_seen_is_marked_until_they_look(window: Open, alice: User, host: User) -> None:
    with clock.stopped(alice.date_joined + timedelta(days=1)):
        published(host)
        member = window(alice)
        assert "New: The spring cup" in member.get("/").text
        assert 'data-kind="primary">new<' in member.get("/news/").html
        assert 'data-kind="primary">new<' not in member.get("/news/").html
        assert "News: The spring cup" in member.get("/").text


def test_a_player_who_comes_later_is_not_told_that_old_news_are_new(
    window: Open, alice: User, host: User
) -> None:
    with clock.stopped(alice.date_joined - timedelta(days=1)):
        published(host)
        assert "News: The spring cup" in window(alice).get("/").text


def test_the_line_on_the_home_page_goes_after_two_weeks(window: Open, host: User) -> None:
    published(host)
    assert "The spring cup" in window().get("/").text
    with clock.stopped(NOW + timedelta(days=15)):
        assert "The spring cup" not in window().get("/").text


def test_the_feed_is_atom_with_whole_texts(client: Client, host: User) -> None:
    row = published(host, "Cups & <ladders>")
    answer = client.get("/news/feed.xml")
    assert answer["Content-Type"].startswith("application/atom+xml")
    feed = ElementTree.fromstring(answer.content)
    (entry,) = feed.findall(f"{ATOM}entry")
    assert entry.findtext(f"{ATOM}title") == "Cups & <ladders>"
    assert entry.findtext(f"{ATOM}id") == f"http://testserver/news/{row.public_id}/"
    assert entry.findtext(f"{ATOM}content") == "<p>Enter <em>now</em>.</p>\n"
    assert feed.findtext(f"{ATOM}updated") == entry.findtext(f"{ATOM}updated") == "2026-03-02T12:00:00+00:00"


def test_a_control_character_does_not_make_the_feed_unreadable(client: Client, host: User) -> None:
    published(host)
    News.objects.update(title="Cups\x07 and\x1b ladders", text="Enter\x0b *now*.\ufffe")
    feed = ElementTree.fromstring(client.get("/news/feed.xml").content)
    assert feed.findtext(f"{ATOM}entry/{ATOM}title") == "Cups and ladders"
    assert feed.findtext(f"{ATOM}entry/{ATOM}content") == "<p>Enter <em>now</em>.</p>\n"


def test_an_empty_feed_is_a_feed(client: Client, db: None) -> None:
    assert ElementTree.fromstring(client.get("/news/feed.xml").content).tag == f"{ATOM}feed"


def test_long_lists_continue_on_the_next_page(window: Open, host: User) -> None:
    for number in range(12):
        with clock.stopped(NOW + timedelta(hours=number)):
            published(host, f"Number {number}.")
    page = window().get("/news/")
    assert "Number 11." in page.text
    assert "Number 1." not in page.text
    older = page.html.partition('href="?cursor=')[2].partition('"')[0]
    assert "Number 1." in window().get(f"/news/?cursor={older}").text


def test_saving_news_in_the_back_office_says_that_they_are_a_draft(client: Client, host: User) -> None:
    client.force_login(host)
    page = client.post("/staff/social/news/add/", {"title": "Rain", "text": "in Spain"}, follow=True)
    assert "Saved as a draft: not published yet." in page.content.decode()
    assert News.objects.get().published_at is None


def test_news_are_saved_and_published_by_one_button_until_they_are_published(
    client: Client, host: User
) -> None:
    client.force_login(host)
    new = {"title": "Rain", "text": "in Spain", "_publish": "1"}
    page = client.post("/staff/social/news/add/", new, follow=True)
    assert "not published yet" not in page.content.decode()
    row = News.objects.get()
    assert row.published_at is not None
    assert ModeratorAction.objects.get().verb == "published"
    assert "Save and publish" not in client.get(f"/staff/social/news/{row.pk}/change/").content.decode()
    assert "Save and publish" in client.get("/staff/social/news/add/").content.decode()


def test_only_the_staff_publish_and_once(alice: User, host: User) -> None:
    row = draft(host)
    with pytest.raises(Forbidden):
        news.publish(staff=alice, news=row, now=NOW)
    news.publish(staff=host, news=row, now=NOW)
    with pytest.raises(Conflict):
        news.publish(staff=host, news=row, now=NOW)


def test_the_host_writes_publishes_and_takes_back_in_the_back_office(client: Client, host: User) -> None:
    client.force_login(host)
    client.post("/staff/social/news/add/", {"title": "Rain", "text": "in Spain"})
    row = News.objects.get()
    assert (row.author, row.published_at) == (host, None)
    for action, is_out in (("publish", True), ("publish", True), ("withdraw", False)):
        client.post("/staff/social/news/", {"action": action, "_selected_action": [row.pk]})
        row.refresh_from_db()
        assert (row.published_at is not None) is is_out
    assert list(ModeratorAction.objects.order_by("pk").values_list("verb", "words")) == [
        ("published", "Rain"),
        ("withdrew", "Rain"),
    ]
