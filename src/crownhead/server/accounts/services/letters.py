"""Letters about accounts: asked for by a page, written by the worker that sends them.

A page only notes what a letter is about: that template, these values, in this language. Putting it into words
takes longer than many pages, so where a worker sends the mail it also writes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import make_msgid
from typing import Any
from zoneinfo import ZoneInfo

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.utils import DNS_NAME
from django.utils import timezone, translation

from crownhead.server.accounts.models import User
from crownhead.server.accounts.selectors import language_of, preferences_of, zone_of

Note = Mapping[str, Any]
"""What a letter is about, as JSON."""

_PLAIN = str | int | float | bool | None
_USER, _MOMENT = "user of the club", "moment"


def send(*, template: str, to: str, context: Mapping[str, Any]) -> None:
    """Have a letter sent: later, by a worker, if there is one for mail; else now. Raises ``OSError``.

    ``template``: the beginning of the names of its templates. Of the context it gets what is plain: texts,
    numbers, moments, and users, who are looked up again. It is in the language and the time zone that the
    ``user`` it is about has chosen, or else in those of the page.
    """
    user = context.get("user")
    language = preferences_of(user).language if isinstance(user, User) else ""
    zone = zone_of(user) if isinstance(user, User) else None
    facts = {name: _noted(value) for name, value in context.items()}
    note = {
        "template": template,
        "to": to,
        "context": {name: value for name, value in facts.items() if value is not NotImplemented},
        "language": language or translation.get_language() or settings.LANGUAGE_CODE,
        "zone": timezone.get_current_timezone_name() if zone is None else zone.key,
        "id": make_msgid(domain=str(DNS_NAME)),  # the same whenever it is written
    }
    store: Callable[[Note], None] | None = getattr(get_connection(), "store_note", None)
    if store is None:
        written(note).send()
    else:
        store(note)


@contextmanager
def in_words_for(user: User | None) -> Iterator[None]:
    """Write to a user in their language and time zone, not those of who is at work; None: in the club's."""
    language = settings.LANGUAGE_CODE if user is None else language_of(user)
    zone = None if user is None else zone_of(user)
    with translation.override(language), timezone.override(zone or UTC):
        yield


def written(note: Note) -> EmailMessage:
    """Write a letter."""
    context = {name: _read(value) for name, value in note["context"].items()}
    with translation.override(note["language"]), timezone.override(ZoneInfo(note["zone"])):
        letter: EmailMessage = get_adapter().render_mail(
            note["template"], note["to"], context, headers={"Message-ID": note["id"]}
        )
    return letter


def _noted(value: Any) -> Any:
    """The value as JSON; ``NotImplemented`` for what cannot be noted, such as the request."""
    if isinstance(value, User):
        return {_USER: value.pk}
    if isinstance(value, datetime):
        return {_MOMENT: value.isoformat()}
    return value if isinstance(value, _PLAIN) else NotImplemented


def _read(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    if _USER in value:
        return User.objects.get(pk=value[_USER])
    return datetime.fromisoformat(value[_MOMENT])
