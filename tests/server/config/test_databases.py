"""Which database a URL names, and what is said of one that names none."""

from __future__ import annotations

from pathlib import Path

import pytest

from crownhead.server.config.databases import Timeouts, database, page_threads
from crownhead.server.core.hosting.options import BadOption


def test_without_a_url_the_rows_are_in_the_data_folder() -> None:
    found = database("", Path("/club"))
    assert found["ENGINE"] == "crownhead.server.config.sqlite3"
    assert found["NAME"] == Path("/club/db.sqlite3")
    assert page_threads(found["ENGINE"]) == 1


@pytest.mark.parametrize("scheme", ["postgres", "postgresql"])
def test_a_url_names_a_postgresql(scheme: str) -> None:
    found = database(f"{scheme}://ada:se%40cret@db.example:5433/club?sslmode=require", Path("/club"))
    assert found["ENGINE"] == "crownhead.server.config.postgresql"
    assert (found["USER"], found["PASSWORD"], found["HOST"]) == ("ada", "se@cret", "db.example")
    assert (found["PORT"], found["NAME"]) == (5433, "club")
    assert found["OPTIONS"]["sslmode"] == "require"
    assert found["OPTIONS"]["pool"]["max_size"] > page_threads(found["ENGINE"]) > 1


def test_of_several_hosts_the_one_that_can_be_written_to_is_meant() -> None:
    found = database("postgres://ada@a.example:5433,b.example/club", Path("/club"))
    assert (found["HOST"], found["PORT"]) == ("a.example,b.example", "5433,5432")
    assert found["OPTIONS"]["target_session_attrs"] == "read-write"
    assert found["OPTIONS"]["pool"]["timeout"] == 2 * Timeouts().connect


def test_a_url_may_choose_another_of_several_hosts() -> None:
    found = database("postgres://ada@a,b/club?target_session_attrs=any", Path("/club"))
    assert found["OPTIONS"]["target_session_attrs"] == "any"


def test_neither_side_waits_for_ever() -> None:
    options = database("postgres://ada@a/club", Path("/club"), timeouts=Timeouts(silence=12, statement=7))[
        "OPTIONS"
    ]
    assert (options["connect_timeout"], options["tcp_user_timeout"]) == (5, 12_000)
    probes = options["keepalives_idle"] + options["keepalives_interval"] * options["keepalives_count"]
    assert probes == 12
    assert "-c statement_timeout=7000" in options["options"]
    assert "-c tcp_keepalives_idle=6" in options["options"]


def test_a_pooler_is_asked_for_nothing_that_it_cannot_keep() -> None:
    found = database("postgres://ada@a/club", Path("/club"), is_pooler=True)
    assert "options" not in found["OPTIONS"]
    assert found["DISABLE_SERVER_SIDE_CURSORS"]


def test_nothing_is_written_to_a_replica_and_any_of_several_will_do() -> None:
    options = database("postgres://ada@a,b/club", Path("/club"), is_replica=True)["OPTIONS"]
    assert "-c default_transaction_read_only=on" in options["options"]
    assert options["target_session_attrs"] == "any"


@pytest.mark.parametrize(
    "url",
    [
        "club",
        "mysql://a:secret@b/c",
        "postgres://a:secret@b",
        "postgres://a:secret@b:port/c",
        "postgres://a:secret@b,c:port/d",
    ],
)
def test_another_url_is_refused_in_a_sentence_that_repeats_no_password(url: str) -> None:
    with pytest.raises(BadOption, match="postgres://name:password@host") as refusal:
        database(url, Path("/club"))
    assert "secret" not in str(refusal.value)
