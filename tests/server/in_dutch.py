"""What a site says to people who read Dutch; run in a copy of the tree in which the recipe was followed."""

from __future__ import annotations

from datetime import date

import pytest
from django.core import mail
from django.test import Client
from django.utils.formats import date_format
from django.utils.translation import override

from crownhead.server.accounts.models import User
from crownhead.server.accounts.preferences.services import set_preferences
from crownhead.server.notices import jobs
from tests.server.notices.factories import HOUR, make_notice
from tests.server.play.factories import NOW

pytestmark = pytest.mark.django_db


def shown(path: str, user: User | None = None, language: str = "nl") -> str:
    """A page, for a browser that asks for a language."""
    client = Client(headers={"accept-language": language})
    if user:
        client.force_login(user)
    return client.get(path).content.decode()


def test_the_rules_are_in_dutch() -> None:
    page = shown("/rules/russian/")
    assert '<html lang="nl"' in page
    assert "<h1>Russisch dammen</h1>" in page
    assert "De beginstand" in page
    assert "Russisch dammen, sjasjki," in page


def test_what_is_not_translated_is_in_english() -> None:
    assert "<h1>Frisian draughts</h1>" in shown("/rules/frisian/")


def test_other_browsers_get_english() -> None:
    assert "Starting position" in shown("/rules/russian/", language="de")


def test_the_help_is_in_dutch() -> None:
    assert "<h1>Je eerste partij</h1>" in shown("/help/first-game/")


def test_it_can_be_chosen_in_the_preferences(alice: User) -> None:
    assert 'value="nl" lang="nl">Nederlands</option>' in shown("/preferences/", alice, language="en")
    set_preferences(user=alice, changes={"language": "nl"})
    assert "<h1>Voorkeuren</h1>" in shown("/preferences/", User.objects.get(pk=alice.pk), language="en")


def test_mails_are_in_the_language_that_somebody_chose(alice: User) -> None:
    set_preferences(user=alice, changes={"language": "nl"})
    make_notice(alice, "…")
    jobs.send_mail(NOW + 48 * HOUR)
    (letter,) = mail.outbox
    assert "Je krijgt deze e-mail omdat je alice bent in deze club." in letter.body


def test_dates_are_written_as_the_folder_says() -> None:
    with override("nl"):
        assert date_format(date(2026, 3, 4), "SHORT_DATE_FORMAT") == "4 Mrt 2026"
