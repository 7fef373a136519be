"""The models of teams: members, join requests and invitations, messages on the board."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from crownhead.server.core.ids import new_id
from crownhead.server.core.markup.stored import MarkdownHtml
from crownhead.server.core.texts import LineField
from crownhead.server.teams.choices import Joining, JoinRequestKind

LONGEST_NAME = 40


class Team(models.Model):
    """A team of players. ``likeness`` keeps names apart that look alike; ``size`` counts members.

    A disbanded team keeps its row for the matches that it has played; its name is free again. What is left of
    its members, join requests and posts counts no more: a repeated job deletes it.
    """

    public_id = models.CharField(max_length=32, unique=True, default=new_id, editable=False)
    name = LineField(max_length=LONGEST_NAME)
    likeness = models.CharField(max_length=LONGEST_NAME, editable=False)
    about = models.TextField(blank=True, default="", help_text="Markdown")
    html = MarkdownHtml(source="about")
    joining = models.CharField(max_length=8, choices=Joining.choices, default=Joining.ASK)
    captain = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    successor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        related_name="+",
        null=True,
        blank=True,
        help_text="a member who was asked to be the captain",
    )
    size = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField()
    disbanded_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["likeness"], condition=Q(disbanded_at__isnull=True), name="team_name_once"
            ),
            models.CheckConstraint(condition=Q(joining__in=Joining.values), name="team_joining_known"),
        ]
        indexes = [
            models.Index(fields=["-size", "-id"], condition=Q(disbanded_at__isnull=True), name="team_by_size")
        ]

    def __str__(self) -> str:
        """The name in the back office."""
        return self.name


class Member(models.Model):
    """A player's membership of a team."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="members", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    joined_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["team", "user"], name="member_once")]
        indexes = [models.Index(fields=["team", "joined_at", "id"], name="member_of_team")]

    def __str__(self) -> str:
        """The name in the back office."""
        return f"{self.team_id} {self.user_id}"


class JoinRequest(models.Model):
    """An open request to join a team, or an open invitation to one."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="join_requests", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    kind = models.CharField(max_length=8, choices=JoinRequestKind.choices)
    message = models.TextField(blank=True, default="")
    made_at = models.DateTimeField()

    class Meta:
        db_table = "teams_knock"
        constraints = [
            models.UniqueConstraint(fields=["team", "user"], name="knock_once"),
            models.CheckConstraint(condition=Q(kind__in=JoinRequestKind.values), name="knock_kind_known"),
        ]

    def __str__(self) -> str:
        """The name in the back office."""
        return f"{self.team_id} {self.user_id} {self.kind}"


class Post(models.Model):
    """A message on a team's board, for its members only; of very many the oldest go (``services.board``)."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="posts", db_index=False)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    text = models.TextField(help_text="Markdown")
    html = MarkdownHtml()
    written_at = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(fields=["team", "-id"], name="post_of_team"),
            models.Index(fields=["team", "author", "id"], name="post_of_member"),
        ]

    def __str__(self) -> str:
        """The name in the back office."""
        return f"{self.team_id} {self.pk}"
