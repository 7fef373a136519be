"""Which database a URL names, and what is said of one that names none."""

from __future__ import annotations

from pathlib import Path

import pytest

from crownhead.server.config.databases import database, page_threads
from crownhead.server.core.options import BadOption


def test_without_a_url_the_rows_are_in_the_data_folder() -> None:
    found = database("", Path("/club"))
    assert found["ENGINE"] == "django.db.backends.sqlite3"
    assert found["NAME"] == Path("/club/db.sqlite3")
    assert page_threads(found["ENGINE"]) == 1


@pytest.mark.parametrize("scheme", ["postgres", "postgresql"])
def test_a_url_names_a_postgresql(scheme: str) -> None:
    found = database(f"{scheme}://ada:se%40cret@db.example:5433/club?sslmode=require", Path("/club"))
    assert found["ENGINE"] == "django.db.backends.postgresql"
    assert (found["USER"], found["PASSWORD"], found["HOST"]) == ("ada", "se@cret", "db.example")
    assert (found["PORT"], found["NAME"]) == (5433, "club")
    assert found["OPTIONS"]["sslmode"] == "require"
    assert found["OPTIONS"]["pool"]["max_size"] > page_threads(found["ENGINE"]) > 1


@pytest.mark.parametrize(
    "url", ["club", "mysql://a:secret@b/c", "postgres://a:secret@b", "postgres://a:secret@b:port/c"]
)
def test_another_url_is_refused_in_a_sentence_that_repeats_no_password(url: str) -> None:
    with pytest.raises(BadOption, match="postgres://name:password@host") as refusal:
        database(url, Path("/club"))
    assert "secret" not in str(refusal.value)
