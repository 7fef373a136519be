"""Lists of the back office in a club of millions."""

from __future__ import annotations

import pytest
from django.contrib import admin
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from crownhead.server.config import staff
from crownhead.server.core import admin as bounded
from tests.server.conftest import make_user

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("model", ["accounts/user", "play/game"])
def test_a_list_counts_no_more_rows_than_it_shows(
    model: str, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded, "MAX_LISTED", 2)
    for number in range(4):
        make_user(f"player{number}")
    client.force_login(make_user("hostess", is_staff=True, is_superuser=True))
    with CaptureQueriesContext(
        connection,
    ) as queries:
        page = client.get(f"/staff/{model}/")
    assert page.status_code == 200
    counts = [query["sql"] for query in queries.captured_queries if "COUNT(" in query["sql"]]
    assert counts
    assert all("LIMIT 2" in count for count in counts)


def test_every_list_of_ours_is_bounded() -> None:
    assert staff.urlpatterns, "which finds the lists of all apps"
    ours = [one for one in admin.site._registry.values() if type(one).__module__.startswith("crownhead")]  # noqa: SLF001
    few = {"NewsAdmin", "MuteAdmin", "BanAdmin", "LadderAdmin", "AllowanceAdmin"}
    assert ours
    assert {type(one).__name__ for one in ours if not isinstance(one, bounded.BoundedAdmin)} == few
