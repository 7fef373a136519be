"""The few values that columns of studies and reviews can have, and how much is kept of a line."""

from __future__ import annotations

from django.db import models


class Progress(models.TextChoices):
    """How far a piece of work is."""

    WAITING = "waiting"
    THINKING = "thinking"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"


LONGEST_LINE = 12  # plies kept of a line
RUNNING = (Progress.WAITING, Progress.THINKING)
