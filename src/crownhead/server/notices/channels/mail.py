"""Notifications by e-mail: one e-mail for all that is due to a person, with pictures of the boards."""

from __future__ import annotations

import smtplib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field
from datetime import datetime
from email.mime.image import MIMEImage

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.core.mail.backends.base import BaseEmailBackend
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.addresses import selectors
from crownhead.server.accounts.addresses.selectors import has_opted_out, has_use_of
from crownhead.server.accounts.selectors import User
from crownhead.server.accounts.services import budgets, invitation_opt_out
from crownhead.server.core.mail import FileBackend, blocking_connection
from crownhead.server.notices.channels.addresses import absolute_url, mail_domain, site
from crownhead.server.notices.channels.delivery import Batch, NotNow, Refused, Send
from crownhead.server.notices.kinds import GAME_PREFIX, Kind
from crownhead.server.notices.models import Notice, Reader
from crownhead.server.notices.presenters import pictures
from crownhead.server.notices.selectors.unsubscribe import unsubscribe_link

MAX_TOPICS = 20
MAX_PICTURES = 4


@dataclass(slots=True)
class Topic:
    """Notifications about one subject: the latest in full, earlier ones as a line each."""

    latest: Notice
    before: list[str] = field(default_factory=list)
    picture: bytes | None = None

    @property
    def address(self) -> str:
        """The address of its page."""
        return absolute_url(self.latest.link)

    @property
    def action(self) -> str:
        """The label of the button that opens it."""
        return _("Open the game") if self.latest.about.startswith(GAME_PREFIX) else _("Open")

    @property
    def cid(self) -> str:
        """The name of the picture within the e-mail."""
        return f"{self.latest.public_id}@{mail_domain()}"


class Letter(EmailMultiAlternatives):
    """An e-mail of text and HTML, with pictures that belong to the HTML."""

    mixed_subtype = "related"


@contextmanager
def mail_sender() -> Iterator[Send]:
    """Yield a function that sends e-mails over one connection."""
    connection = blocking_connection()

    def send_by_it(batch: Batch) -> None:
        if isinstance(connection, FileBackend):  # a file for each letter
            with blocking_connection() as file:
                send(batch, file)
        else:
            send(batch, connection)

    try:
        yield send_by_it
    finally:
        connection.close()


def send(batch: Batch, connection: BaseEmailBackend) -> None:
    """Send one e-mail; raises ``Refused`` or ``NotNow``."""
    user = batch.person.user
    is_confirmed = accounts.email_is_confirmed(user)
    _check_address(user, batch.now, is_confirmed=is_confirmed)
    with batch.person.localized():
        letter = compose(batch, is_confirmed=is_confirmed)
    letter.connection = connection
    try:
        connection.open()
        letter.send()
    except smtplib.SMTPRecipientsRefused as error:
        code, why = next(iter(error.recipients.values()))
        if code < 500:
            raise NotNow(f"{code} {_decoded(why)}") from error
        _note_refusal(user, f"{code} {_decoded(why)}", batch)
    except smtplib.SMTPDataError as error:  # this letter alone
        if error.smtp_code < 500:
            raise NotNow(f"{error.smtp_code} {_decoded(error.smtp_error)}") from error
        raise Refused(f"{error.smtp_code} {_decoded(error.smtp_error)}") from error
    except (smtplib.SMTPException, OSError) as error:
        connection.close()
        raise NotNow(f"{type(error).__name__}: {error}", everybody=True) from error


def compose(batch: Batch, *, is_confirmed: bool) -> EmailMultiAlternatives:
    """Build the e-mail in the active language; to an unconfirmed address, without what members wrote."""
    user = batch.person.user
    topics = topics_of(batch.notices if is_confirmed else [_in_brief(notice) for notice in batch.notices])
    for topic in topics[:MAX_PICTURES]:
        topic.picture = pictures.picture(topic.latest, user)
    context = {
        "topics": topics[:MAX_TOPICS],
        "more": max(len(topics) - MAX_TOPICS, 0) + batch.others,
        "title": title(topics, daily=batch.daily, others=batch.others),
        "several": len(topics) + batch.others > 1,
        "club_name": settings.CLUB_NAME,
        "user": user,
        "site": site(),
        "all_notices": absolute_url(reverse("notices:all")),
        "choices": absolute_url(reverse("notices:preferences")),
        "confirm": "" if is_confirmed else absolute_url(reverse("account_email")),
        "never": "" if is_confirmed else _never_again(user.email),
        "stops": [(kind.label, unsubscribe_link(user=user, kinds=[kind])) for kind in batch.kinds],
    }
    letter = Letter(
        subject=f"[{settings.CLUB_NAME}] {context['title']}",
        body=render_to_string("notices/mail/letter.txt", context),
        to=[user.email],
        headers=_headers(user, topics, batch),
    )
    letter.attach_alternative(render_to_string("notices/mail/letter.html", context), "text/html")
    for topic in topics:
        if topic.picture is not None:
            letter.attach(_inline(topic.picture, topic.cid))
    return letter


def topics_of(notices: Sequence[Notice]) -> list[Topic]:
    """Group notifications, oldest first, by subject; the latest subject comes first."""
    topics: dict[str, Topic] = {}
    for notice in notices:
        name = notice.about or notice.public_id
        earlier = topics.pop(name, None)
        before = [] if earlier is None else [*earlier.before, earlier.latest.subject]
        lines = [line for line in dict.fromkeys(before) if line != notice.subject]
        topics[name] = Topic(notice, lines)
    return list(reversed(topics.values()))


def title(topics: Sequence[Topic], *, daily: bool, others: int = 0) -> str:
    """Return the subject line; ``others``: of how many more subjects than these."""
    count = len(topics) + others
    if count == 1:
        return topics[0].latest.subject
    if daily:
        template = ngettext(
            "Your daily digest: %(count)s notification", "Your daily digest: %(count)s notifications", count
        )
    elif not others and all(topic.latest.kind == Kind.TURN for topic in topics):
        template = ngettext("It is your turn in %(count)s game", "It is your turn in %(count)s games", count)
    else:
        template = ngettext("%(count)s new notification", "%(count)s new notifications", count)
    return template % {"count": count}


def _in_brief(notice: Notice) -> Notice:
    """The notification with nothing but what kind it is: whose address it goes to may not know the club."""
    brief = copy(notice)
    brief.subject, brief.text = Kind(notice.kind).label, ""
    return brief


def _never_again(address: str) -> str:
    return absolute_url(reverse("people:no_more", args=[invitation_opt_out.token_for(address)]))


def _check_address(user: User, now: datetime, *, is_confirmed: bool) -> None:
    if not user.email:
        raise Refused("there is no address")
    if not is_confirmed:  # it may be a stranger's
        if settings.CONFIRM_EMAIL:
            raise Refused("the address is not confirmed")
        if not has_use_of(user, user.email):
            raise Refused("the address belongs to another account")
        # One reason for both: members can download it, and need not know that a stranger has opted out.
        if has_opted_out(user.email) or not budgets.spend(
            scope="unconfirmed_mails", who=selectors.mailbox(user.email), now=now
        ):
            raise Refused("the address is not confirmed and has had enough for now")
    if Reader.objects.filter(user=user, refused_address=user.email).exists():
        raise Refused("the address was refused before")


def _note_refusal(user: User, why: str, batch: Batch) -> None:
    """Stop sending to this address until the user changes or confirms it."""
    refusal = {"refused_address": user.email, "refused_at": batch.now, "refused_why": why[:200]}
    Reader.objects.update_or_create(user=user, defaults=refusal)
    raise Refused(why)


def _headers(user: User, topics: Sequence[Topic], batch: Batch) -> dict[str, str]:
    headers = {
        "Message-ID": f"<{batch.key}@{mail_domain()}>",  # the same if it has to be sent again
        "Auto-Submitted": "auto-generated",
        "X-Auto-Response-Suppress": "All",
        "List-Id": f"<notices.{mail_domain()}>",
        "List-Unsubscribe": f"<{unsubscribe_link(user=user, kinds=batch.kinds)}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
    if len(topics) + batch.others == 1 and topics[0].latest.about:  # letters about one game make a thread
        root = f"<{topics[0].latest.about.replace(':', '.')}@{mail_domain()}>"
        headers |= {"References": root, "In-Reply-To": root}
    return headers


def _inline(picture: bytes, cid: str) -> MIMEImage:
    part = MIMEImage(picture, "png")
    part.add_header("Content-ID", f"<{cid}>")
    part.add_header("Content-Disposition", "inline", filename="board.png")
    return part


def _decoded(text: bytes | str) -> str:
    return text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)
