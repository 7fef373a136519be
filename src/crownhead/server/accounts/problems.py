"""What can be wrong with the token, the session or the guest of a request, or with a name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy

from crownhead.server.accounts.validators import NAME_IS_TAKEN
from crownhead.server.core.problems import Conflict, Forbidden, NotSignedIn, TooMany


class TokenExpired(NotSignedIn):
    """The token was good, but its time is over."""

    slug, title = "token-expired", gettext_lazy("The token has expired")


class OutOfScope(Forbidden):
    """The token does not allow this."""

    slug, title = "out-of-scope", gettext_lazy("The token does not allow this")


class AuthenticationTooOld(Forbidden):
    """The session is good, but this needs the password or second factor again."""

    slug, title = "authentication-too-old", gettext_lazy("Enter your password again")


class SecondFactorRequired(Forbidden):
    """Staff of a club that asks a second factor of them; they have none yet."""

    slug, title = "second-factor-required", gettext_lazy("Staff need a second factor")


class TooManyGuests(TooMany):
    """From one address, more people than a club allows have begun to play without an account."""

    slug, title = "too-many-guests", gettext_lazy("Too many guests")
    sentence = gettext_lazy("Many guests have started playing from your network. Sign up to play right away.")


@contextmanager
def throttled_for_programs() -> Iterator[None]:
    """What forms are told where too many wrong passwords came from, as a problem: ``TooMany``."""
    try:
        yield
    except ValidationError as error:
        raise TooMany(str(error.messages[0]), seconds=300) from error


@contextmanager
def name_that_may_be_taken() -> Iterator[None]:
    """A transaction that stores a name; raises ``Conflict`` where somebody took it after it was checked."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        raise Conflict(str(NAME_IS_TAKEN)) from error
