"""The rows that go with games and players: matches, invitations, plans, words, requests, vacations."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from crownhead.server.core.ids import new_id
from crownhead.server.play.choices import Claim, MatchKind, Seat, StaffVerb
from crownhead.server.play.columns import OrderedJSON


class Match(models.Model):
    """Games of two players that count together; the score is kept in half points."""

    public_id = models.CharField(max_length=32, unique=True, default=new_id, editable=False)
    kind = models.CharField(max_length=8, choices=MatchKind.choices)
    length = models.PositiveSmallIntegerField(help_text="games, or wins")
    creator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    opponent = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True, blank=True
    )
    creator_score = models.PositiveSmallIntegerField(default=0, help_text="in half points")
    opponent_score = models.PositiveSmallIntegerField(default=0, help_text="in half points")
    creator_wins = models.PositiveSmallIntegerField(default=0)
    opponent_wins = models.PositiveSmallIntegerField(default=0)
    opening = models.PositiveSmallIntegerField(null=True, blank=True, help_text="the ballot chosen for all")
    created_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=MatchKind.values), name="match_kind_known"),
            models.CheckConstraint(condition=Q(length__gte=2), name="match_of_several"),
            models.CheckConstraint(
                condition=Q(opponent__isnull=True) | ~Q(opponent=F("creator")), name="match_of_two_people"
            ),
        ]

    def __str__(self) -> str:
        """What the back office calls it."""
        return f"{self.kind} {self.length} {self.public_id}"


class Invitation(models.Model):
    """What goes with a game that is offered to one: a message, and the link sent to a stranger's address."""

    game = models.OneToOneField("play.Game", on_delete=models.CASCADE, related_name="invitation")
    message = models.TextField(blank=True, default="")
    email = models.EmailField(blank=True, default="")
    token = models.CharField(max_length=64, blank=True, default="", help_text="of the link in the mail")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["token"], condition=~Q(token=""), name="invitation_link_once"),
            models.CheckConstraint(
                condition=Q(email="", token="") | (~Q(email="") & ~Q(token="")),
                name="invitation_link_by_mail",
            ),
        ]

    def __str__(self) -> str:
        """What the back office calls it."""
        return f"{self.game_id}"


class Vacation(models.Model):
    """Whole hours of a player's vacation in one year, set in advance or used as a time ran out."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    begins_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    year = models.PositiveSmallIntegerField(help_text="in UTC, whose budget pays for it")
    hours = models.PositiveSmallIntegerField()
    automatic = models.BooleanField(default=False, help_text="used as a time ran out")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(hours__gt=0, ends_at__gt=F("begins_at")), name="vacation_has_hours"
            ),
        ]
        indexes = [models.Index(fields=["user", "year"], name="vacation_of_user")]

    def __str__(self) -> str:
        """What the back office calls it."""
        return f"{self.user_id} {self.begins_at:%Y-%m-%d %H:%M} {self.hours} h"


class Note(models.Model):
    """What a player writes about a game for himself alone."""

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


class Plan(models.Model):
    """A player's conditional moves: what he answers to what, from the position after ``ply`` moves on.

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


class Appeal(models.Model):
    """A player asks the staff to declare a win or a draw, and what they answered."""

    game = models.ForeignKey("play.Game", on_delete=models.CASCADE, related_name="+")
    seat = models.CharField(max_length=8, choices=Seat.choices)
    claim = models.CharField(max_length=8, choices=Claim.choices)
    reason = models.TextField()
    asked_at = models.DateTimeField()
    granted = models.BooleanField(null=True)
    answer = models.TextField(blank=True, default="")
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True, blank=True
    )
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["game", "seat"], condition=Q(answered_at__isnull=True), name="appeal_open_once"
            ),
            models.CheckConstraint(
                condition=Q(answered_at__isnull=True, granted__isnull=True)
                | Q(answered_at__isnull=False, granted__isnull=False),
                name="appeal_answered_or_not",
            ),
        ]
        indexes = [models.Index(fields=["answered_at", "asked_at"], name="appeal_to_answer")]

    def __str__(self) -> str:
        """What the back office calls it."""
        return f"{self.game_id} {self.seat} {self.claim}"


class StaffAct(models.Model):
    """What a member of the staff, or the director of a contest, did to a game, and why; never changed."""

    game = models.ForeignKey("play.Game", on_delete=models.CASCADE, related_name="staff_acts")
    staff = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    as_director = models.BooleanField(default=False, help_text="of the contest that the game belongs to")
    verb = models.CharField(max_length=16, choices=StaffVerb.choices)
    result = models.CharField(max_length=8, blank=True, default="")
    reason = models.TextField()
    done_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(verb__in=StaffVerb.values), name="staff_verb_known"),
            models.CheckConstraint(condition=~Q(reason=""), name="staff_give_a_reason"),
        ]

    def __str__(self) -> str:
        """What the back office calls it."""
        return f"{self.game_id} {self.verb}"
