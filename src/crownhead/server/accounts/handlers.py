"""Handlers of what happens to an account."""

from typing import Any

from allauth.account.signals import password_reset
from django.dispatch import receiver

from crownhead.server.accounts.events import AccountClosed
from crownhead.server.accounts.models import ApiToken, User
from crownhead.server.accounts.security import services as security_services
from crownhead.server.core.events import on


@receiver(password_reset)
def end_tokens(*, user: User, **_: Any) -> None:
    """Revoke the tokens when a password is reset: somebody else may have made them."""
    ApiToken.objects.filter(user=user).delete()


@on(AccountClosed)
def forget_keys_and_sessions(event: AccountClosed) -> None:
    """Nothing opens an account that is closed."""
    security_services.forget(user_id=event.user_id)
