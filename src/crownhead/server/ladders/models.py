"""The models of ladders: members, challenges with their games, and the history."""

from __future__ import annotations

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q

from crownhead.server.core.ids import new_id
from crownhead.server.core.texts import LineField
from crownhead.server.ladders.choices import Happening, Outcome, PaceKey, Side, Style
from crownhead.server.play.clocks.time_control import MAX_DAYS, MIN_DAYS

_USER = settings.AUTH_USER_MODEL


class Ladder(models.Model):
    """A ladder of one variant, style and time control; its terms never change while it is open."""

    public_id = models.CharField(max_length=32, unique=True, default=new_id, editable=False)
    variant = models.CharField(max_length=32)
    style = models.CharField(max_length=8, choices=Style.choices, default=Style.PLACES)
    title = LineField(
        max_length=60,
        blank=True,
        default="",
        help_text="leave empty to name it after its game and time control",
    )
    pace = models.CharField(max_length=8, choices=PaceKey.choices, default=PaceKey.DAYS)
    time = models.PositiveSmallIntegerField(
        default=3, validators=[MinValueValidator(1)], help_text="days per move, or hours at the start"
    )
    bonus = models.PositiveSmallIntegerField(default=0, help_text="hours that a move adds")
    limit = models.PositiveSmallIntegerField(default=0, help_text="maximum of hours on a clock")
    weekends_off = models.BooleanField(default=False)
    vacation = models.BooleanField(default=True, help_text="vacations stop the clocks of its games")
    rated = models.BooleanField(default=True)
    draw_rules = models.CharField(max_length=32, default="official")
    games = models.PositiveSmallIntegerField(
        default=1,
        validators=[MinValueValidator(1), MaxValueValidator(2)],
        help_text="of a challenge: 1, or 2 with the sides swapped",
    )
    idle_days = models.PositiveSmallIntegerField(
        default=60, help_text="idle members drop after so many days; 0: never"
    )
    size = models.PositiveIntegerField(default=0, help_text="number of members")
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """No two open ladders are alike."""

        constraints = [
            models.CheckConstraint(condition=Q(style__in=Style.values), name="ladder_style_known"),
            models.CheckConstraint(
                condition=Q(pace=PaceKey.DAYS, time__gte=MIN_DAYS, time__lte=MAX_DAYS, bonus=0, limit=0)
                | Q(pace=PaceKey.BANK, time__gte=1, limit__gte=F("time")),
                name="ladder_clock_of_its_pace",
            ),
            models.CheckConstraint(condition=Q(games__in=[1, 2]), name="ladder_games_one_or_two"),
            models.UniqueConstraint(
                fields=["variant", "style", "pace", "time", "bonus", "limit", "weekends_off", "games"],
                condition=Q(closed_at__isnull=True),
                name="ladder_open_once",
            ),
        ]

    def __str__(self) -> str:
        """The name in the back office."""
        return f"{self.variant} {self.style} {self.public_id}"


class Member(models.Model):
    """A member of a ladder: on a ``place`` of their own or on a ``step`` shared with others, both from 1."""

    ladder = models.ForeignKey(Ladder, on_delete=models.PROTECT, related_name="members", db_index=False)
    user = models.ForeignKey(_USER, on_delete=models.PROTECT, related_name="+", db_index=False)
    place = models.PositiveIntegerField(null=True, blank=True)
    step = models.PositiveIntegerField(null=True, blank=True)
    joined_at = models.DateTimeField()
    active_at = models.DateTimeField(help_text="when the member last joined, challenged or finished a game")
    won = models.PositiveIntegerField(default=0)
    drawn = models.PositiveIntegerField(default=0)
    lost = models.PositiveIntegerField(default=0)

    class Meta:
        """Everybody once, every place once."""

        constraints = [
            models.UniqueConstraint(fields=["user", "ladder"], name="member_once_on_ladder"),
            models.UniqueConstraint(fields=["ladder", "place"], name="member_alone_on_his_place"),
            models.CheckConstraint(
                condition=Q(place__gte=1, step__isnull=True) | Q(step__gte=1, place__isnull=True),
                name="member_on_a_place_or_a_step",
            ),
        ]
        indexes = [
            models.Index(fields=["ladder", "-step", "id"], name="member_by_step"),
            models.Index(fields=["ladder", "active_at"], name="member_by_activity"),
        ]

    def __str__(self) -> str:
        """The name in the back office."""
        return f"{self.ladder_id} {self.user_id}"

    @property
    def rank(self) -> int:
        """The place or the step."""
        rank = self.step if self.place is None else self.place
        assert rank is not None
        return rank


class Challenge(models.Model):
    """A member's challenge to another; open until its games are over."""

    ladder = models.ForeignKey(Ladder, on_delete=models.PROTECT, related_name="challenges", db_index=False)
    challenger = models.ForeignKey(_USER, on_delete=models.PROTECT, related_name="+", db_index=False)
    challenged = models.ForeignKey(_USER, on_delete=models.PROTECT, related_name="+", db_index=False)
    made_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    outcome = models.CharField(max_length=8, choices=Outcome.choices, blank=True, default="")
    challenger_rank = models.PositiveIntegerField(help_text="when the challenge was made")
    challenged_rank = models.PositiveIntegerField(help_text="when the challenge was made")

    class Meta:
        """Nobody challenges the same person twice at once."""

        constraints = [
            models.UniqueConstraint(
                fields=["ladder", "challenger", "challenged"],
                condition=Q(ended_at__isnull=True),
                name="challenge_open_once",
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True, outcome="")
                | Q(ended_at__isnull=False, outcome__in=Outcome.values),
                name="challenge_ends_with_an_outcome",
            ),
            models.CheckConstraint(condition=~Q(challenger=F("challenged")), name="challenge_of_two_people"),
        ]
        indexes = [
            models.Index(fields=["ladder", "-id"], name="challenge_of_ladder"),
            models.Index(fields=["ladder", "challenger", "made_at"], name="challenge_by"),
            models.Index(fields=["ladder", "challenged", "made_at"], name="challenge_to"),
            models.Index(fields=["challenger"], condition=Q(ended_at__isnull=True), name="challenge_open_by"),
            models.Index(fields=["challenged"], condition=Q(ended_at__isnull=True), name="challenge_open_to"),
        ]

    def __str__(self) -> str:
        """The name in the back office."""
        return f"{self.ladder_id} {self.challenger_id} – {self.challenged_id}"


class ChallengeGame(models.Model):
    """A game of a challenge; ``points`` are the challenger's, in halves, null while it goes on."""

    challenge = models.ForeignKey(Challenge, on_delete=models.CASCADE, related_name="games", db_index=False)
    number = models.PositiveSmallIntegerField()
    game_id = models.CharField(max_length=32, unique=True, help_text="the game's public identifier")
    points = models.PositiveSmallIntegerField(null=True, blank=True)
    opponent_points = models.PositiveSmallIntegerField(null=True, blank=True)
    fled = models.CharField(
        max_length=16,
        choices=Side.choices,
        blank=True,
        default="",
        help_text="the side that did not finish the game",
    )
    over = models.BooleanField(default=False)

    class Meta:
        """Each game once."""

        constraints = [
            models.UniqueConstraint(fields=["challenge", "number"], name="challenge_game_numbered"),
            models.CheckConstraint(
                condition=Q(points__isnull=True, opponent_points__isnull=True)
                | Q(points__lte=2, opponent_points__lte=2, over=True),
                name="challenge_game_points_when_over",
            ),
        ]
        indexes = [
            models.Index(fields=["challenge"], condition=Q(over=False), name="challenge_games_open"),
        ]

    def __str__(self) -> str:
        """The name in the back office."""
        return self.game_id


class Line(models.Model):
    """An entry of a ladder's history; never changed. ``before`` and ``after`` are places or steps."""

    ladder = models.ForeignKey(Ladder, on_delete=models.PROTECT, related_name="lines", db_index=False)
    at = models.DateTimeField()
    kind = models.CharField(max_length=16, choices=Happening.choices)
    user = models.ForeignKey(_USER, on_delete=models.PROTECT, related_name="+", null=True, db_index=False)
    other = models.ForeignKey(_USER, on_delete=models.PROTECT, related_name="+", null=True, db_index=False)
    staff = models.ForeignKey(
        _USER,
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
        db_index=False,
        help_text="the member of the staff who did it",
    )
    before = models.PositiveIntegerField(null=True)
    after = models.PositiveIntegerField(null=True)
    game_id = models.CharField(max_length=32, blank=True, default="")
    reason = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        """Read from the latest, for a ladder or a member."""

        indexes = [
            models.Index(fields=["ladder", "-id"], name="line_of_ladder"),
            models.Index(fields=["ladder", "user", "-id"], name="line_of_member"),
        ]

    def __str__(self) -> str:
        """The name in the back office."""
        return f"{self.ladder_id} {self.kind}"
