"""Changing one's e-mail address: confirmed at the old address, then at the new one, and undone for a while.

The one who asks has just given their password or second factor. That may be a thief of both, so that the last
word is with the mailbox that the account had.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.email_verification import send_verification_email_to_address
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils.translation import gettext as _

from crownhead.server.accounts.access import hold_member, hold_user, session_of
from crownhead.server.accounts.addresses.selectors import LINK_LASTS, decision_link
from crownhead.server.accounts.models import EmailChange, User
from crownhead.server.accounts.services import letters
from crownhead.server.accounts.services.revocation import end_access, give_up_new_address
from crownhead.server.core.jobs import sweep
from crownhead.server.core.monitoring.security import SecurityEvent, record_change
from crownhead.server.core.problems import Conflict, NotFound


def ask(
    *, request: HttpRequest, user: User, address: str, kept_tokens: Collection[int], now: datetime
) -> EmailAddress:
    """Begin a change; returns the new address, which has a row only if it is asked next.

    A confirmed address is asked first, by e-mail; one that never was has no say. The session of the request
    and the tokens that are kept go on once the address has changed. Raises ``NotSignedIn``.
    """
    with transaction.atomic():
        hold_member(user, by=session_of(request))
        old = EmailAddress.objects.get_verified(user)
        EmailChange.objects.filter(user=user, done_at=None).delete()
        change = EmailChange.objects.create(
            user=user,
            old=old.email if old else "",
            new=address.lower(),
            asked_at=now,
            kept_session=request.session.session_key or "",
            kept_tokens=sorted(kept_tokens),
        )
        record_change(SecurityEvent.EMAIL_CHANGE_ASKED, user_id=user.pk)
        give_up_new_address(user=user)
        new = _add_new(change) if old is None else None
    if new is not None:
        send_verification_email_to_address(request, new)
        return new
    context = {
        "user": user,
        "new_email": change.new,
        "link": decision_link(request, change),
        "days": LINK_LASTS.days,
    }
    get_adapter(request).send_mail("account/email/email_change", change.old, context)
    return EmailAddress(user=user, email=change.new)


def agree(*, request: HttpRequest, change: EmailChange, now: datetime) -> None:
    """The old address agrees: the new one is asked to confirm. Raises ``NotFound`` if it has ended."""
    with transaction.atomic():
        held = _hold(change)
        if held.agreed_at or held.done_at:
            return
        held.agreed_at = now
        held.save(update_fields=["agreed_at"])
        new = _add_new(held)
    send_verification_email_to_address(request, new)


def finish(*, user: User, new: str, now: datetime) -> None:
    """The new address is in use: what was signed in is signed out, but what was kept."""
    change = EmailChange.objects.filter(user=user, new=new, done_at=None).order_by("-pk").first()
    if change is None:
        end_access(user=user)
        return
    change.done_at = now
    change.save(update_fields=["done_at"])
    end_access(user=user, kept_session=change.kept_session, kept_tokens=change.kept_tokens)


@contextmanager
def old_addresses_told(*, request: HttpRequest, user_ids: Collection[int], now: datetime) -> Iterator[None]:
    """Tell the confirmed addresses of others what the staff change of theirs; they can undo it for days."""
    before = {user_id: _addresses(user_id) for user_id in user_ids}
    yield
    for user_id, (old, confirmed) in before.items():
        new, _confirmed = _addresses(user_id)
        if new == old:
            continue
        user = User.objects.get(pk=user_id)
        for address in sorted(confirmed):
            change = EmailChange.objects.create(
                user=user,
                old=address,
                new=min(new - old, default=""),
                asked_at=now,
                agreed_at=now,
                done_at=now,
            )
            context = {
                "user": user,
                "from_email": address,
                "to_email": ", ".join(sorted(new - old)),
                "undo_link": decision_link(request, change),
                "days": settings.EMAIL_UNDO_DAYS,
            }
            with letters.in_words_for(user):
                get_adapter(request).send_mail("account/email/email_changed_by_staff", address, context)


def _addresses(user_id: int) -> tuple[set[str], set[str]]:
    """What reaches a user or opens their account, and what of that was confirmed."""
    rows = EmailAddress.objects.filter(user=user_id, verified=True).values_list("email", flat=True)
    confirmed = {address.lower() for address in rows}
    named = User.objects.filter(pk=user_id).exclude(email="").values_list("email", flat=True)
    return confirmed | {address.lower() for address in named}, confirmed


def take_back(*, change: EmailChange) -> None:
    """Stop a change, or undo it, for the owner of the old address.

    The one who asked for it knew the password, so everything is signed out, a new password is set by mail to
    the old address, and second factors and passkeys are gone that were added since, or in as many days before
    as there are to undo a change: a thief may add them first. Raises ``Conflict`` if another account has
    confirmed the old address by now, ``NotFound`` for a change that has ended.
    """
    with transaction.atomic():
        user = _hold(change).user
        EmailAddress.objects.filter(user=user).delete()
        try:
            with transaction.atomic():
                EmailAddress.objects.create(user=user, email=change.old, primary=True, verified=True)
        except IntegrityError as error:
            raise Conflict(_("Another account uses this address now. Contact the staff.")) from error
        since = change.asked_at - timedelta(days=settings.EMAIL_UNDO_DAYS)
        Authenticator.objects.filter(user=user, created_at__gte=since).delete()
        EmailChange.objects.filter(user=user).delete()
        user.email = change.old
        user.set_unusable_password()
        user.save(update_fields=["email", "password"])
        end_access(user=user)
        record_change(SecurityEvent.EMAIL_CHANGE_TAKEN_BACK, user_id=user.pk)


def _hold(change: EmailChange) -> EmailChange:
    """A change and its user as they are now, held; raises ``NotFound`` if it has ended."""
    hold_user(change.user_id)
    held = EmailChange.objects.select_related("user").filter(pk=change.pk, user__is_active=True).first()
    if held is None:
        raise NotFound
    return held


def forget_old(*, now: datetime) -> int:
    """Delete changes that can be neither agreed to nor undone any more; returns how many."""
    done = EmailChange.objects.filter(done_at__lt=now - timedelta(days=settings.EMAIL_UNDO_DAYS))
    given_up = EmailChange.objects.filter(done_at=None, asked_at__lt=now - 2 * LINK_LASTS)
    return sum(map(sweep, (done, given_up)))


def _add_new(change: EmailChange) -> EmailAddress:
    """The new address, to be asked to confirm; the adapter writes otherwise to one that has an account."""
    give_up_new_address(user=change.user)
    new, _is_new = EmailAddress.objects.get_or_create(user=change.user, email=change.new)
    return new
