"""The sign of life of the site, and the times without one."""

from __future__ import annotations

from django.db import models
from django.db.models import Q


class Heartbeat(models.Model):
    """The one row in which a process that serves pages says again and again that people can play.

    ``boot`` and ``boot_seconds``: on which start of which machine, and how many seconds that had counted,
    so that a process which starts later can tell a clock that has jumped from a site that was away.
    """

    at = models.DateTimeField()
    boot = models.CharField(max_length=64, blank=True, default="")
    boot_seconds = models.FloatField(default=0)

    def __str__(self) -> str:
        """What the back office calls it."""
        return f"{self.at:%Y-%m-%d %H:%M:%S}"


class OutageRow(models.Model):
    """A time in which nobody could play, and how far it is made up for.

    ``step`` is what is being made up for, ``after`` the key of the last row seen to: `background.outages`.
    """

    begins_at = models.DateTimeField()
    ends_at = models.DateTimeField(help_text="before its beginning where the clock was set back")
    step = models.CharField(max_length=40, blank=True, default="")
    after = models.BigIntegerField(default=0)
    games = models.PositiveIntegerField(default=0, help_text="whose clocks were set right")
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = "outage"
        indexes = [models.Index(fields=["id"], condition=Q(done_at__isnull=True), name="outage_open")]

    def __str__(self) -> str:
        """What the back office calls it."""
        return f"{self.begins_at:%Y-%m-%d %H:%M} – {self.ends_at:%Y-%m-%d %H:%M}"
