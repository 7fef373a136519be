"""What is done while others wait: on SQLite all who write, elsewhere those who want the same row."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection


def noted_calls(monkeypatch: pytest.MonkeyPatch, of: object, name: str) -> list[bool]:
    """Of each call of a function, whether it comes within a transaction other than that of the test."""
    original, outside, calls = getattr(of, name), len(connection.savepoint_ids), []

    def noted(*args: Any, **named: Any) -> Any:
        calls.append(len(connection.savepoint_ids) > outside)
        return original(*args, **named)

    monkeypatch.setattr(of, name, noted)
    return calls
