"""What can be chosen in one's preferences; the first of each holds where nobody chose.

The values of `Theme`, `Numbers`, `Names`, `Motion` and `Sound` are those of the board's own script
(static/crownhead/js/board/settings.js): they go to the page as attributes.
"""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Scope(models.TextChoices):
    """What a token allows; each includes no other."""

    READ = "read", _("See everything that you can see: games, messages, settings")
    PLAY = "play", _("Play and organise: games, tournaments, ladders and teams")
    TALK = "talk", _("Write as you: messages, chat, invitations, your profile")
    MANAGE = "manage", _("Manage your account: tokens, devices, a copy of your data, closing it")


class Appearance(models.TextChoices):
    """Light or dark pages."""

    AUTO = "auto", _("Same as my device")
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
    NONE = "none", _("Hidden")


class Names(models.TextChoices):
    """How squares are named."""

    OWN = "own", _("The game's own")
    ALGEBRAIC = "algebraic", _("a1, b2, c3 …")


class Motion(models.TextChoices):
    """Whether moves are animated."""

    ON = "on", _("Animated")
    OFF = "off", _("Instantly")


class Sound(models.TextChoices):
    """Which games are heard: their moves, and of live games the start and a clock that runs short."""

    LIVE = "live", _("Live games")
    ON = "on", _("All games")
    OFF = "off", _("Off")


class Turned(models.TextChoices):
    """Which side is at the bottom of the board."""

    MINE = "mine", _("My side")
    FIRST = "first", _("The first player")
    SECOND = "second", _("The second player")


class MoveEntry(models.TextChoices):
    """How moves are entered."""

    ANY = "any", _("Click or drag")
    CLICK = "click", _("Click")
    DRAG = "drag", _("Drag")


class Submitting(models.TextChoices):
    """In which games a move is submitted before it is played."""

    SLOW = "slow", _("In games with days per move")
    ALWAYS = "always", _("In live games too")


class AfterSubmit(models.TextChoices):
    """What to show after a move."""

    STAY = "stay", _("Stay on the game")
    GAMES = "games", _("My games")
    NEXT = "next", _("The next game where it's my turn")


class Invitations(models.TextChoices):
    """Who may invite a member: to games, contests and teams."""

    EVERYBODY = "everybody", _("Everybody")
    BUDDIES = "buddies", _("My buddies")
    NOBODY = "nobody", _("Nobody")


class Visibility(models.TextChoices):
    """Who can read a profile."""

    EVERYBODY = "everybody", _("Everybody")
    MEMBERS = "members", _("Members only")
