"""The rating of each player in each variant, and every change of it."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q


class PlayerRating(models.Model):
    """How strong a player is in a variant; it follows from the player's changes.

    ``points`` is ``value`` rounded, as shown and ranked. ``listed_until`` is when the player leaves the
    leaderboard unless they play again; NULL for somebody who is not on it.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    variant = models.CharField(max_length=32)
    value = models.FloatField()
    deviation = models.FloatField()
    volatility = models.FloatField()
    points = models.SmallIntegerField()
    games = models.PositiveIntegerField(default=0)
    won = models.PositiveIntegerField(default=0)
    drawn = models.PositiveIntegerField(default=0)
    lost = models.PositiveIntegerField(default=0)
    peak = models.SmallIntegerField(null=True, blank=True, help_text="highest points, provisional ones apart")
    updated_at = models.DateTimeField(null=True, blank=True, help_text="when the last game was counted")
    listed_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        """One row for a player and a variant, and an index for each list."""

        constraints = [
            models.UniqueConstraint(fields=["user", "variant"], name="rating_once_in_variant"),
            models.CheckConstraint(
                condition=Q(games=F("won") + F("drawn") + F("lost")), name="rating_counts_its_games"
            ),
            models.CheckConstraint(
                condition=Q(deviation__gt=0, volatility__gt=0), name="rating_has_a_deviation"
            ),
        ]
        indexes = [
            models.Index(
                fields=["variant", "-points", "id", "listed_until"],
                condition=Q(listed_until__isnull=False),
                name="rating_leaders",
            ),
            models.Index(
                fields=["listed_until"], condition=Q(listed_until__isnull=False), name="rating_leaving"
            ),
            models.Index(
                fields=["variant", "-updated_at"],
                condition=Q(listed_until__isnull=True, games__gt=0),
                name="rating_provisional",
            ),
        ]

    def __str__(self) -> str:
        """What the back office calls it."""
        return f"{self.variant} {self.points}"


class Score(models.TextChoices):
    """A player's result in a game."""

    WON = "won", "won"
    DRAWN = "drawn", "drawn"
    LOST = "lost", "lost"


class Change(models.Model):
    """What one game did to one player's rating; the opponent has a row of their own.

    Everything that the new rating follows from is in the row: the rating before and since when, what the
    opponent counted as, the score and the moment. The order of the keys is the order of counting.
    """

    game_id = models.CharField(max_length=32, help_text="the game's public identifier")
    variant = models.CharField(max_length=32)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    opponent = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    score = models.CharField(max_length=8, choices=Score.choices)
    hidden = models.BooleanField(default=False, help_text="the game is its players' own business")
    live = models.BooleanField(
        default=False, help_text="by a live clock, not by days per move or a bank of hours"
    )
    on_time = models.BooleanField(default=False, help_text="the game ended because time ran out")
    at = models.DateTimeField()

    previous_at = models.DateTimeField(null=True, blank=True, help_text="when the game before was counted")
    value_before = models.FloatField()
    deviation_before = models.FloatField()
    volatility_before = models.FloatField()
    opponent_value = models.FloatField()
    opponent_deviation = models.FloatField()
    value = models.FloatField()
    deviation = models.FloatField()
    volatility = models.FloatField()

    class Meta:
        """A game counts once for each of the two."""

        constraints = [
            models.UniqueConstraint(fields=["game_id", "user"], name="change_once_for_a_game"),
            models.CheckConstraint(condition=Q(score__in=Score.values), name="change_score_known"),
            models.CheckConstraint(condition=~Q(user=F("opponent")), name="change_of_two_people"),
        ]
        indexes = [
            models.Index(fields=["user", "variant", "id"], name="change_of_user"),
            models.Index(fields=["variant", "id"], name="change_in_order"),
            models.Index(fields=["at"], name="change_by_date"),
        ]

    def __str__(self) -> str:
        """What the back office calls it."""
        return f"{self.variant} {self.game_id}"


class Distribution(models.Model):
    """How many on the leaderboard of a variant have how many points, as it was counted some minutes ago."""

    variant = models.CharField(max_length=32, primary_key=True)
    counts = models.JSONField(help_text="players by points")
    counted_at = models.DateTimeField()

    def __str__(self) -> str:
        """What the back office calls it."""
        return f"{self.variant} {self.counted_at:%Y-%m-%d %H:%M}"


class TakenBack(models.Model):
    """A game that was counted and then annulled: later ratings are recalculated."""

    game_id = models.CharField(max_length=32, unique=True, help_text="the game's public identifier")
    variant = models.CharField(max_length=32)
    since = models.BigIntegerField(help_text="the key of its first change")
    first = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    second = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    recounted = models.BooleanField(default=False)
    claimed_until = models.DateTimeField(
        null=True, blank=True, help_text="a worker is at it; after this time it is presumed dead"
    )

    class Meta:
        """The rows that wait are few and found at once."""

        verbose_name = "game that no longer counts"
        verbose_name_plural = "games that no longer count"
        indexes = [
            models.Index(fields=["id"], condition=Q(recounted=False), name="taken_back_waiting"),
        ]

    def __str__(self) -> str:
        """What the back office calls it."""
        return f"{self.variant} {self.game_id}"
