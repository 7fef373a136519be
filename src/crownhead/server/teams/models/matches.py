"""The models of team matches: their terms, line-ups, boards and games."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from crownhead.server.core.ids import new_id
from crownhead.server.teams.choices import MatchStatus, Side


class TeamMatch(models.Model):
    """A match of two teams; ``terms``: of each game, see ``selectors.terms``; points are in halves."""

    public_id = models.CharField(max_length=32, unique=True, default=new_id, editable=False)
    home = models.ForeignKey("teams.Team", on_delete=models.PROTECT, related_name="+", db_index=False)
    away = models.ForeignKey("teams.Team", on_delete=models.PROTECT, related_name="+", db_index=False)
    status = models.CharField(max_length=16, choices=MatchStatus.choices, default=MatchStatus.PROPOSED)
    variant = models.CharField(max_length=32)
    terms = models.JSONField()
    boards = models.PositiveSmallIntegerField()
    games_each = models.PositiveSmallIntegerField(help_text="on a board: one, or two with the sides swapped")
    message = models.TextField(blank=True, default="")
    home_points = models.PositiveSmallIntegerField(default=0, help_text="in half points")
    away_points = models.PositiveSmallIntegerField(default=0, help_text="in half points")
    proposed_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "team matches"
        constraints = [
            models.CheckConstraint(condition=~Q(home=F("away")), name="team_match_of_two_teams"),
            models.CheckConstraint(
                condition=Q(status__in=MatchStatus.values), name="team_match_status_known"
            ),
            models.CheckConstraint(
                condition=Q(boards__gte=1, games_each__gte=1, games_each__lte=2), name="team_match_has_games"
            ),
        ]
        indexes = [
            models.Index(fields=["home", "-id"], name="team_match_at_home"),
            models.Index(fields=["away", "-id"], name="team_match_away"),
            models.Index(fields=["status", "proposed_at"], name="team_match_by_state"),
        ]

    def __str__(self) -> str:
        """The name in the back office."""
        return f"{self.home_id} {self.away_id} {self.public_id}"


class Availability(models.Model):
    """A member of one of the two teams has said that they can play in a match."""

    match = models.ForeignKey(TeamMatch, on_delete=models.CASCADE, related_name="available", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    side = models.CharField(max_length=8, choices=Side.choices)
    said_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "availabilities"
        constraints = [
            models.UniqueConstraint(fields=["match", "user"], name="availability_once"),
            models.CheckConstraint(condition=Q(side__in=Side.values), name="availability_for_a_side"),
        ]

    def __str__(self) -> str:
        """The name in the back office."""
        return f"{self.match_id} {self.user_id}"


class LineUp(models.Model):
    """The players of a side in the order of the boards, submitted by its captain."""

    match = models.ForeignKey(TeamMatch, on_delete=models.CASCADE, related_name="line_ups")
    side = models.CharField(max_length=8, choices=Side.choices)
    players = models.JSONField(help_text="keys of users, by board")
    filed_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "side"], name="line_up_once"),
            models.CheckConstraint(condition=Q(side__in=Side.values), name="line_up_of_a_side"),
        ]

    def __str__(self) -> str:
        """The name in the back office."""
        return f"{self.match_id} {self.side}"


class Board(models.Model):
    """Two players of a match who meet; ``lost_by``: the side that loses it because they did not."""

    match = models.ForeignKey(TeamMatch, on_delete=models.CASCADE, related_name="tables", db_index=False)
    number = models.PositiveSmallIntegerField()
    home_player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    away_player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    opening = models.PositiveSmallIntegerField(null=True, blank=True, help_text="number of the ballot")
    lost_by = models.CharField(
        max_length=8,
        choices=Side.choices,
        blank=True,
        default="",
        db_default="",
        help_text="without a game, because their player did not play",
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "number"], name="board_once")]

    def __str__(self) -> str:
        """The name in the back office."""
        return f"{self.match_id} {self.number}"


class BoardGame(models.Model):
    """A game on a board. An annulled one keeps its row; the game that replaces it is ``attempt`` + 1.

    Points are in halves, null until the game counts, and 0 for both if both forfeited.
    """

    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="games", db_index=False)
    number = models.PositiveSmallIntegerField(help_text="first or second game of the board")
    attempt = models.PositiveSmallIntegerField(default=1)
    home_is_first = models.BooleanField()
    game_id = models.CharField(max_length=32, unique=True)
    home_points = models.PositiveSmallIntegerField(null=True, blank=True)
    away_points = models.PositiveSmallIntegerField(null=True, blank=True)
    annulled = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["board", "number", "attempt"], name="board_game_once"),
            models.CheckConstraint(
                condition=Q(home_points__isnull=True, away_points__isnull=True)
                | Q(home_points__lte=2, away_points__lte=2),
                name="board_game_half_points",
            ),
        ]

    def __str__(self) -> str:
        """The name in the back office."""
        return f"{self.board_id} {self.number} {self.game_id}"
