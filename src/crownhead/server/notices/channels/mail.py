"""Notices by e-mail: one letter for all that is due to a person, with pictures of the boards."""

from __future__ import annotations

import smtplib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.mime.image import MIMEImage

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.core.mail.backends.base import BaseEmailBackend
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.selectors import User
from crownhead.server.core.mail import FileBackend, blocking_connection
from crownhead.server.notices.channels.addresses import address_of, mail_domain, site
from crownhead.server.notices.channels.delivery import NotNow, Parcel, Refused, Send
from crownhead.server.notices.kinds import Kind
from crownhead.server.notices.models import Notice, Reader
from crownhead.server.notices.presenters import pictures
from crownhead.server.notices.presenters.games import PREFIX
from crownhead.server.notices.services.unsubscribe import link_to_stop

MOST_THINGS = 20
MOST_PICTURES = 4


@dataclass(slots=True)
class Thing:
    """What is told of one thing: the latest in full, and what came before it in a line each."""

    latest: Notice
    before: list[str] = field(default_factory=list)
    picture: bytes | None = None

    @property
    def address(self) -> str:
        """Where it stands."""
        return address_of(self.latest.link)

    @property
    def action(self) -> str:
        """What the button says that leads there."""
        return _("Open the game") if self.latest.about.startswith(PREFIX) else _("Open")

    @property
    def cid(self) -> str:
        """The name of the picture within the letter."""
        return f"{self.latest.public_id}@{mail_domain()}"


class Letter(EmailMultiAlternatives):
    """Text and HTML, with pictures that belong to the HTML."""

    mixed_subtype = "related"


@contextmanager
def office() -> Iterator[Send]:
    """A way to send letters, one after another over one connection."""
    way = blocking_connection()

    def send_by_it(parcel: Parcel) -> None:
        if isinstance(way, FileBackend):  # a file for each letter
            with blocking_connection() as file:
                send(parcel, file)
        else:
            send(parcel, way)

    try:
        yield send_by_it
    finally:
        way.close()


def send(parcel: Parcel, way: BaseEmailBackend) -> None:
    """Send one letter; raises ``Refused`` or ``NotNow``."""
    user = parcel.person.user
    _check_address(user)
    with parcel.person.in_his_words():
        letter = compose(parcel)
    letter.connection = way
    try:
        way.open()
        letter.send()
    except smtplib.SMTPRecipientsRefused as error:
        code, why = next(iter(error.recipients.values()))
        if code < 500:
            raise NotNow(f"{code} {_words(why)}") from error
        _note_refusal(user, f"{code} {_words(why)}", parcel)
    except smtplib.SMTPDataError as error:  # this letter alone
        if error.smtp_code < 500:
            raise NotNow(f"{error.smtp_code} {_words(error.smtp_error)}") from error
        raise Refused(f"{error.smtp_code} {_words(error.smtp_error)}") from error
    except (smtplib.SMTPException, OSError) as error:
        way.close()
        raise NotNow(f"{type(error).__name__}: {error}", everybody=True) from error


def compose(parcel: Parcel) -> EmailMultiAlternatives:
    """The letter, in the language that is in force."""
    user = parcel.person.user
    things = things_of(parcel.notices)
    for thing in things[:MOST_PICTURES]:
        thing.picture = pictures.picture(thing.latest, user)
    context = {
        "things": things[:MOST_THINGS],
        "more": max(len(things) - MOST_THINGS, 0),
        "title": title(things, daily=parcel.daily),
        "several": len(things) > 1,
        "club_name": settings.CLUB_NAME,
        "user": user,
        "site": site(),
        "all_notices": address_of("/notices/"),
        "choices": address_of("/notices/preferences/"),
        "stops": [(kind.label, link_to_stop(user=user, kinds=[kind])) for kind in parcel.kinds],
    }
    letter = Letter(
        subject=f"[{settings.CLUB_NAME}] {context['title']}",
        body=render_to_string("notices/mail/letter.txt", context),
        to=[user.email],
        headers=_headers(user, things, parcel.kinds),
    )
    letter.attach_alternative(render_to_string("notices/mail/letter.html", context), "text/html")
    for thing in things:
        if thing.picture is not None:
            letter.attach(_inline(thing.picture, thing.cid))
    return letter


def things_of(notices: Sequence[Notice]) -> list[Thing]:
    """Notices, oldest first, gathered by what they are about; the latest thing first."""
    found: dict[str, Thing] = {}
    for notice in notices:
        name = notice.about or notice.public_id
        earlier = found.pop(name, None)
        before = [] if earlier is None else [*earlier.before, earlier.latest.subject]
        lines = [line for line in dict.fromkeys(before) if line != notice.subject]
        found[name] = Thing(notice, lines)
    return list(reversed(found.values()))


def title(things: Sequence[Thing], *, daily: bool) -> str:
    """What the letter is about, in a line."""
    count = len(things)
    if count == 1:
        return things[0].latest.subject
    if daily:
        words = ngettext("Your day: %(count)s notification", "Your day: %(count)s notifications", count)
    elif all(thing.latest.kind == Kind.TURN for thing in things):
        words = ngettext("It is your turn in %(count)s game", "It is your turn in %(count)s games", count)
    else:
        words = ngettext("%(count)s new notification", "%(count)s new notifications", count)
    return words % {"count": count}


def _check_address(user: User) -> None:
    if not user.email:
        raise Refused("there is no address")
    if settings.CONFIRM_EMAIL and not accounts.email_is_confirmed(user):
        raise Refused("the address is not confirmed")
    if Reader.objects.filter(user=user, refused_address=user.email).exists():
        raise Refused("the address was refused before")


def _note_refusal(user: User, why: str, parcel: Parcel) -> None:
    """Nothing more goes to this address until he changes it, or says that it is right."""
    refusal = {"refused_address": user.email, "refused_at": parcel.now, "refused_why": why[:200]}
    Reader.objects.update_or_create(user=user, defaults=refusal)
    raise Refused(why)


def _headers(user: User, things: Sequence[Thing], kinds: Sequence[Kind]) -> dict[str, str]:
    headers = {
        "Message-ID": f"<{things[0].latest.public_id}@{mail_domain()}>",
        "Auto-Submitted": "auto-generated",
        "X-Auto-Response-Suppress": "All",
        "List-Id": f"<notices.{mail_domain()}>",
        "List-Unsubscribe": f"<{link_to_stop(user=user, kinds=kinds)}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
    if len(things) == 1 and things[0].latest.about:  # letters about one game make a thread
        root = f"<{things[0].latest.about.replace(':', '.')}@{mail_domain()}>"
        headers |= {"References": root, "In-Reply-To": root}
    return headers


def _inline(picture: bytes, cid: str) -> MIMEImage:
    part = MIMEImage(picture, "png")
    part.add_header("Content-ID", f"<{cid}>")
    part.add_header("Content-Disposition", "inline", filename="board.png")
    return part


def _words(text: bytes | str) -> str:
    return text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)
