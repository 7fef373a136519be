"""What the host sees of letters and push messages that could not leave."""

from __future__ import annotations

import pytest
from django.test import Client

from crownhead.server.accounts.models import User
from crownhead.server.notices.kinds import Channel, Kind, Timing
from crownhead.server.notices.models import Delivery
from tests.server.notices.factories import MINUTE, letters, make_notice, set_timing
from tests.server.play.factories import NOW

pytestmark = pytest.mark.django_db

PAGE = "/staff/notices/delivery/"


@pytest.fixture
def staff_client(django_user_model: type[User]) -> Client:
    """A browser of somebody who may do all."""
    host = django_user_model.objects.create_superuser("dora", "dora@club.example", "a long passphrase")
    client = Client()
    client.force_login(host)
    return client


def test_what_could_not_leave_is_listed_with_its_trouble_and_can_be_tried_again(
    staff_client: Client, alice: User
) -> None:
    set_timing(alice, Kind.TROPHY, Channel.MAIL, Timing.NOW)
    make_notice(alice, "The hall is heated")
    row = Delivery.objects.get()
    Delivery.objects.update(state="failed", trouble="554 looks like spam", tries=7, done_at=NOW)
    page = staff_client.get(f"{PAGE}?state__exact=failed").content.decode()
    assert "554 looks like spam" in page
    staff_client.post(PAGE, {"action": "try_again", "_selected_action": [row.pk]})
    assert letters(NOW + MINUTE) == ["alice: [Crownhead] The hall is heated"]


def test_nobody_writes_or_deletes_there(staff_client: Client, alice: User) -> None:
    set_timing(alice, Kind.TROPHY, Channel.MAIL, Timing.NOW)
    make_notice(alice, "The hall is heated")
    row = Delivery.objects.get()
    assert staff_client.get(f"{PAGE}add/").status_code == 403
    assert staff_client.post(f"{PAGE}{row.pk}/delete/", {"post": "yes"}).status_code == 403
    assert Delivery.objects.filter(pk=row.pk).exists()
