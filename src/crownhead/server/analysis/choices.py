"""The few values of columns of studies and reviews, how closely games are reviewed, and how much is kept."""

from __future__ import annotations

from enum import IntEnum

from django.db import models


class Progress(models.TextChoices):
    """How far a piece of work is."""

    WAITING = "waiting"
    THINKING = "thinking"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"


class Depth(IntEnum):
    """How closely a game is reviewed: positions looked at for each of its moves."""

    QUICK = 100_000
    DEEP = 1_000_000


LONGEST_LINE = 12  # plies kept of a line
RUNNING = (Progress.WAITING, Progress.THINKING)
