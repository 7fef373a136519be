"""The few values that columns of teams and of what belongs to them can have."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Joining(models.TextChoices):
    """How one becomes a member of a team."""

    OPEN = "open", _("Anybody may join")
    ASK = "ask", _("Who asks may join if the captain agrees")
    INVITED = "invited", _("Only who is invited may join")


class KnockKind(models.TextChoices):
    """Who asked whom: a player the team, or the captain a player."""

    ASKED = "asked", "asks to join"
    INVITED = "invited", "is invited"


class MatchStatus(models.TextChoices):
    """Where a match of two teams stands."""

    PROPOSED = "proposed", _("proposed")
    LINING_UP = "lining_up", _("lining up")
    PLAYING = "playing", _("in progress")
    FINISHED = "finished", _("finished")
    DECLINED = "declined", _("declined")
    WITHDRAWN = "withdrawn", _("withdrawn")


class Side(models.TextChoices):
    """A team's place in a match: the one that proposed it plays at home."""

    HOME = "home", _("home")
    AWAY = "away", _("away")

    @property
    def opponent(self) -> Side:
        """The other side."""
        return Side.AWAY if self is Side.HOME else Side.HOME
