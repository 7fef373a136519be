"""Notify users in their own language and time zone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.notices.kinds import Kind
from crownhead.server.notices.models import Notice
from crownhead.server.notices.selectors import recipients
from crownhead.server.notices.selectors.recipients import Person
from crownhead.server.notices.services.notify import notify


@dataclass(frozen=True, slots=True)
class NotificationText:
    """A line for lists and subjects, and a text with more detail."""

    subject: str
    text: str = ""


Compose = Callable[[Person], NotificationText]  # called with the person's language in force


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A notification before its text is known; see ``notify`` for the fields."""

    kind: Kind
    key: str
    link: str
    about: str = ""
    actor_id: int | None = None
    also: Kind | None = None
    gathered: bool = False
    usual: bool = False


def notify_user(user: User | None, draft: Draft, compose: Compose) -> Notice | None:
    """Notify one user, unless they are gone."""
    if user is None or not user.is_active:
        return None
    person = recipients.person(user)
    with person.localized():
        text = compose(person)
    return notify(
        user_id=user.pk,
        kind=draft.kind,
        key=draft.key,
        subject=text.subject,
        text=text.text,
        link=draft.link,
        about=draft.about,
        actor_id=draft.actor_id,
        also=draft.also,
        gathered=draft.gathered,
        usual=draft.usual,
        now=clock.now(),
    )


def notify_users(user_ids: Iterable[int], draft: Draft, compose: Compose) -> None:
    """Notify several users, each once."""
    for user in accounts.players(user_ids).values():
        notify_user(user, draft, compose)
