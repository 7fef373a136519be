"""The models of fair play: traces that members share, and what they asked the engine in their own games."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy

from crownhead.server.fair_play.choices import Trace

LONGEST_FEN = 400


class Sighting(models.Model):
    """A member acted from an address, or with a browser that carries a cookie; deleted after a month.

    ``digest`` is a keyed hash: it says that two members share something, and nothing about what it is.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    trace = models.CharField(max_length=8, choices=Trace.choices)
    digest = models.CharField(max_length=64)
    first_at = models.DateTimeField()
    last_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "trace", "digest"], name="sighting_once"),
            models.CheckConstraint(condition=Q(trace__in=Trace.values), name="sighting_trace_known"),
            models.CheckConstraint(condition=Q(last_at__gte=F("first_at")), name="sighting_in_order"),
        ]
        indexes = [models.Index(fields=["digest"], name="sighting_digest")]

    def __str__(self) -> str:
        """The name in the back office."""
        return f"{self.user_id} {self.trace}"


class EngineRequest(models.Model):
    """A player asked the engine about a position like one of their running game, and was refused."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    game_id = models.CharField(max_length=32, help_text="the game's public identifier")
    variant = models.CharField(max_length=32, help_text="the one that was asked about")
    fen = models.CharField(max_length=LONGEST_FEN, verbose_name="FEN")
    ply = models.PositiveIntegerField(help_text="of the game, when they asked first")
    times = models.PositiveIntegerField(default=1)
    first_at = models.DateTimeField()
    last_at = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name = gettext_lazy("engine request in a running game")
        verbose_name_plural = gettext_lazy("engine requests in running games")
        constraints = [
            models.UniqueConstraint(fields=["user", "game_id", "variant", "fen"], name="engine_request_once")
        ]

    def __str__(self) -> str:
        """The name in the back office."""
        return f"{self.user_id} {self.game_id}"


class RatingReport(Sighting):
    """The entry of the back office that shows the report; it has no rows of its own."""

    class Meta:
        proxy = True
        verbose_name = gettext_lazy("report on rated games")
        verbose_name_plural = gettext_lazy("report on rated games")

    def __str__(self) -> str:
        """The name in the back office."""
        return f"{self.user_id}"
