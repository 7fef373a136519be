"""Matches of several games, and invitations to one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from crownhead.server.core.ids import new_id
from crownhead.server.play.choices import MatchKind

if TYPE_CHECKING:
    from crownhead.server.play.models.games import Game


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
        verbose_name_plural = "matches"
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

    @property
    def goes_on(self) -> bool:
        """Whether another game begins after the one that is played, unless a player ends the match."""
        return self.kind != MatchKind.TWO and self.opponent_id is not None and self.ended_at is None


class Invitations(models.QuerySet["Invitation"]):
    """Selections of invitations."""

    def again_after(self, game: Game) -> Self:
        """Matches after which a game is offered again; the index holds only these, as SQLite must know."""
        return self.filter(again_of=game.public_id).exclude(again_of="")


class Invitation(models.Model):
    """What goes with a game that is offered to one: a message, or a link for anybody who is given it.

    ``email``: the address that the link was sent to; empty where its maker passes it on.
    """

    game = models.OneToOneField("play.Game", on_delete=models.CASCADE, related_name="invitation")
    message = models.TextField(blank=True, default="")
    email = models.EmailField(blank=True, default="")
    token = models.CharField(max_length=64, blank=True, default="", help_text="of the link")
    again_of = models.CharField(
        max_length=32, blank=True, default="", help_text="the game after which this one is offered"
    )

    objects = Invitations.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["again_of"], condition=~Q(again_of=""), name="invitation_again"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["token"], condition=~Q(token=""), name="invitation_link_once"),
            models.CheckConstraint(
                condition=Q(email="") | ~Q(token=""),
                name="invitation_link_by_mail",
            ),
        ]

    def __str__(self) -> str:
        """What the back office calls it."""
        return f"{self.game_id}"
