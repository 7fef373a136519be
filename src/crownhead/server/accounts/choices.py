"""What can be chosen in one's preferences; the first of each holds where nobody chose.

The values of `Theme`, `Numbers`, `Names`, `Motion` and `Sound` are those of the board's own script
(static/crownhead/js/board/settings.js): they go to the page as attributes.
"""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Appearance(models.TextChoices):
    """Light or dark pages."""

    AUTO = "auto", _("As my device is set")
    LIGHT = "light", _("Light")
    DARK = "dark", _("Dark")


class Theme(models.TextChoices):
    """The colours of boards."""

    TOURNAMENT = "tournament", _("Tournament")
    WOOD = "wood", _("Wood")
    SLATE = "slate", _("Slate")
    CONTRAST = "contrast", _("High contrast")


class Numbers(models.TextChoices):
    """Where the square numbers are."""

    INSIDE = "inside", _("In the squares")
    OUTSIDE = "outside", _("Around the board")
    NONE = "none", _("Nowhere")


class Names(models.TextChoices):
    """How squares are named."""

    OWN = "own", _("As in each game")
    ALGEBRAIC = "algebraic", _("a1, b2, c3 …")


class Motion(models.TextChoices):
    """Whether moves are animated."""

    ON = "on", _("Before one's eyes")
    OFF = "off", _("At once")


class Sound(models.TextChoices):
    """Whether moves have a sound."""

    OFF = "off", _("Off")
    ON = "on", _("On")


class Turned(models.TextChoices):
    """Which side is at the bottom of the board."""

    MINE = "mine", _("My own side")
    FIRST = "first", _("The side that moves first")
    SECOND = "second", _("The other side")


class MoveEntry(models.TextChoices):
    """How moves are entered."""

    ANY = "any", _("By clicking or by dragging")
    CLICK = "click", _("By clicking only")
    DRAG = "drag", _("By dragging only")


class AfterSubmit(models.TextChoices):
    """What to show after a move."""

    STAY = "stay", _("Stay with the game")
    GAMES = "games", _("My games")
    NEXT = "next", _("The next game that waits for me")


class Visibility(models.TextChoices):
    """Who can read a profile."""

    EVERYBODY = "everybody", _("Everybody")
    MEMBERS = "members", _("Members only")
