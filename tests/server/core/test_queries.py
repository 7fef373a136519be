"""Queries that are written once answer as those of the ORM do, and rows that are written by SQL are rows."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from django.db import IntegrityError, connection
from django.db.models import Value
from django.db.models.signals import post_init
from django.test.utils import CaptureQueriesContext

from crownhead.server.accounts.models import Preferences, User
from crownhead.server.core.queries import rows
from crownhead.server.core.queries.literals import literals
from crownhead.server.core.queries.prepared import Prepared, PreparedForKeys, PreparedUpdate
from crownhead.server.live.models import Outbox
from crownhead.server.notices.kinds import Kind
from crownhead.server.notices.models import Choice, Notice
from tests.server.conftest import make_user

pytestmark = pytest.mark.django_db

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_a_prepared_query_returns_the_rows_of_its_values(alice: User, bob: User) -> None:
    named = Prepared(lambda name: User.objects.filter(username=name, is_active=True), name=str)
    assert [named.rows(name=name) for name in ("alice", "bob", "nobody")] == [[alice], [bob], []]
    assert named.first(name="bob") == bob
    assert named.first(name="nobody") is None


def test_rows_that_are_loaded_along_cost_no_query(alice: User, bob: User) -> None:
    Preferences.objects.create(user=alice, theme="wood")
    known = Prepared(lambda key: User.objects.select_related("preferences").filter(pk=key), key=int)
    user, other = known.first(key=alice.pk), known.first(key=bob.pk)
    assert user is not None
    assert other is not None
    with CaptureQueriesContext(connection) as asked:
        assert user.preferences.theme == "wood"
        assert not hasattr(other, "preferences")
    assert len(asked) == 0


def test_every_place_of_a_parameter_gets_its_value(alice: User, bob: User) -> None:
    User.objects.filter(pk=alice.pk).update(last_seen_at=AT)
    seen = Prepared(
        lambda since, until, key: User.objects.filter(
            last_seen_at__gte=since, last_seen_at__lt=until, pk__gte=key, pk__lte=key
        ).values_list("username", "last_seen_at"),
        since=datetime,
        until=datetime,
        key=int,
    )
    day = timedelta(days=1)
    assert seen.rows(since=AT, until=AT + day, key=alice.pk) == [("alice", AT)]
    assert seen.rows(since=AT, until=AT + day, key=bob.pk) == []
    assert seen.rows(since=AT - day, until=AT, key=alice.pk) == []


def test_plain_constants_are_in_the_statement_and_others_are_given_to_it(alice: User) -> None:
    tricky = "50%s 'off' %% \u0001 \"now\""
    Preferences.objects.create(user=alice, theme="wood")
    User.objects.filter(pk=alice.pk).update(email=tricky)
    found = Prepared(
        lambda key: (
            User.objects.filter(pk=key, preferences__theme="wood", email=tricky, is_active=True)
            .exclude(username="50% off")
            .values_list("username", Value(7), Value("a-word"), Value("100%"))
        ),
        key=int,
    )
    executed = []

    def note(execute: Any, sql: str, values: Any, *more: Any) -> Any:
        executed.append((sql, values))
        return execute(sql, values, *more)

    with connection.execute_wrapper(note):
        assert found.rows(key=alice.pk) == [("alice", 7, "a-word", "100%")]
    assert found.rows(key=0) == []
    ((sql, values),) = executed
    assert "'wood'" in sql
    assert {alice.pk, tricky, "50% off", "100%"} <= set(values)


def test_a_parameter_that_the_query_does_not_use_is_a_mistake() -> None:
    useless = Prepared(lambda name, **_unused: User.objects.filter(username=name), name=str, key=int)
    with pytest.raises(ValueError, match="key"):
        useless.rows(name="alice", key=1)


def test_a_query_for_keys_takes_any_number_of_them() -> None:
    people = [make_user(f"key-{number}") for number in range(5)]
    named = PreparedForKeys(
        lambda keys, prefix: User.objects.filter(pk__in=keys, username__gte=prefix).values_list("username"),
        prefix=str,
    )
    for count in range(6):
        found = named.rows([user.pk for user in people[:count]], prefix="key-1")
        assert sorted(found) == [(user.username,) for user in people[1:count]]


def test_a_prepared_update_changes_the_rows_of_its_values(alice: User, bob: User) -> None:
    see = PreparedUpdate(
        lambda key, now: (User.objects.filter(pk=key), {"last_seen_at": now}), key=int, now=datetime
    )
    assert see.run(key=alice.pk, now=AT) == 1
    assert see.run(key=0, now=AT) == 0
    assert User.objects.get(pk=alice.pk).last_seen_at == AT
    assert User.objects.get(pk=bob.pk).last_seen_at is None


def test_a_row_is_inserted_once(alice: User) -> None:
    wanted = {"user": alice, "kind": "turn", "channel": "mail", "timing": "never"}
    first, again = Choice(**wanted), Choice(**wanted | {"timing": "now"})
    unique = ("user", "kind", "channel")
    assert rows.insert_once(first, unique=unique)
    assert not rows.insert_once(again, unique=unique)
    assert Choice.objects.get() == first
    assert Choice.objects.get().timing == "never"
    with pytest.raises(IntegrityError):
        rows.insert(again)


def test_several_rows_are_inserted_by_one_statement() -> None:
    names = ("topic", "kind", "payload", "created_at")
    with CaptureQueriesContext(connection) as asked:
        rows.insert_all(Outbox, names, [(topic, "me", {"of": topic}, AT) for topic in "abc"])
        rows.insert_all(Outbox, names, [])
    assert len(asked) == 1
    stored = Outbox.objects.order_by("id").values_list("topic", "payload", "created_at")
    assert list(stored) == [(topic, {"of": topic}, AT) for topic in "abc"]


def test_a_row_that_is_not_as_it_was_read_is_left_alone() -> None:
    user, other = make_user("alice"), User.objects.get(username="alice")
    assert rows.update(user, expected=("username",), changes={"username": "anna", "last_seen_at": None})
    assert user.username == "anna"
    assert not rows.update(other, expected=("username",), changes={"username": "berta"})
    assert other.username == "alice"
    assert User.objects.get(pk=user.pk).username == "anna"


def test_a_prepared_query_makes_the_instances_of_the_orm(alice: User, bob: User) -> None:
    User.objects.filter(pk=alice.pk).update(last_seen_at=AT)
    Preferences.objects.create(user=alice, theme="wood")
    wanted = User.objects.select_related("preferences").defer("email").annotate(of=Value("a word"))
    known = Prepared(lambda prefix: wanted.filter(username__gte=prefix).order_by("username"), prefix=str)
    made, expected = known.rows(prefix="a"), list(wanted.order_by("username"))
    assert [vars(user).keys() for user in made] == [vars(user).keys() for user in expected]
    for user, same in zip(made, expected, strict=True):
        state, of_orm = vars(user).pop("_state"), vars(same).pop("_state")
        assert vars(user) == vars(same)
        assert (state.db, state.adding) == (of_orm.db, of_orm.adding)
        assert state.fields_cache.keys() == of_orm.fields_cache.keys()
        vars(user)["_state"] = state
    assert made[0].get_deferred_fields() == {"email"}
    assert made[0].preferences.user is made[0]
    with CaptureQueriesContext(connection) as asked:
        assert made[0].email == alice.email
    assert len(asked) == 1


def test_an_instance_of_a_prepared_query_is_heard_of_where_somebody_listens(alice: User) -> None:
    received: list[str] = []

    def receive(instance: User, **_more: Any) -> None:
        received.append(instance.username)

    post_init.connect(receive, sender=User)
    try:
        named = Prepared(lambda name: User.objects.filter(username=name), name=str)
        assert named.rows(name="alice") == [alice]
    finally:
        post_init.disconnect(receive, sender=User)
    assert received == ["alice"]


def test_a_row_is_saved_as_the_orm_saves_it(alice: User, bob: User) -> None:
    """Moments, truths and words of an enumeration too; and what mends its value still does."""
    late = AT.astimezone(timezone(timedelta(hours=5)))
    plain = Notice(user=alice, kind=Kind.TURN, key="a", subject="x", link="/", on_site=True, created_at=late)
    rows.insert(plain)
    Notice.objects.create(
        user=alice, kind=Kind.TURN, key="b", subject="x", link="/", on_site=True, created_at=late
    )
    assert rows.update(plain, expected=("key", "created_at"), changes={"read_at": late, "actor": bob})
    Notice.objects.filter(key="b").update(read_at=late, actor=bob)
    one, other = Notice.objects.order_by("key").values("kind", "on_site", "created_at", "read_at", "actor_id")
    assert one == other
    assert one["created_at"] == AT
    rows.insert(Notice(user=alice, kind=Kind.TURN, key="c", subject="A\u202e cup", link="/", created_at=AT))
    assert Notice.objects.get(key="c").subject == "A cup"


def test_literals_are_plain_words_in_the_query_itself(alice: User) -> None:
    rows = User.objects.filter(username__in=literals(["alice", "bob"]))
    sql, parameters = rows.query.sql_with_params()
    assert ("IN ('alice', 'bob')" in sql, parameters, list(rows)) == (True, (), [alice])
    with pytest.raises(ValueError, match="plain word"):
        literals(["it's"])
