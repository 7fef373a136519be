"""Repeated work of this app."""

from __future__ import annotations

from datetime import datetime, timedelta

from crownhead.server.accounts.addresses import services as address_services
from crownhead.server.accounts.contacts import services as contact_services
from crownhead.server.accounts.guests import services as guest_services
from crownhead.server.accounts.security import sessions
from crownhead.server.accounts.services import budgets, closing
from crownhead.server.accounts.tokens import services as token_services
from crownhead.server.core.jobs import repeat


@repeat("names given up", timedelta(hours=6), lasts=True)
def free_names(now: datetime) -> None:
    """Free former names whose time is over."""
    closing.free_names(now=now)


@repeat("sessions that ended", timedelta(hours=6), lasts=True)
def forget_sessions(now: datetime) -> None:
    """Delete sessions that have ended."""
    sessions.delete_ended(now=now)


@repeat("tokens that expired", timedelta(hours=6), lasts=True)
def forget_tokens(now: datetime) -> None:
    """Delete tokens that expired a while ago."""
    token_services.forget_expired(now=now)


@repeat("contacts of closed accounts", timedelta(hours=6), lasts=True)
def forget_contacts(now: datetime) -> None:
    """Delete contacts that came beside the closing of an account."""
    contact_services.forget_closed(now=now)


@repeat("changes of address", timedelta(hours=6), lasts=True)
def forget_changes(now: datetime) -> None:
    """Delete changes of address that can't be undone any more."""
    address_services.forget_old(now=now)


@repeat("budgets whose time is over", timedelta(hours=6), lasts=True)
def forget_budgets(now: datetime) -> None:
    """Delete counts of limits whose time is over."""
    budgets.forget_over(now=now)


@repeat("guests who are gone", timedelta(hours=1), lasts=True)
def close_guests(now: datetime) -> None:
    """End the games of guests who have not been here for long, and the guests with them."""
    guest_services.close_idle(now=now)
