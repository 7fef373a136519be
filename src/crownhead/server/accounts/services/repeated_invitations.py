"""How often a member may invite the same other, to teams and to tournaments together."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from crownhead.server.accounts.models import User
from crownhead.server.core import limits
from crownhead.server.core.problems import TooMany

_SCOPE = "repeated_invitations"


def spend(*, by: User, players: Sequence[User]) -> None:
    """Count an invitation of each of these players; raises ``TooMany`` with the name of one invited often.

    Nobody's is counted then, so that the others can be invited without them.
    """
    pairs = {f"user:{by.pk}:{player.pk}": player for player in players}
    for pair, player in pairs.items():
        if wait := limits.seconds_until_free(scope=_SCOPE, who=pair):
            raise TooMany(
                _("You have invited %(name)s often enough for today.") % {"name": player.username},
                seconds=wait,
            )
    for pair in pairs:
        limits.spend(scope=_SCOPE, who=pair)
