"""The accounts part of the archive of a user's data."""

from __future__ import annotations

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession

from crownhead.server.accounts.models import ApiToken, FormerName, User
from crownhead.server.accounts.preferences.services import NAMES
from crownhead.server.accounts.selectors import blocked_by, buddies_of, preferences_of, profile_of
from crownhead.server.core.exports import part


@part("account")
def account(user: User) -> dict[str, Any]:
    """Return the account, profile and preferences."""
    profile, chosen = profile_of(user), preferences_of(user)
    return {
        "username": user.username,
        "former_names": list(FormerName.objects.filter(user=user).values_list("name", flat=True)),
        "addresses": list(EmailAddress.objects.filter(user=user).values("email", "verified", "primary")),
        "joined_at": user.date_joined,
        "signed_in_at": user.last_login,
        "last_seen_at": user.last_seen_at,
        "profile": {"text": profile.text, "country": profile.country},
        "preferences": {name: getattr(chosen, name) for name in NAMES},
        "api_tokens": list(
            ApiToken.objects.filter(user=user).values(
                "name", "scopes", "created_at", "last_used_at", "expires_at"
            )
        ),
        "sessions": list(
            UserSession.objects.filter(user=user).values("created_at", "last_seen_at", "ip", "user_agent")
        ),
        "second_factors": list(
            Authenticator.objects.filter(user=user).values("type", "created_at", "last_used_at")
        ),
    }


@part("people")
def people(user: User) -> dict[str, Any]:
    """Return the contacts."""
    return {
        "buddies": [
            {"username": row.buddy.username, "note": row.note, "since": row.created_at}
            for row in buddies_of(user)
        ],
        "blocked": [{"username": row.ignored.username, "since": row.created_at} for row in blocked_by(user)],
    }
