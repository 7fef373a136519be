"""What members have solved. The problems themselves come with the package and have no rows."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q


class Solver(models.Model):
    """How well a member solves problems, and on how many days in a row; it follows from their attempts.

    ``streak`` counts the days up to ``solved_on``, the last day (UTC) on which they solved one.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    value = models.FloatField()
    deviation = models.FloatField()
    volatility = models.FloatField()
    tried = models.PositiveIntegerField(default=0)
    solved = models.PositiveIntegerField(default=0)
    streak = models.PositiveIntegerField(default=0)
    best_streak = models.PositiveIntegerField(default=0)
    solved_on = models.DateField(null=True, blank=True)
    rated_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """Nobody solves more than they try."""

        constraints = [
            models.CheckConstraint(condition=Q(solved__lte=F("tried")), name="solver_tried_what_they_solved"),
            models.CheckConstraint(condition=Q(streak__lte=F("best_streak")), name="solver_best_streak"),
        ]

    def __str__(self) -> str:
        """What the back office calls it."""
        return f"{round(self.value)}"


class Attempt(models.Model):
    """A member's first try at a problem; later ones change nothing and are not kept.

    ``rated``: whether it changed the solving rating, which is so for problems that the club chose.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    problem = models.CharField(max_length=16, help_text="the problem's key")
    solved = models.BooleanField()
    rated = models.BooleanField(default=True, db_default=True)
    at = models.DateTimeField()
    before = models.SmallIntegerField(help_text="the solving rating before")
    after = models.SmallIntegerField(help_text="the solving rating after")

    class Meta:
        """A problem counts once for each member."""

        constraints = [
            models.UniqueConstraint(fields=["user", "problem"], name="attempt_once_at_problem"),
        ]

    def __str__(self) -> str:
        """What the back office calls it."""
        return self.problem
