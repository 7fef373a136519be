"""The models of rounds: pairings, their games, and appointments for live games."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from crownhead.contest import Bye, ResultKind
from crownhead.server.competitions.choices import Meeting
from crownhead.server.core.texts import LineField

_HOW = [(how.value, how.value) for how in ResultKind]
_BYES = [(bye.value, bye.value) for bye in Bye]


class Round(models.Model):
    """Pairings made together; in an arena one wave of them.

    ``starts_at``: when its games start; null while the round is on hold. ``deadline``: when games start whose
    players have not agreed on a time.
    """

    tournament = models.ForeignKey(
        "competitions.Tournament", on_delete=models.CASCADE, related_name="rounds", db_index=False
    )
    number = models.PositiveIntegerField()
    made_at = models.DateTimeField()
    starts_at = models.DateTimeField(null=True, blank=True)
    deadline = models.DateTimeField(null=True, blank=True)
    told_at = models.DateTimeField(null=True, blank=True, help_text="when the players were notified")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tournament", "number"], name="round_once")]

    def __str__(self) -> str:
        """The name in the back office."""
        return f"{self.tournament_id} {self.number}"


class Pairing(models.Model):
    """Two entrants of a round, or one with a bye; the fields are those of ``contest.Pairing``."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="pairings", db_index=False)
    table = models.PositiveIntegerField()
    first = models.ForeignKey("competitions.Entrant", on_delete=models.PROTECT, related_name="+")
    second = models.ForeignKey(
        "competitions.Entrant", on_delete=models.PROTECT, related_name="+", null=True, blank=True
    )
    section = models.PositiveIntegerField(default=0)
    planned = models.PositiveSmallIntegerField(default=1)
    wins = models.PositiveSmallIntegerField(default=0)
    most = models.PositiveSmallIntegerField(default=0)
    replays = models.PositiveSmallIntegerField(default=0)
    ballot = models.PositiveIntegerField(default=0)
    bye = models.CharField(max_length=8, choices=_BYES, blank=True, default="")
    adjourned = models.BooleanField(default=False)
    stage = LineField(max_length=80, copied=True, blank=True, default="")
    starts_at = models.DateTimeField(null=True, blank=True, help_text="the time that both players agreed on")
    reminded_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "table"], name="pairing_once"),
            models.CheckConstraint(
                condition=(Q(second__isnull=True) & ~Q(bye=""))
                | (Q(second__isnull=False, bye="") & ~Q(second=F("first"))),
                name="pairing_of_two_or_bye",
            ),
        ]

    def __str__(self) -> str:
        """The name in the back office."""
        return f"{self.round_id} {self.table}"


class PairingGame(models.Model):
    """A game of a pairing. One that does not count and is played again is ``replaced``.

    ``game_id`` is null if a director decided a game that never started. Points are in halves, null while the
    game goes on.
    """

    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="games", db_index=False)
    number = models.PositiveIntegerField()
    attempt = models.PositiveSmallIntegerField(default=1)
    swapped = models.BooleanField(help_text="the pairing's second player has the first side")
    game_id = models.CharField(max_length=32, unique=True, null=True, blank=True)
    first_points = models.PositiveSmallIntegerField(null=True, blank=True, help_text="of the first side")
    second_points = models.PositiveSmallIntegerField(null=True, blank=True)
    how = models.CharField(max_length=16, choices=_HOW, default=ResultKind.PLAYED.value)
    replaced = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["pairing", "number", "attempt"], name="pairing_game_once"),
            models.UniqueConstraint(
                fields=["pairing", "number"], condition=Q(replaced=False), name="pairing_game_that_counts"
            ),
            models.CheckConstraint(
                condition=Q(first_points__isnull=True, second_points__isnull=True)
                | Q(first_points__lte=2, second_points__lte=2),
                name="pairing_game_half_points",
            ),
        ]

    def __str__(self) -> str:
        """The name in the back office."""
        return f"{self.pairing_id} {self.number} {self.game_id}"


class Appointment(models.Model):
    """A time that one player of a live pairing proposes to the other."""

    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="appointments")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    status = models.CharField(max_length=16, choices=Meeting.choices, default=Meeting.PROPOSED)
    made_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["pairing", "by"], condition=Q(status="proposed"), name="appointment_open_once"
            ),
            models.CheckConstraint(condition=Q(status__in=Meeting.values), name="appointment_status_known"),
        ]

    def __str__(self) -> str:
        """The name in the back office."""
        return f"{self.pairing_id} {self.at:%Y-%m-%d %H:%M}"
