"""The values of columns of this app."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class About(models.TextChoices):
    """What a report is about."""

    MESSAGE = "message", _("a message")
    PLAYER = "player", _("a player")
    CHAT = "chat", _("a line in the chat of a game")
    GAME = "game", _("a game")
    POST = "post", _("a message on a team's board")
    STAFF = "staff", _("a message to the staff")


class Decision(models.TextChoices):
    """What the staff did about a report."""

    NOTHING = "nothing", _("no action needed")
    WARNED = "warned", _("the player was warned")
    MUTED = "muted", _("the player was muted for a while")
    BANNED = "banned", _("the player was suspended for a while")
    ANSWERED = "answered", _("answered")


class Verb(models.TextChoices):
    """What the staff did, in the log."""

    DECIDED = "decided", _("decided on a report")
    MUTED = "muted", _("muted a player")
    UNMUTED = "unmuted", _("unmuted a player")
    BANNED = "banned", _("suspended a player")
    UNBANNED = "unbanned", _("lifted a suspension")
    PUBLISHED = "published", _("published news")
    WITHDREW = "withdrew", _("withdrew news")
