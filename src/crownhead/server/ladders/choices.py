"""The few values that columns of ladders can have."""

from __future__ import annotations

from django.db import models

from crownhead.server.play.clocks.time_control import Pace


class Style(models.TextChoices):
    """How a ladder is climbed: see ``crownhead.contest.ladders``."""

    PLACES = "places", "places, as on ItsYourTurn"
    STAIRS = "stairs", "stairs, as on BrainKing"


class PaceKey(models.TextChoices):
    """Which clock its games have: none that would run while the challenged is asleep."""

    DAYS = Pace.DAYS.value, "days per move"
    BANK = Pace.BANK.value, "a bank of hours, a bonus a move"


class Side(models.TextChoices):
    """A side of a challenge."""

    CHALLENGER = "challenger", "the challenger"
    CHALLENGED = "challenged", "the challenged"


class Outcome(models.TextChoices):
    """How a challenge ended, for the one who made it."""

    WON = "won", "won"
    DRAWN = "drawn", "drawn"
    LOST = "lost", "lost"
    VOID = "void", "void: it counts for nothing"


class Happening(models.TextChoices):
    """The kinds of events in the history of a ladder."""

    OPENED = "opened", "opened the ladder"
    JOINED = "joined", "joined"
    LEFT = "left", "left"
    REMOVED = "removed", "was taken off by the staff"
    CHALLENGED = "challenged", "challenged"
    WON = "won", "won a challenge"
    FLED = "fled", "won a challenge that the other did not play out"
    DRAWN = "drawn", "drew a challenge"
    VOID = "void", "had a challenge that counts for nothing"
    MOVED = "moved", "came to another place"
    PLACED = "placed", "was put there by the staff"
    SANK = "sank", "sank for want of games"
    CLOSED_UP = "closed-up", "took out steps that nobody stood on"
    CLOSED = "closed", "closed the ladder"
