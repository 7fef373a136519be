"""The choices of columns in this app's models."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Joining(models.TextChoices):
    """How players become members of a team."""

    OPEN = "open", _("Anyone can join")
    ASK = "ask", _("Players can ask to join")
    INVITED = "invited", _("By invitation only")


class JoinRequestKind(models.TextChoices):
    """Whether a player asks to join, or the captain invites them."""

    ASKED = "asked", "asks to join"
    INVITED = "invited", "is invited"


class MatchStatus(models.TextChoices):
    """The state of a team match."""

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
