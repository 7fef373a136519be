"""What is said about a game: private notes, and chat between its players."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from crownhead.server.play.choices import Seat


class Note(models.Model):
    """A player's private note about a game."""

    game = models.ForeignKey("play.Game", on_delete=models.CASCADE, related_name="+", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    text = models.TextField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "user"], name="note_once_a_game")]

    def __str__(self) -> str:
        """What the back office calls it."""
        return f"{self.game_id} {self.user_id}"


class ChatLine(models.Model):
    """What one player says to the other; ``ply``: how many moves had been made."""

    game = models.ForeignKey("play.Game", on_delete=models.CASCADE, related_name="+", db_index=False)
    seat = models.CharField(max_length=8, choices=Seat.choices)
    text = models.TextField()
    ply = models.PositiveIntegerField()
    written_at = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(seat__in=Seat.values), name="chat_of_a_seat")]
        indexes = [models.Index(fields=["game", "id"], name="chat_of_game")]

    def __str__(self) -> str:
        """What the back office calls it."""
        return f"{self.game_id} {self.seat} {self.ply}"
