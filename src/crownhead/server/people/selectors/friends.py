"""Invitations of friends to the club."""

from __future__ import annotations

from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.core.problems import NotFound
from crownhead.server.people.models import ToldFriend


def inviter(*, token: str) -> User:
    """Return who sent the invitation with this link; raises ``NotFound``."""
    invitation = ToldFriend.objects.select_related("user").filter(token=token, user__is_active=True).first()
    if invitation is None:
        raise NotFound(_("This invitation has expired."))
    return invitation.user
