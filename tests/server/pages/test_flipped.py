"""The side at the bottom of a game's board is that which the viewer chose, and can be turned all the same."""

from __future__ import annotations

import pytest
from django.test import Client

from crownhead.server.accounts.models import User
from crownhead.server.accounts.preferences.services import set_preferences
from crownhead.server.core import clock
from tests.server.play.factories import NOW, make_game

pytestmark = pytest.mark.django_db

RED, WHITE = "Red at the bottom", "White at the bottom"


def seen(user: User | None, path: str) -> str:
    """A page's HTML."""
    client = Client()
    if user is not None:
        client.force_login(user)
    with clock.stopped(NOW):
        return client.get(path).content.decode()


@pytest.mark.parametrize(
    ("wanted", "alice_sees", "bob_sees"),
    [("mine", RED, WHITE), ("first", RED, RED), ("second", WHITE, WHITE)],
)
def test_boards_are_turned_as_their_viewer_likes(
    alice: User, bob: User, wanted: str, alice_sees: str, bob_sees: str
) -> None:
    path = f"/games/{make_game(alice, bob).public_id}/"
    for user, side in ((alice, alice_sees), (bob, bob_sees)):
        set_preferences(user=user, changes={"turned": wanted})
        page = seen(user, path)
        assert side in page
        assert side not in seen(user, f"{path}?flip=1")


def test_a_guest_sees_the_side_that_moves_first_below(alice: User, bob: User) -> None:
    assert RED in seen(None, f"/games/{make_game(alice, bob).public_id}/")
