"""Services of accounts: signing up, administrators."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from allauth.account.models import EmailAddress
from django.contrib.auth.password_validation import validate_password
from django.contrib.messages import get_messages
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.sessions.backends.db import SessionStore
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest

from crownhead.server.accounts.forms import SignupForm
from crownhead.server.accounts.models import User
from crownhead.server.accounts.problems import name_that_may_be_taken
from crownhead.server.accounts.validators import check_address, check_name, player_likeness
from crownhead.server.core.monitoring.security import SecurityEvent, record_change
from crownhead.server.core.problems import Conflict, Unprocessable

_FIELDS = {"password1": "password"}


def sign_up(*, request: HttpRequest, username: str, email: str, password: str) -> str:
    """Make an account and send the mail to confirm its address; returns the name as it is kept.

    Both are stored by one transaction: no crash leaves an account whose letter never leaves.
    An address that has an account already is answered like any other. Raises `Conflict` when the name is
    taken and `Unprocessable` when something will not do; both say what, field by field.
    """
    form = SignupForm({"username": username, "email": email, "password1": password})
    if not form.is_valid():
        raise _refusal(form)
    with name_that_may_be_taken(), _no_cookies(request):
        user, _response = form.try_save(request)
        if user is not None:
            record_change(SecurityEvent.ACCOUNT_MADE, user_id=user.pk)
            EmailAddress.objects.get(user=user, primary=True).send_confirmation(request, signup=True)
    return str(form.cleaned_data["username"])


def create_administrator(*, username: str, email: str, password: str) -> None:
    """Create an account for the back office; raises `ValidationError` with sentences."""
    check_name(username)
    if email:
        check_address(email)
    if User.objects.filter(likeness=player_likeness(username)).exists():
        raise ValidationError(f"the name {username!r}, or one that looks like it, is taken")
    user = User(username=username, email=email.lower(), is_staff=True, is_superuser=True)
    validate_password(password, user)
    user.set_password(password)
    with transaction.atomic():
        user.save(force_insert=True)
        if email:
            EmailAddress.objects.create(user=user, email=email.lower(), primary=True, verified=True)


def digest(token: str) -> str:
    """Return the hash of a token; a plain hash is enough for 256 random bits."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


@contextmanager
def _no_cookies(request: HttpRequest) -> Iterator[None]:
    """Give the request a session and messages that are thrown away."""
    session, messages = request.session, get_messages(request)
    request.session = SessionStore()
    request._messages = FallbackStorage(request)  # type: ignore[attr-defined]  # noqa: SLF001
    try:
        yield
    finally:
        request.session = session
        request._messages = messages  # type: ignore[attr-defined]  # noqa: SLF001


def _refusal(form: SignupForm) -> Unprocessable | Conflict:
    """Return the first error as a sentence, with all of them as a list."""
    faults: list[dict[str, Any]] = []
    codes = set()
    for field, errors in form.errors.as_data().items():
        for error in errors:
            codes.add(error.code)
            faults += [
                {"where": f"body.{_FIELDS.get(field, field)}", "what": text} for text in error.messages
            ]
    kind = Conflict if codes == {"taken"} else Unprocessable
    return kind(faults[0]["what"], field=faults[0]["where"], errors=faults)
