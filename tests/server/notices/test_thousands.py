"""Thousands of notifications of one member: they are one letter, and few are written at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import pytest
from django.conf import settings
from django.core import mail
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django_tasks import TaskResultStatus
from django_tasks.base import Task
from django_tasks_db.models import DBTaskResult

from crownhead.server.accounts.models import Ignored, User
from crownhead.server.core import clock
from crownhead.server.core.background.killed_tasks import repeat_killed
from crownhead.server.core.problems import TooMany
from crownhead.server.notices import jobs, tasks
from crownhead.server.notices.channels import delivery, push
from crownhead.server.notices.channels.delivery import Batch, NotNow
from crownhead.server.notices.kinds import Channel, Kind, Timing
from crownhead.server.notices.models import Choice, Delivery, Notice
from crownhead.server.notices.selectors.preferences import timings_of
from crownhead.server.notices.selectors.reading import notices_of, unread, unread_count
from crownhead.server.notices.selectors.recipients import person
from crownhead.server.notices.selectors.unsubscribe import unsubscribe_link
from crownhead.server.notices.services import preferences, reading, rescheduling
from tests.server.conftest import Api
from tests.server.notices.factories import DAY, HOUR, MINUTE, letters, make_online, set_timing
from tests.server.play.factories import NOW

pytestmark = pytest.mark.django_db

MAIL = Channel.MAIL


def many(
    user: User,
    number: int,
    *,
    timing: Timing = Timing.DAILY,
    about: Callable[[int], str] = lambda _n: "",
    **facts: Any,
) -> list[Notice]:
    """So many notices of a trophy, each a second after the other, with their deliveries due now."""
    first = Notice.objects.count()
    Notice.objects.bulk_create(
        [
            Notice(
                user=user, kind=Kind.TROPHY, key=f"k{n}", about=about(n), subject=f"Trophy {n}", link="/",
                created_at=NOW + n * MINUTE / 60, **facts,
            )
            for n in range(first, first + number)
        ]
    )  # fmt: skip
    made = list(Notice.objects.filter(user=user).order_by("pk"))[-number:]
    Delivery.objects.bulk_create(
        [
            Delivery(notice=one, user=user, channel=MAIL, kind=one.kind, timing=timing, due_at=NOW)
            for one in made
        ]
    )
    return made


class Written:
    """The most rows that one statement names by their keys, and how many statements changed something."""

    def __init__(self) -> None:
        self.most_keys = self.changes = 0

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        if "notices_" in sql and sql.startswith(("UPDATE", "INSERT", "DELETE")):
            self.changes += 1
        if "notices_" in sql:
            self.most_keys = max(self.most_keys, len(params or ()))
        return execute(sql, params, many, context)


@contextmanager
def written() -> Iterator[Written]:
    seen = Written()
    with connection.execute_wrapper(seen):
        yield seen


def send_all(now: datetime) -> list[Batch]:
    """What leaves by mail."""
    sent: list[Batch] = []
    delivery.send_due(channel=MAIL, send=sent.append, now=now)
    return sent


def work(task: Task[..., Any], now: datetime = NOW) -> int:
    """Do what is left to a worker; returns how many tasks it were."""
    left = DBTaskResult.objects.filter(task_path=task.module_path)
    calls = [row.args_kwargs["args"] for row in left]
    left.delete()
    with clock.stopped(now):
        for args in calls:
            task.func(*args)
    return len(calls)


def states() -> dict[str, int]:
    return dict(Counter(Delivery.objects.values_list("state", flat=True)))


@pytest.fixture
def daily(alice: User) -> User:
    """Alice has her trophies in a digest."""
    set_timing(alice, Kind.TROPHY, MAIL, Timing.DAILY)
    return alice


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits that a few rows exceed."""
    monkeypatch.setattr(delivery, "MAX_IN_WORDS", 5)
    monkeypatch.setattr(delivery, "ROWS_AT_ONCE", 4)
    monkeypatch.setattr(rescheduling, "AT_ONCE", 4)
    monkeypatch.setattr(reading, "READ_AT_ONCE", 4)


# A digest


def test_a_digest_of_very_many_is_one_letter_that_says_how_many_there_are(daily: User) -> None:
    many(daily, 1200)
    assert letters(NOW + DAY) == ["alice: [Crownhead] Your daily digest: 1200 notifications"]
    text = str(mail.outbox[-1].body)
    assert "* Trophy 1199\n" in text
    assert text.count("* Trophy") == 20
    assert "And 1180 more notifications:" in text
    assert states() == {"sent": 1200}
    assert letters(NOW + 2 * DAY) == []


def test_a_digest_of_very_many_compares_no_rows_and_names_few_at_a_time(
    daily: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    many(daily, 1200)
    compared: list[int] = []
    loaded: list[int] = []
    same, made = Model.__eq__, Model.from_db.__func__  # type: ignore[attr-defined]

    def is_same(self: Model, other: object) -> bool:
        compared.append(1)
        return bool(same(self, other))

    def from_db(cls: type[Model], *args: Any) -> Model:
        loaded.append(cls is Notice or cls is Delivery)
        return made(cls, *args)  # type: ignore[no-any-return]

    monkeypatch.setattr(Model, "__eq__", is_same)
    monkeypatch.setattr(Model, "from_db", classmethod(from_db))
    with written() as seen:
        (batch,) = send_all(NOW + DAY)
    assert len(compared) < 100
    assert sum(loaded) <= 2 * delivery.MAX_IN_WORDS
    assert (len(batch.notices), batch.others) == (200, 1000)
    assert seen.most_keys < delivery.ROWS_AT_ONCE + 20


def test_what_is_read_or_withdrawn_is_dropped_before_anything_is_loaded(daily: User, few: None) -> None:
    many(daily, 10, read_at=NOW)
    many(daily, 10, withdrawn_at=NOW)
    many(daily, 7)
    (batch,) = send_all(NOW + DAY)
    assert [notice.subject for notice in batch.notices] == [f"Trophy {n}" for n in range(22, 27)]
    assert batch.others == 2
    assert states() == {"dropped": 20, "sent": 7}


def test_earlier_ones_about_a_subject_in_words_are_not_counted_besides(daily: User, few: None) -> None:
    many(daily, 20, about=lambda _n: "game:one")
    assert letters(NOW + DAY) == ["alice: [Crownhead] Trophy 19"]
    many(daily, 20, about=lambda n: f"game:{n % 8}")
    assert letters(NOW + DAY) == ["alice: [Crownhead] Your daily digest: 8 notifications"]


def test_very_many_that_cannot_leave_are_all_tried_again(daily: User, few: None) -> None:
    many(daily, 12)

    def fail(_batch: Batch) -> None:
        raise NotNow("the mailbox is full")

    with written() as seen:
        delivery.send_due(channel=MAIL, send=fail, now=NOW + DAY)
    assert states() == {"waiting": 12}
    assert seen.changes <= 4 * 3 + 1
    (batch,) = send_all(NOW + DAY + MINUTE)
    assert (len(batch.notices), batch.others) == (5, 7)


def test_very_many_that_were_leaving_go_again_under_the_same_key(daily: User, few: None) -> None:
    many(daily, 12)
    before: list[str] = []

    def die(batch: Batch) -> None:
        before.append(batch.key)
        raise SystemExit

    with pytest.raises(SystemExit):
        delivery.send_due(channel=MAIL, send=die, now=NOW + DAY)
    (batch,) = send_all(NOW + DAY + HOUR)
    assert [batch.key] == before
    assert batch.others == 7


def test_very_many_wait_while_one_is_here(alice: User, few: None) -> None:
    set_timing(alice, Kind.TROPHY, MAIL, Timing.AWAY)
    many(alice, 12, timing=Timing.AWAY)
    make_online(alice, NOW + MINUTE)
    assert send_all(NOW + MINUTE) == []
    assert states() == {"waiting": 12}
    (batch,) = send_all(NOW + HOUR)
    assert (len(batch.notices), batch.others) == (5, 7)


def test_a_batch_has_an_end_and_the_next_goes_on(
    daily: User, few: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "MAX_TAKEN", 10)
    many(daily, 12)
    assert [len(batch.notices) + batch.others for batch in send_all(NOW + DAY)] == [10]
    assert [len(batch.notices) + batch.others for batch in send_all(NOW + DAY)] == [2]


def test_who_is_blocked_is_asked_once(alice: User, bob: User) -> None:
    set_timing(alice, Kind.TEAM, MAIL, Timing.DAILY)
    many(alice, 30, actor=bob)
    Notice.objects.update(kind=Kind.TEAM)
    Delivery.objects.update(kind=Kind.TEAM)
    Ignored.objects.create(user=alice, ignored=bob, created_at=NOW)
    with CaptureQueriesContext(connection) as captured:
        assert send_all(NOW + DAY) == []
    assert sum("accounts_ignored" in query["sql"] for query in captured) == 1
    assert states() == {"dropped": 30}


def test_a_push_message_counts_those_without_words(alice: User, few: None) -> None:
    notices = tuple(many(alice, 2, about=lambda _n: "game:one"))
    batch = Batch(person(alice), notices, (Kind.TROPHY,), daily=False, now=NOW, others=7)
    (message,) = push.messages_of(batch)
    assert message["title"] == "8 new notifications"


# Preferences


def test_a_request_reschedules_the_soonest_and_a_worker_the_others(daily: User, few: None) -> None:
    many(daily, 11)
    Delivery.objects.update(due_at=NOW + DAY)
    soonest = set(Delivery.objects.order_by("-pk").values_list("pk", flat=True)[:3])
    Delivery.objects.filter(pk__in=soonest).update(due_at=NOW + HOUR)
    set_timing(daily, Kind.TROPHY, MAIL, Timing.NOW)
    changed = set(Delivery.objects.filter(timing=Timing.NOW).values_list("pk", flat=True))
    assert len(changed) == 4
    assert soonest < changed
    with written() as seen:
        assert work(tasks.reschedule) == 1
    assert Delivery.objects.filter(timing=Timing.NOW).count() == 11
    assert seen.changes == 2
    assert work(tasks.reschedule) == 0


def test_a_digest_of_very_many_moves_to_another_hour(daily: User, few: None) -> None:
    many(daily, 11)
    Delivery.objects.update(due_at=NOW + DAY)
    preferences.choose(user=daily, timings={}, digest_hour=20, now=NOW)
    assert Delivery.objects.filter(due_at=NOW + 8 * HOUR).count() == 4
    work(tasks.reschedule)
    assert Delivery.objects.filter(due_at=NOW + 8 * HOUR).count() == 11


def test_a_worker_follows_what_was_chosen_meanwhile(daily: User, few: None) -> None:
    many(daily, 11)
    set_timing(daily, Kind.TROPHY, MAIL, Timing.NOW)
    Choice.objects.update(timing=Timing.AWAY)
    work(tasks.reschedule)
    assert set(Delivery.objects.values_list("timing", flat=True)) == {"away"}


def test_a_task_waits_for_all_changes_until_a_worker_takes_it(daily: User, few: None) -> None:
    many(daily, 11)
    waits = DBTaskResult.objects.filter(task_path=tasks.reschedule.module_path)
    for hour in (20, 21, 20):
        preferences.choose(user=daily, timings={}, digest_hour=hour, now=NOW)
        Delivery.objects.update(due_at=NOW + DAY)
    assert waits.count() == 1
    waits.update(status=TaskResultStatus.RUNNING)  # it may have seen for the last time what is chosen
    preferences.choose(user=daily, timings={}, digest_hour=21, now=NOW)
    assert waits.count() == 2


def test_a_member_who_changes_their_mind_as_fast_as_a_task_works_lets_others_have_their_turn(
    daily: User, few: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rescheduling, "MAX_TURNS", 3)
    many(daily, 11)
    step, turns = rescheduling.reschedule_some, 0

    def reschedule_some(user: User, now: datetime) -> bool:
        nonlocal turns
        turns += 1
        left = step(user, now)
        Delivery.objects.update(due_at=NOW + DAY, timing=Timing.DAILY)  # as they have changed it back
        return left

    set_timing(daily, Kind.TROPHY, MAIL, Timing.NOW)
    monkeypatch.setattr(rescheduling, "reschedule_some", reschedule_some)
    for _ in range(2):  # what is left is a task of its own, behind those of others
        assert work(tasks.reschedule) == 1
    assert turns == 6


def test_changes_of_preferences_are_counted(daily: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.LIMITS, "preferences", "3/h")  # one for what is chosen already
    set_timing(daily, Kind.TROPHY, MAIL, Timing.NOW)
    set_timing(daily, Kind.TROPHY, MAIL, Timing.DAILY)
    with pytest.raises(TooMany):
        set_timing(daily, Kind.TROPHY, MAIL, Timing.NOW)
    preferences.stop(user=daily, kinds=[Kind.TROPHY], channel=MAIL, now=NOW)  # as a link in a mail may always
    assert timings_of(daily.pk)[Kind.TROPHY, MAIL] is Timing.NEVER


def test_few_that_wait_leave_nothing_to_a_worker(daily: User, few: None) -> None:
    many(daily, 4)
    set_timing(daily, Kind.TROPHY, MAIL, Timing.NOW)
    assert not DBTaskResult.objects.exists()
    assert set(Delivery.objects.values_list("timing", flat=True)) == {"now"}


def test_an_unsubscribe_link_writes_once(daily: User) -> None:
    link = unsubscribe_link(user=daily, kinds=[Kind.TROPHY]).removeprefix("https://club.example")
    many(daily, 3)
    counts = []
    for _ in range(2):
        with written() as seen:
            assert Client().post(link).status_code == 200
        counts.append(seen.changes)
    assert counts[0] > 0
    assert counts[1] == 0


# Reading


def test_all_are_marked_as_read_the_latest_at_once_and_a_worker_the_others(
    alice: User, api: Api, few: None
) -> None:
    many(alice, 11)
    assert api.as_(alice).post("/notices/read").json() == {"read": 11}
    assert [notice.subject for notice in unread(alice)] == [f"Trophy {n}" for n in reversed(range(7))]
    many(alice, 1)
    with written() as seen:
        assert work(tasks.mark_read_until) == 1
    assert seen.changes == 2
    assert [notice.subject for notice in unread(alice)] == ["Trophy 11"]  # it came later
    assert Notice.objects.exclude(read_at=None).values("read_at").distinct().count() == 1


@pytest.mark.parametrize("task", [tasks.reschedule, tasks.mark_read_until])
def test_what_a_killed_worker_has_left_is_done_by_another(
    alice: User, few: None, task: Task[..., Any]
) -> None:
    many(alice, 11)
    set_timing(alice, Kind.TROPHY, MAIL, Timing.NOW)
    reading.mark_all_read(user=alice, now=NOW)
    now = timezone.now()
    left = DBTaskResult.objects.filter(task_path=task.module_path)
    assert left.update(status=TaskResultStatus.RUNNING, started_at=now) == 1
    assert repeat_killed(now) == 0
    assert repeat_killed(now + HOUR) == 1


def test_a_member_keeps_the_latest(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "KEPT_OF_ONE", 5)
    many(alice, 8)
    many(bob, 5)
    jobs.delete_beyond(NOW)
    assert [notice.subject for notice in notices_of(alice)] == [f"Trophy {n}" for n in (7, 6, 5, 4, 3)]
    assert notices_of(bob).count() == 5
    assert reading.prune_beyond() == 0


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL plans by the size of a table")
@pytest.mark.parametrize("seen", [False, True])
def test_unread_ones_are_found_without_those_that_were_read(alice: User, api: Api, seen: bool) -> None:
    notices = many(alice, 3)
    if seen:
        reading.mark_seen(user=alice, rows=[(notices[0].pk, Kind.TROPHY, True)], now=NOW)
    with CaptureQueriesContext(connection) as captured:
        assert unread_count(alice) == (2 if seen else 3)
        api.as_(alice).get("/notices", unread=True)
    asked = [query["sql"] for query in captured if '"read_at" IS NULL' in query["sql"]]
    assert len(asked) == 3
    for sql in asked:
        with connection.cursor() as cursor:
            cursor.execute("EXPLAIN QUERY PLAN " + sql)
            plan = " ".join(row[-1] for row in cursor.fetchall())
        assert "notice_unread" in plan, plan
        assert "TEMP B-TREE" not in plan
