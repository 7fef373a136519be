"""The choices of columns in this app's models."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Status(models.TextChoices):
    """The state of a tournament."""

    ENTRY = "entry", _("open for entry")
    RUNNING = "running", _("in progress")
    FINISHED = "finished", _("finished")
    CANCELLED = "cancelled", _("cancelled")


class Entry(models.TextChoices):
    """Who may enter."""

    OPEN = "open", _("Anyone")
    INVITED = "invited", _("Invited players")
    TEAM = "team", _("Members of a team")


class Answer(models.TextChoices):
    """What an invited player has answered."""

    OPEN = "open", _("not answered yet")
    ACCEPTED = "accepted", _("accepted")
    DECLINED = "declined", _("declined")


class Start(models.TextChoices):
    """When it begins."""

    FULL = "full", _("As soon as it is full")
    DATE = "date", _("On a date")
    HAND = "hand", _("When a director starts it")


class Withdrawal(models.TextChoices):
    """What happens to the open games of a player who withdraws."""

    FORFEIT = "forfeit", _("Lose their open games")
    PLAY_ON = "play_on", _("Finish their open games")


class Meeting(models.TextChoices):
    """The state of a proposed time for a live pairing."""

    PROPOSED = "proposed", _("proposed")
    AGREED = "agreed", _("agreed")
    DECLINED = "declined", _("declined")


ATTENDED = "attended"  # ends the log's text of a live start with all players here, of a tournament or a round
NOTICED = "UTC"  # ends the log's text of a live round that starts later, as its players are told


class Verb(models.TextChoices):
    """What a director did; the log's ``text`` holds the rest."""

    EDITED = "edited", _("changed the tournament")
    INVITED = "invited", _("invited")
    UNINVITED = "uninvited", _("withdrew the invitation of")
    ENTERED = "entered", _("entered")
    REMOVED = "removed", _("removed")
    SEEDED = "seeded", _("seeded")
    STARTED = "started", _("started")
    CANCELLED = "cancelled", _("cancelled the tournament")
    PAIRED = "paired", _("paired by hand")
    RELEASED = "released", _("released")
    ADJOURNED = "adjourned", _("adjourned")
    RESUMED = "resumed", _("resumed")
    FORFEITED = "forfeited", _("declared forfeit")
    ADJUDICATED = "adjudicated", _("adjudicated")
    ANNULLED = "annulled", _("annulled")
    EXPELLED = "expelled", _("expelled")
    EXTENDED = "extended", _("extended the time")
    REPLACED = "replaced", _("replaced")
    CLOSED = "closed", _("closed")
    DIRECTORS = "directors", _("changed the directors")
