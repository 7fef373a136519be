"""Migrations that build and drop indexes hold their table on PostgreSQL, where writers are many."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from crownhead.server.core.queries.migrating import hold_table

HELD = ['LOCK TABLE "play_game" IN ACCESS EXCLUSIVE MODE']


@pytest.mark.parametrize(("vendor", "executed"), [("postgresql", HELD), ("sqlite", [])])
def test_a_table_is_held_where_rows_are_held_one_by_one(vendor: str, executed: list[str]) -> None:
    seen: list[str] = []
    editor = SimpleNamespace(
        connection=SimpleNamespace(vendor=vendor), quote_name=lambda name: f'"{name}"', execute=seen.append
    )
    hold_table("play_game").code(None, editor)  # type: ignore[arg-type]
    assert seen == executed
