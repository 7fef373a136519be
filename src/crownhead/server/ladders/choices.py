"""The choices of columns in this app's models."""

from __future__ import annotations

from django.db import models

from crownhead.server.play.clocks.time_control import Pace


class Style(models.TextChoices):
    """How a ladder is climbed: see ``crownhead.contest.ladders``."""

    PLACES = "places", "places, as on ItsYourTurn"
    STAIRS = "stairs", "stairs, as on BrainKing"


class PaceKey(models.TextChoices):
    """The time control of its games: no live clock, as the challenged player may be away."""

    DAYS = Pace.DAYS.value, "days per move"
    BANK = Pace.BANK.value, "a bank of hours with a bonus per move"


class Side(models.TextChoices):
    """A side of a challenge."""

    CHALLENGER = "challenger", "the challenger"
    CHALLENGED = "challenged", "the challenged"


class Outcome(models.TextChoices):
    """How a challenge ended for the challenger."""

    WON = "won", "won"
    DRAWN = "drawn", "drawn"
    LOST = "lost", "lost"
    VOID = "void", "void"


class Happening(models.TextChoices):
    """The kinds of events in the history of a ladder."""

    OPENED = "opened", "opened the ladder"
    JOINED = "joined", "joined"
    LEFT = "left", "left"
    REMOVED = "removed", "was removed by the staff"
    CHALLENGED = "challenged", "challenged"
    WON = "won", "won a challenge"
    FLED = "fled", "won a challenge that the other did not finish"
    DRAWN = "drawn", "drew a challenge"
    VOID = "void", "had a void challenge"
    MOVED = "moved", "moved"
    PLACED = "placed", "was moved by the staff"
    SANK = "sank", "dropped for being idle"
    CLOSED_UP = "closed-up", "removed empty steps"
    CLOSED = "closed", "closed the ladder"
