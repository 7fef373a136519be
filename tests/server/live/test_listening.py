"""The connection that listens for events."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from crownhead.server.config.databases import database
from crownhead.server.core.queries import direct
from crownhead.server.core.queries.direct import direct_connection


def test_it_is_not_of_the_pool_and_leaves_the_pool_to_the_others(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    described = database("postgres://ada@a/club", tmp_path)
    monkeypatch.setattr(direct, "connection", SimpleNamespace(settings_dict=described))
    listening = direct_connection()
    assert "pool" not in listening.settings_dict["OPTIONS"]
    assert listening.settings_dict["OPTIONS"]["tcp_user_timeout"]
    assert "pool" in described["OPTIONS"]


def test_it_goes_past_a_pooler(settings: Any, tmp_path: Any) -> None:
    settings.DATABASE_DIRECT = database("postgres://ada@behind/club", tmp_path)
    assert direct_connection().settings_dict["HOST"] == "behind"
