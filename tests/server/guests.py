"""Guests who play, for tests: their browsers, and the rows behind them."""

from __future__ import annotations

from django.conf import settings
from django.test import Client

from crownhead.server.accounts.guests.access import SESSION_KEY
from crownhead.server.accounts.guests.services import begin
from crownhead.server.accounts.models import User
from crownhead.server.core import clock

LINK = {
    "terms": "1",
    "do": "link",
    "variant": "american",
    "colour": "first",
    "pace": "days",
    "days_per_move": "3",
}
"""The form of a new game as a visitor sends it."""


def make_guest() -> User:
    """A guest who has just begun to play."""
    return begin(now=clock.now())


def browser_of(guest: User) -> Client:
    """The browser in which a guest plays."""
    client = Client(raise_request_exception=False)
    session = client.session
    session[SESSION_KEY] = guest.pk
    session.save()
    client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key or ""
    return client


def guest_in(client: Client) -> User | None:
    """Who plays in a browser without an account."""
    return User.objects.filter(pk=int(client.session.get(SESSION_KEY, 0)), is_guest=True).first()
