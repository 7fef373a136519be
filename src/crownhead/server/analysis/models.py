"""What is kept of the engine's work: positions looked at, reviews of games, and what members may ask."""

from __future__ import annotations

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q

import crownhead
from crownhead.server.analysis.choices import Progress
from crownhead.server.core.ids import new_id

MAX_SECONDS = 600  # seconds, whatever the staff allow


class Study(models.Model):
    """A position that somebody wants looked at; ``report`` is what is known of it by now.

    With a ``level`` only a computer's move is wanted, on a board that is stored nowhere. ``moves`` lead to
    it from ``start_fen``. ``caller`` is the requester: a user, or a guest's address.
    """

    public_id = models.CharField(max_length=32, unique=True, default=new_id, editable=False)
    caller = models.CharField(max_length=80)
    variant = models.CharField(max_length=32)
    start_fen = models.CharField(max_length=400)
    moves = models.TextField(blank=True, default="")
    lines = models.PositiveSmallIntegerField()
    seconds = models.PositiveSmallIntegerField()
    level = models.PositiveSmallIntegerField(null=True, blank=True)
    progress = models.CharField(max_length=8, choices=Progress.choices, default=Progress.WAITING)
    stop_asked = models.BooleanField(default=False)
    left_at = models.DateTimeField(null=True, blank=True, help_text="when the last who followed it went")
    report = models.JSONField(null=True, blank=True)
    created_at = models.DateTimeField(db_index=True)
    begun_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """A caller's running studies are looked up for each new one."""

        verbose_name_plural = "studies"
        constraints = [
            models.CheckConstraint(condition=Q(progress__in=Progress.values), name="study_progress_known")
        ]
        indexes = [
            models.Index(
                fields=["caller"], condition=Q(progress__in=["waiting", "thinking"]), name="study_running"
            )
        ]

    def __str__(self) -> str:
        return f"{self.variant} {self.public_id}"

    def replay(self) -> crownhead.Game:
        """The moves, played; no draw rule ends them."""
        replay = crownhead.Game(self.variant, start=self.start_fen, draw_rules="none")
        for move in self.moves.split():
            replay.push(move)
        return replay


class Review(models.Model):
    """A finished game looked at ply by ply with so many ``nodes`` each, once for all readers.

    ``plies`` holds a report on each position of the game, in order: see ``reviews.steps``.
    """

    public_id = models.CharField(max_length=32, unique=True, default=new_id, editable=False)
    game_id = models.CharField(max_length=32)
    nodes = models.PositiveIntegerField()
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, related_name="+", null=True, blank=True
    )
    progress = models.CharField(max_length=8, choices=Progress.choices, default=Progress.WAITING)
    plies = models.JSONField(default=list, blank=True)
    total = models.PositiveIntegerField()
    created_at = models.DateTimeField()
    touched_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """One for each game and depth; those not finished are looked after."""

        constraints = [
            models.UniqueConstraint(fields=["game_id", "nodes"], name="review_once_per_depth"),
            models.CheckConstraint(condition=Q(progress__in=Progress.values), name="review_progress_known"),
        ]
        indexes = [models.Index(fields=["progress", "touched_at"], name="review_running")]

    def __str__(self) -> str:
        return f"{self.game_id} {self.nodes}"


class Allowance(models.Model):
    """What the staff allow one member; what is empty is as for all."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    games = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="against the computer at once; empty: as many as all may have"
    )
    seconds = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(MAX_SECONDS)],
        help_text="the longest that a position is looked at; empty: as long as for all",
    )
    shut = models.BooleanField(default=False, help_text="no analyses, no reviews, no new games")
    reason = models.CharField(max_length=300, help_text="read by the member where it is shut")
    set_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, related_name="+", null=True, editable=False
    )
    set_at = models.DateTimeField(editable=False)

    class Meta:
        """One for each member."""

        constraints = [
            models.CheckConstraint(
                condition=Q(seconds__isnull=True) | Q(seconds__range=(1, MAX_SECONDS)),
                name="allowance_seconds_known",
            )
        ]

    def __str__(self) -> str:
        return str(self.user_id)
