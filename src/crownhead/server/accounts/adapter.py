"""The decisions that allauth leaves to us: names, client addresses, mail that cannot be sent."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.stagekit import clear_login
from allauth.account.models import EmailAddress
from allauth.account.utils import get_next_redirect_url
from allauth.core.exceptions import ReauthenticationRequired
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext_lazy as _

from crownhead.server.accounts.access import (
    hold_member,
    hold_user,
    leading_to_sign_in,
    session_of,
    store_password,
)
from crownhead.server.accounts.addresses import selectors
from crownhead.server.accounts.addresses.selectors import decision_link, has_use_of, last_done
from crownhead.server.accounts.guests.access import guest_of
from crownhead.server.accounts.guests.services import become_member
from crownhead.server.accounts.models import User
from crownhead.server.accounts.security import sessions, throttle
from crownhead.server.accounts.security.access import expect_proven, owes_factor
from crownhead.server.accounts.security.services import forget_unproven
from crownhead.server.accounts.security.sessions import browser_of, plain_address
from crownhead.server.accounts.selectors import name_is_taken
from crownhead.server.accounts.services import budgets, letters
from crownhead.server.accounts.validators import NAME_IS_TAKEN, check_address, check_name
from crownhead.server.core import clock
from crownhead.server.core.http import client_address, household, site_address, site_network
from crownhead.server.core.limits import address
from crownhead.server.core.monitoring.security import SecurityEvent, record
from crownhead.server.core.problems import NotSignedIn

if TYPE_CHECKING:
    from crownhead.server.accounts.forms import SignupForm

log = logging.getLogger(__name__)

_WANTED = "wanted_after_sign_up"  # of the session: a path of the club
_CONFIRMED_BY_ANOTHER = "account/messages/email_confirmation_failed.txt"  # of allauth
_BEGUN_WITH = "sign_in_begun_with"  # of the session: a hash of the password


# Mails that anybody can have sent to any address, by typing it into a form.
_ASKED_BY_SIGNING_UP = frozenset(
    f"account/email/{name}"
    for name in ("account_already_exists", "email_confirmation", "email_confirmation_signup")
)
_ASKED_BY_ANYBODY = _ASKED_BY_SIGNING_UP | {
    f"account/email/{name}" for name in ("password_reset_key", "unknown_account", "unlock")
}


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """The rules of the club for accounts."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "username_password_mismatch": _("Wrong username or password."),
        "email_password_mismatch": _("Wrong e-mail address or password."),
        "too_many_login_attempts": _(
            "Too many failed attempts. Try again in a few minutes, or have a link sent to your address."
        ),
        "username_taken": NAME_IS_TAKEN,
    }

    def clean_username(self, username: str, shallow: bool = False) -> str:  # noqa: ARG002
        """Return the name if it is well formed, not reserved, and not similar to another."""
        check_name(username)
        if name_is_taken(username, clock.now()):
            raise ValidationError(self.error_messages["username_taken"], code="taken")
        return username

    def clean_email(self, email: str) -> str:
        """Return the address if letters can be sent to it."""
        check_address(email)
        return email

    def new_user(self, request: HttpRequest) -> User:
        """Return the row of who signs up: a guest who plays keeps theirs, and with it their games.

        What they wanted, such as an offer to join, is kept until they sign in, should they confirm first.
        """
        if wanted := get_next_redirect_url(request):
            request.session[_WANTED] = wanted
        guest = guest_of(request)
        if guest is None:
            return User()
        return become_member(guest=guest, now=clock.now()) or User()

    def save_user(self, request: HttpRequest, user: User, form: SignupForm) -> User:  # noqa: ARG002
        """Store who signs up, with the password that their form has hashed."""
        user.username, user.email = form.cleaned_data["username"], form.cleaned_data["email"]
        user.password = form.password_hash
        user.save()
        return user

    def set_password(self, user: User, password: str) -> None:
        """Store it, and nothing else of the user, if their access has not ended meanwhile."""
        with self._to_store(user, password) as before:
            store_password(user, before=before, by=session_of(self.request))

    def reset_password(self, user: User, password: str) -> None:
        """Likewise, for who has shown by a link that a mailbox is theirs: whose it was not, keeps nothing."""
        with self._to_store(user, password) as before, transaction.atomic():
            store_password(user, before=before)
            forget_unproven(user=user)

    @contextmanager
    def _to_store(self, user: User, password: str) -> Iterator[User]:
        """Hash a password before its user is held; gives what the user was before."""
        before = copy(user)
        user.set_password(password)
        with leading_to_sign_in(self.request):
            yield before

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Confirm it, unless its change has ended, or another account confirms it, at this moment."""
        with transaction.atomic():
            hold_user(email_address.user_id)
            if not EmailAddress.objects.filter(pk=email_address.pk).exists():
                return False
            try:
                with transaction.atomic():
                    return bool(super().confirm_email(request, email_address))
            except IntegrityError:
                context = {"email": email_address.email}
                self.add_message(request, messages.ERROR, _CONFIRMED_BY_ANOTHER, context)
                return False

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the address that rate limits count; the list of sessions notes the whole address itself."""
        return plain_address(household(client_address(request)))

    def format_email_subject(self, subject: str) -> str:
        """Put the club's name before the subject."""
        return f"[{settings.CLUB_NAME}] {subject}"

    def send_notification_mail(
        self,
        template_prefix: str,
        user: User,
        context: dict[str, Any] | None = None,
        email: str | None = None,
    ) -> None:
        """With the browser if it is known, and for the old address the link that takes its change back."""
        agent = "" if self.request is None else self.request.headers.get("User-Agent", "")
        browser = browser_of(agent) or str(_("an unknown browser"))
        context = {**(context or {}), "user": user, "browser": browser}
        if template_prefix == "account/email/email_changed":
            change = last_done(user)
            if change is not None and not change.old:
                return
            context["undo_link"] = decision_link(self.request, change) if change else ""
            context["days"] = settings.EMAIL_UNDO_DAYS
        super().send_notification_mail(template_prefix, user, context, email)

    def get_reset_password_from_key_url(self, key: str) -> str:
        """Return the link of a mail; it names the club's own address, whatever the request says."""
        path = reverse("account_reset_password_from_key", kwargs={"uidb36": "UID", "key": "KEY"})
        return site_address(self.request) + path.replace("UID-KEY", quote(key))

    def get_email_confirmation_url(self, request: HttpRequest, emailconfirmation: Any) -> str:
        """Return the link of a mail, likewise."""
        return site_address(request) + reverse("account_confirm_email", args=[emailconfirmation.key])

    def send_confirmation_mail(self, request: HttpRequest, emailconfirmation: Any, signup: bool) -> None:
        """Ask to confirm an address; if it is somebody else's, they are told so and the visitor is not."""
        row = emailconfirmation.email_address
        changes = row.user_id in selectors.who_only_waits_for(row.email)
        is_free = selectors.confirmed_owner(row.email) is None if changes else has_use_of(row.user, row.email)
        if is_free:
            super().send_confirmation_mail(request, emailconfirmation, signup)
        else:
            self.send_account_already_exists_mail(row.email)

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Refuse where too many wrong passwords came from; see `throttle`."""
        if not throttle.begin(request=request, login=_login(credentials), now=clock.now()):
            _record(SecurityEvent.SIGN_IN_THROTTLED, request, credentials)
            raise self.validation_error("too_many_login_attempts")

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        """Write a wrong password to the security log; it was counted before it was checked."""
        again = request.user.is_authenticated
        event = SecurityEvent.CONFIRMATION_FAILED if again else SecurityEvent.SIGN_IN_FAILED
        _record(event, request, credentials)

    def is_own_password(self, user: User, password: str) -> bool:
        """Check a password that is typed once more, counted and noted like one by which somebody signs in."""
        credentials = {"username": user.username}
        self.pre_authenticate(self.request, **credentials)
        tried = throttle.users_to_try(request=self.request, login=user.username, now=clock.now())
        if user in tried and user.check_password(password):
            throttle.note_success(request=self.request, user=user)
            return True
        _record(SecurityEvent.CONFIRMATION_FAILED, self.request, credentials)
        return False

    def get_reauthentication_methods(self, user: User | AnonymousUser) -> list[dict[str, Any]]:
        """Return how somebody shows again that it is them; not by the password if they owe a factor."""
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        if isinstance(user, User) and owes_factor(self.request.session, user):
            return [method for method in methods if method["id"] != "reauthenticate"]
        return methods

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        """Ask for the second factor that a session owes, whatever was given in it within the last minutes."""
        if owes_factor(self.request.session, self.request.user):
            raise ReauthenticationRequired
        return bool(super().is_reauthentication_required(app=app, **kwargs))

    def pre_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse | None:
        """Note which password held when a sign-in began: a second factor may be asked for before it ends."""
        response: HttpResponse | None = super().pre_login(request, user, **kwargs)
        request.session[_BEGUN_WITH] = user.get_session_auth_hash()
        return response

    def login(self, request: HttpRequest, user: User) -> None:
        """Sign in, unless what opens the account has changed since the sign-in began.

        The session is stored and listed while the user is held: who turns on a second factor, sets a password
        or closes the account at this moment comes before it, and it is refused, or after it, and ends it.
        """
        begun_with = request.session.pop(_BEGUN_WITH, "")
        with leading_to_sign_in(request), transaction.atomic():
            try:
                _expect_unchanged(request, user, begun_with)
            except NotSignedIn:
                clear_login(request)
                raise
            super().login(request, user)
            request.session.save()
            sessions.begin(request=request, user=user)

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        """Return where somebody goes who has signed in: where they wanted to when they signed up."""
        return str(request.session.get(_WANTED) or super().get_login_redirect_url(request))

    def post_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse:
        """Let the browser show next time that it was used before."""
        response: HttpResponse = super().post_login(request, user, **kwargs)
        request.session.pop(_WANTED, None)
        throttle.remember_device(request=request, response=response, user=user)
        return response

    def _may_send(self, template_prefix: str, email: str, user: User | None) -> bool:
        """Count a mail; who asks for many to an address that its owner confirmed uses up no one else's.

        Of those that were asked for, all strangers together have so many, and as many who has confirmed the
        address by a browser of theirs: they get those, however many others ask.
        """
        now, confirmed, box = clock.now(), _is_confirmed(email), selectors.mailbox(email)
        if template_prefix not in _ASKED_BY_ANYBODY and confirmed and (not user or has_use_of(user, email)):
            return budgets.spend(scope="mails", who=box, now=now)
        counts = self._counts(box, template_prefix, is_confirmed=confirmed)
        if not all(budgets.spend(scope="asked_mails", who=who, now=now) for who in counts):
            return False
        if self.request is None:
            return True
        owners = selectors.holders(email) if confirmed else ()
        by_owner = throttle.members_of_browser(self.request).intersection(owners)
        in_all = f"{box} asked by {min(by_owner, default='strangers')}"
        # Once strangers have used up theirs, an owner with a new browser still gets each kind of mail.
        return budgets.spend(scope="mails", who=in_all, now=now) or budgets.spend(
            scope="reserved_mails", who=f"{box} {template_prefix}", now=now
        )

    def _counts(self, box: str, template_prefix: str, *, is_confirmed: bool) -> Iterator[str]:
        """Whose mails to a mailbox are counted when one is asked for: a household's, and its network's.

        An address that nobody has confirmed is counted from wherever it is asked for, and as often as any
        other, or the time that it takes would tell. Who asks for new passwords uses up none of the mails by
        which an address is confirmed.
        """
        asked = f"{box} to sign up" if template_prefix in _ASKED_BY_SIGNING_UP else box
        yield f"{asked} {address(self.request)}" if is_confirmed and self.request else asked
        if self.request and (network := site_network(household(client_address(self.request)))):
            yield f"{box} {network}"

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send, or log why not: an address gets only so many; the visitor's action succeeds all the same."""
        if not self._may_send(template_prefix, email, context.get("user")):
            log.info("an e-mail was not sent (%s): the address has had enough for now", template_prefix)
            return
        site = site_address(self.request)
        links = {
            name: site + urlsplit(value)._replace(scheme="", netloc="").geturl()
            for name, value in context.items()
            if name.endswith("_url") and value  # allauth takes the host of the request
        }
        try:
            values = {"email": email, "club_name": settings.CLUB_NAME, **context, **links}
            letters.send(template=template_prefix, to=email, context=values)
        except (OSError, UnicodeError) as error:  # the latter of an address that was accepted before
            log.error("an e-mail could not be sent (%s): %s", template_prefix, error)


def _expect_unchanged(request: HttpRequest, user: User, begun_with: str) -> None:
    """Hold who signs in; raises ``NotSignedIn`` where their password or factor is no longer enough."""
    hold_member(user)
    if not (user.is_active and constant_time_compare(begun_with, user.get_session_auth_hash())):
        raise NotSignedIn
    expect_proven(request.session, user)


def _record(event: SecurityEvent, request: HttpRequest, credentials: dict[str, Any]) -> None:
    """Write it to the security log with the member who was meant; what was typed may be a password."""
    meant = throttle.user_of(_login(credentials))
    record(event, user_id=None if meant is None else meant.pk, request=request)


def _login(credentials: dict[str, Any]) -> str:
    """The name or address of an attempt to sign in."""
    return str(credentials.get("username") or credentials.get("email") or "")


def _is_confirmed(address: str) -> bool:
    return bool(EmailAddress.objects.filter(email=address.lower(), verified=True).exists())
