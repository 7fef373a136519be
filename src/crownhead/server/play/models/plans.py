"""Conditional moves."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from crownhead.server.play.choices import Seat
from crownhead.server.play.models.fields import OrderedJSON


class Plan(models.Model):
    """A player's conditional moves, from the position after ``ply`` moves.

    ``tree`` maps each move of the opponent (a full PDN token) to ``{"answer": token, "then": tree}``; an
    ``own`` one maps moves of the owner, who is on turn, to such trees. ``version`` grows with every change
    and step; an emptied plan keeps its row, so that no version comes twice.
    """

    game = models.ForeignKey("play.Game", on_delete=models.CASCADE, related_name="+", db_index=False)
    seat = models.CharField(max_length=8, choices=Seat.choices)
    ply = models.PositiveIntegerField()
    own = models.BooleanField(default=False, help_text="begins with moves of the owner's, not made yet")
    tree = OrderedJSON(default=dict)
    version = models.PositiveIntegerField(default=1)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "seat"], name="plan_once_a_seat"),
            models.CheckConstraint(condition=Q(seat__in=Seat.values), name="plan_of_a_seat"),
        ]

    def __str__(self) -> str:
        """What the back office calls it."""
        return f"{self.game_id} {self.seat} {self.version}"
