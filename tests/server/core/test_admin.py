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


@pytest.mark.parametrize("sent", ["no number", "1.5", "-1", "9" * 30])
@pytest.mark.parametrize("model", ["social/mute", "social/ban", "analysis/allowance"])
def test_what_is_no_player_is_refused_by_the_form_in_words(client: Client, model: str, sent: str) -> None:
    client.force_login(make_user("hostess", is_staff=True, is_superuser=True))
    answer = client.post(f"/staff/{model}/add/", {"user": sent, "reason": "So it is."})
    assert answer.status_code == 200
    assert "Select a valid choice." in answer.content.decode()
    assert client.get(f"/staff/{model}/add/", {"user": "no number"}).status_code == 200


def test_a_key_longer_than_any_is_that_of_no_row(client: Client) -> None:
    """Not every database can look for it."""
    client.force_login(make_user("hostess", is_staff=True, is_superuser=True))
    sent, quoted = "9" * 20, "9" * 10 + "_39" * 10
    for model, page in admin.site._registry.items():  # noqa: SLF001
        path = f"/staff/{model._meta.app_label}/{model._meta.model_name}/"
        names = [one.name for one in model._meta.concrete_fields if one.is_relation or one.primary_key]
        links = [f"{path}{key}/{part}/" for part in ("change", "delete", "history") for key in (sent, quoted)]
        links += [f"{path}?{name}={sent}" for name in names]
        links += [f"{path}?{name}__in=1,{sent}" for name in names]
        for link in links:
            assert client.get(link).status_code in {400, 404}, (page, link)
        chosen = {"action": "delete_selected", "_selected_action": ["1", sent]}
        assert client.post(path, chosen).status_code in {403, 404}, page
        assert client.get(path, {"q": sent}).status_code in {200, 302}, page


def test_a_player_found_by_typing_is_chosen_by_a_key() -> None:
    ours = [one for one in admin.site._registry.values() if one.autocomplete_fields]  # noqa: SLF001
    assert ours
    assert all(isinstance(one, bounded.ByServiceAdmin) for one in ours)
