"""The problems of ladders, with the HTTP status of each.

| what is wrong | status | slug |
|---|---|---|
| not signed in | 401 | not-signed-in |
| no such ladder, no such player | 404 | not-found |
| the ladder is closed | 409 | ladder-closed |
| not on the ladder, on it already | 409 | not-on-ladder, on-ladder |
| a challenge that the rules refuse; ``reason`` says which | 409 | challenge-refused |
"""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from crownhead.server.core.problems import Conflict


class LadderIsClosed(Conflict):
    """The ladder is closed for good."""

    slug, title = "ladder-closed", gettext_lazy("The ladder is closed")


class NotOnLadder(Conflict):
    """Only members of the ladder can do this."""

    slug, title = "not-on-ladder", gettext_lazy("You are not on this ladder")


class OnLadder(Conflict):
    """The user is already a member."""

    slug, title = "on-ladder", gettext_lazy("You are already on this ladder")


class ChallengeRefused(Conflict):
    """The rules of the ladder forbid the challenge; the fact ``reason`` names the rule."""

    slug, title = "challenge-refused", gettext_lazy("You can't challenge this player now")
