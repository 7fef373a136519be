"""A second decision about a player: what keeps them out already never ends earlier by it."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core import mail
from django.test import Client

from crownhead.server.accounts.models import User
from crownhead.server.social.models import Ban, ModeratorAction, Mute, Report
from crownhead.server.social.services import bans, moderation, reports
from tests.server.social.conftest import NOW

pytestmark = pytest.mark.django_db

WEEK, MONTH = NOW + timedelta(days=7), NOW + timedelta(days=30)
KEPT_OUT: dict[str, tuple[Any, Any]] = {"muted": (Mute, moderation.mute), "banned": (Ban, bans.ban)}
both = pytest.mark.parametrize("decision", ["muted", "banned"])


@pytest.fixture
def row(alice: User, bob: User) -> Report:
    """What Alice reports of Bob."""
    return reports.report(user=alice, kind="player", key="bob", reason="It is rude.", now=NOW)


@both
@pytest.mark.parametrize(
    ("held", "until", "then"),
    [(None, WEEK, None), (MONTH, WEEK, MONTH), (WEEK, MONTH, MONTH), (WEEK, None, None), (None, None, None)],
)
def test_the_later_end_stays(
    bob: User,
    host: User,
    row: Report,
    decision: str,
    held: datetime | None,
    until: datetime | None,
    then: datetime | None,
) -> None:
    rows, keep_out = KEPT_OUT[decision]
    keep_out(staff=host, user=bob, until=held, reason="Pills.", now=NOW)
    moderation.decide(
        staff=host, report_id=row.public_id, decision=decision, note="", words="Rude.", until=until, now=NOW
    )
    kept = rows.objects.get()
    assert (kept.until, kept.reason) == (then, "Rude.")
    logged = ModeratorAction.objects.filter(verb=decision).order_by("-pk")[0]
    assert logged.words == ("…: Rude." if then is None else f"{then:%Y-%m-%d %H:%M} UTC: Rude.")


def test_the_letter_names_the_end_that_holds(bob: User, host: User, row: Report) -> None:
    bans.ban(staff=host, user=bob, until=MONTH, reason="Pills.", now=NOW)
    mail.outbox.clear()
    moderation.decide(
        staff=host, report_id=row.public_id, decision="banned", note="", words="Rude.", until=WEEK, now=NOW
    )
    (letter,) = [one for one in mail.outbox if one.to == ["bob@club.example"]]
    assert "until 1 April 2026, 12:00 UTC" in letter.body


def test_the_page_of_a_report_says_what_holds_already(
    client: Client, bob: User, host: User, row: Report
) -> None:
    client.force_login(host)
    address = f"/staff/social/report/{row.pk}/change/"
    assert "no decision here ends that earlier" not in client.get(address).content.decode()
    moderation.mute(staff=host, user=bob, until=None, reason="Pills.", now=NOW)
    said = "Muted until it is lifted; no decision here ends that earlier."
    assert said in client.get(address).content.decode()
    bans.ban(staff=host, user=bob, until=WEEK, reason="Pills.", now=NOW)
    said = "Muted until it is lifted and suspended until 9 March 2026, 12:00 UTC; no decision here ends"
    assert said in client.get(address).content.decode()
    moderation.unmute(staff=host, user=bob, now=NOW)
    said = "Suspended until 9 March 2026, 12:00 UTC; no decision here ends that earlier."
    assert said in client.get(address).content.decode()


def test_the_form_of_a_report_shortens_nothing(client: Client, bob: User, host: User, row: Report) -> None:
    moderation.mute(staff=host, user=bob, until=None, reason="Pills.", now=NOW)
    client.force_login(host)
    form = {"verdict": "muted", "muted_for": "7", "reply": "", "words": "Rude."}
    client.post(f"/staff/social/report/{row.pk}/change/", form)
    row.refresh_from_db()
    assert (row.decision, Mute.objects.get().until) == ("muted", None)


@both
def test_its_own_page_may_end_it_earlier_but_not_an_older_one(
    client: Client, bob: User, host: User, decision: str
) -> None:
    rows, keep_out = KEPT_OUT[decision]
    keep_out(staff=host, user=bob, until=MONTH, reason="Pills.", now=NOW)
    client.force_login(host)
    address = f"/staff/social/{rows._meta.model_name}/{bob.pk}/change/"
    form = {"until_0": f"{WEEK:%Y-%m-%d}", "until_1": f"{WEEK:%H:%M:%S}", "reason": "Pills."}
    shown = re.search(r'name="as_shown" value="(\w+)"', client.get(address).content.decode())
    keep_out(staff=host, user=bob, until=None, reason="Many pills.", now=NOW)

    older = client.post(address, form | {"as_shown": shown[1] if shown else ""})

    assert "This has changed since you opened this page." in older.content.decode()
    assert rows.objects.get().until is None
    shown = re.search(r'name="as_shown" value="(\w+)"', client.get(address).content.decode())
    assert shown
    assert client.post(address, form | {"as_shown": shown[1]}).status_code == 302
    assert rows.objects.get().until == WEEK
