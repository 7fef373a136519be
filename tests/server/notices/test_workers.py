"""Several workers at once, and one that dies: nobody is told twice, and nobody who asked is not told."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from functools import partial

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.notices import jobs
from crownhead.server.notices.channels import delivery
from crownhead.server.notices.channels.delivery import Batch, NotNow
from crownhead.server.notices.kinds import Channel, Kind, Timing
from crownhead.server.notices.models import Delivery, Device
from crownhead.server.notices.services import devices
from tests.server.conftest import make_user
from tests.server.notices.browsers import Browser
from tests.server.notices.factories import DAY, MINUTE, letters, make_notice, set_timing
from tests.server.play.factories import NOW
from tests.server.play.test_at_once import at_once, in_a_file

__all__ = ["in_a_file"]


@pytest.fixture
def news(alice: User) -> None:
    """Alice wants news at once, and there is one."""
    set_timing(alice, Kind.TROPHY, Channel.MAIL, Timing.NOW)
    make_notice(alice, "The hall is heated")


def send(now: datetime, delivered: list[str], *, during: object = None) -> int:
    """Let letters go into ``delivered``; ``during`` is called while one leaves."""

    def take(batch: Batch) -> None:
        if callable(during):
            during()
        delivered.append(batch.notices[0].subject)

    return delivery.send_due(channel=Channel.MAIL, send=take, now=now)


@pytest.mark.django_db
def test_a_second_worker_that_comes_while_an_email_leaves_finds_nothing(news: None) -> None:
    delivered: list[str] = []
    send(NOW + MINUTE, delivered, during=lambda: send(NOW + MINUTE, delivered))
    assert delivered == ["The hall is heated"]


@pytest.mark.django_db
def test_what_came_while_an_email_left_goes_in_the_next(alice: User, news: None) -> None:
    delivered: list[str] = []
    send(NOW + MINUTE, delivered, during=lambda: make_notice(alice, "The bar is open"))
    send(NOW + 2 * MINUTE, delivered)
    assert delivered == ["The hall is heated", "The bar is open"]


@pytest.mark.django_db
def test_what_a_worker_had_taken_when_it_died_is_sent_by_another(news: None) -> None:
    Delivery.objects.update(state="claimed", claim="dead", claimed_at=NOW + MINUTE)
    delivered: list[str] = []
    send(NOW + 2 * MINUTE, delivered)
    assert delivered == []
    send(NOW + 17 * MINUTE, delivered)
    assert delivered == ["The hall is heated"]


@pytest.mark.django_db
def test_what_was_leaving_when_a_worker_died_is_sent_again_under_the_same_key(
    alice: User, news: None
) -> None:
    letters_before: list[Batch] = []

    def die(batch: Batch) -> None:
        letters_before.append(batch)
        raise SystemExit

    with pytest.raises(SystemExit):
        delivery.send_due(channel=Channel.MAIL, send=die, now=NOW + MINUTE)
    make_notice(alice, "The bar is open", now=NOW + MINUTE)
    again: list[Batch] = []
    delivery.send_due(channel=Channel.MAIL, send=again.append, now=NOW + 15 * MINUTE)
    assert [batch.notices[0].subject for batch in again] == ["The bar is open"]  # the lease is not over
    delivery.send_due(channel=Channel.MAIL, send=again.append, now=NOW + 17 * MINUTE)
    assert [batch.key for batch in again[1:]] == [letters_before[0].key]
    assert again[0].key != again[1].key
    assert {row.state for row in Delivery.objects.all()} == {"sent"}
    delivery.send_due(channel=Channel.MAIL, send=again.append, now=NOW + DAY)
    assert len(again) == 2


@pytest.mark.django_db
def test_a_letter_that_kills_every_worker_is_given_up_in_the_end(news: None) -> None:
    def die(_batch: Batch) -> None:
        raise SystemExit

    for day in range(20):
        try:
            delivery.send_due(channel=Channel.MAIL, send=die, now=NOW + MINUTE + day * DAY)
        except SystemExit:
            continue
        break
    assert Delivery.objects.get().state == "failed"


@pytest.mark.django_db
def test_a_letter_is_sent_again_by_one_worker_alone(news: None) -> None:
    Delivery.objects.update(state="sending", claim="dead", claimed_at=NOW + MINUTE)
    delivered: list[str] = []
    send(NOW + DAY, delivered, during=lambda: send(NOW + DAY, delivered))
    assert delivered == ["The hall is heated"]


@pytest.mark.django_db
def test_an_email_that_cannot_be_written_holds_up_nobody_else(alice: User, bob: User, news: None) -> None:
    set_timing(bob, Kind.TROPHY, Channel.MAIL, Timing.NOW)
    make_notice(bob, "The bar is open", now=NOW + MINUTE)
    delivered: list[str] = []

    def take(batch: Batch) -> None:
        if batch.person.user == alice:
            raise RuntimeError("a template is broken")
        delivered.append(batch.notices[0].subject)

    delivery.send_due(channel=Channel.MAIL, send=take, now=NOW + 2 * MINUTE)
    assert delivered == ["The bar is open"]
    assert Delivery.objects.get(user=alice).state == "waiting"


@pytest.mark.django_db
def test_one_who_cannot_be_reached_now_holds_up_nobody_else(alice: User, bob: User, news: None) -> None:
    set_timing(bob, Kind.TROPHY, Channel.MAIL, Timing.NOW)
    make_notice(bob, "The bar is open", now=NOW + MINUTE)
    delivered: list[str] = []

    def take(batch: Batch) -> None:
        if batch.person.user == alice:
            raise NotNow("the mailbox is full")
        delivered.append(batch.notices[0].subject)

    delivery.send_due(channel=Channel.MAIL, send=take, now=NOW + 2 * MINUTE)
    assert delivered == ["The bar is open"]


def test_four_workers_at_the_same_moment_send_each_email_once(in_a_file: Callable[[], None]) -> None:
    people = [make_user(f"member{number}") for number in range(12)]
    for user in people:
        set_timing(user, Kind.TROPHY, Channel.MAIL, Timing.NOW)
        make_notice(user, f"To {user.username}")
    in_a_file()
    delivered: list[str] = []
    at_once([lambda: send(NOW + MINUTE, delivered)] * 4)
    assert Counter(delivered) == {f"To {user.username}": 1 for user in people}


@pytest.mark.django_db(transaction=True)
def test_the_job_sends_in_a_thread_of_its_own(alice: User) -> None:
    set_timing(alice, Kind.TROPHY, Channel.MAIL, Timing.NOW)
    make_notice(alice, "The hall is heated")
    jobs.send_mail_in_background(NOW + MINUTE)
    jobs.MAIL.wait()
    assert Delivery.objects.get().state == "sent"
    assert letters(NOW + MINUTE) == []


def test_a_job_that_is_not_done_is_not_begun_again() -> None:
    apart, done, end = jobs.BackgroundThread("test"), [], threading.Event()

    def work() -> None:
        end.wait(10)
        done.append(1)

    assert apart.do(work)
    assert not apart.do(work)
    end.set()
    apart.wait()
    assert done == [1]
    assert apart.do(work)
    apart.wait()


def test_of_browsers_added_at_once_only_the_newest_are_kept(
    alice: User, in_a_file: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(devices, "MAX_DEVICES", 2)
    browsers = [Browser(str(number)) for number in range(8)]
    in_a_file()
    assert at_once([partial(browser.subscribe, alice) for browser in browsers]) == {Device: 8}
    assert Device.objects.count() == 2
