"""The log of the back office says whom it is about by keys: it stays when a name is erased."""

from __future__ import annotations

import importlib

import pytest
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.test import Client

from crownhead.server.accounts.models import User
from crownhead.server.play.models import Game
from crownhead.server.social.models import Ban, Mute, Report
from crownhead.server.social.services import reports
from tests.server.play.factories import make_game
from tests.server.social.conftest import NOW

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("kind", ["mute", "ban"])
def test_who_was_kept_out_is_not_named(client: Client, host: User, bob: User, kind: str) -> None:
    client.force_login(host)
    form = {"user": bob.pk, "reason": "pills", "until_0": "", "until_1": ""}
    client.post(f"/staff/social/{kind}/add/", form)
    shown = client.get(f"/staff/social/{kind}/{bob.pk}/change/").context["adminform"].form
    client.post(
        f"/staff/social/{kind}/{bob.pk}/change/",
        form | {"reason": "Pills.", "as_shown": shown.initial["as_shown"]},
    )
    client.post(f"/staff/social/{kind}/{bob.pk}/delete/", {"post": "yes"})
    client.post(f"/staff/social/{kind}/add/", form)
    picked = {"action": "delete_selected", "_selected_action": [bob.pk], "post": "yes"}
    client.post(f"/staff/social/{kind}/", picked)
    rows = LogEntry.objects.order_by("pk")
    assert list(rows.values_list("action_flag", flat=True)) == [1, 2, 3, 1, 3]
    assert {row.object_repr for row in rows} == {f"#{bob.pk}"}
    assert not any("bob" in row.change_message for row in rows)


def test_who_was_reported_is_not_named(client: Client, host: User, alice: User, bob: User) -> None:
    client.force_login(host)
    row = reports.report(user=alice, kind="player", key="bob", reason="Rude.", now=NOW)
    form = {"verdict": "warned", "muted_for": "30", "reply": "", "words": "Once more and you go."}
    client.post(f"/staff/social/report/{row.pk}/change/", form)
    assert LogEntry.objects.get().object_repr == f"#{row.pk}"


def test_the_log_until_now_loses_the_names_of_players(host: User, alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    for model, key in ((Ban, bob.pk), (Mute, bob.pk), (Report, 7), (Game, game.pk)):
        LogEntry.objects.create(
            user=host,
            content_type=ContentType.objects.get_for_model(model),
            object_id=str(key),
            object_repr="bob …",
            action_flag=CHANGE,
        )
    migration = importlib.import_module("crownhead.server.social.migrations.0011_log_by_keys")
    migration.name_by_keys(apps, connection.schema_editor())
    logged = LogEntry.objects.order_by("pk").values_list("object_repr", flat=True)
    assert list(logged) == [f"#{bob.pk}", f"#{bob.pk}", "#7", "bob …"]
