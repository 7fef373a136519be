"""The models of tournaments: their terms, entrants, directors, invitations, log and trophies."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from crownhead.server.competitions.choices import Answer, Entry, Start, Status, Verb, Withdrawal
from crownhead.server.core.ids import new_id
from crownhead.server.core.markup.stored import MarkdownHtml
from crownhead.server.core.texts import LineField

LONGEST_NAME = 80


class Tournament(models.Model):
    """A tournament and its terms. ``crownhead.contest`` decides what comes next; the models store it.

    ``terms``: of each game, see ``teams.selectors.terms``. ``options``: of the format, those that differ from
    its defaults. ``dice`` seeds every draw and stays secret. ``due_at``: when a worker has to look again.
    """

    public_id = models.CharField(max_length=32, unique=True, default=new_id, editable=False)
    name = LineField(max_length=LONGEST_NAME)
    about = models.TextField(blank=True, default="", help_text="Markdown")
    html = MarkdownHtml(source="about")
    host = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.ENTRY)

    variant = models.CharField(max_length=32)
    terms = models.JSONField()
    format = models.CharField(max_length=32)
    options = models.JSONField(default=dict, blank=True)
    dice = models.BigIntegerField(default=0)

    entry = models.CharField(max_length=16, choices=Entry.choices, default=Entry.OPEN)
    team = models.CharField(max_length=32, blank=True, default="", help_text="public id")
    min_players = models.PositiveSmallIntegerField(default=2)
    max_players = models.PositiveSmallIntegerField()
    min_rating = models.PositiveSmallIntegerField(null=True, blank=True)
    max_rating = models.PositiveSmallIntegerField(null=True, blank=True)
    late_rounds = models.PositiveSmallIntegerField(
        default=0, help_text="late entry until this round is paired"
    )
    withdrawal = models.CharField(max_length=16, choices=Withdrawal.choices, default=Withdrawal.FORFEIT)

    start = models.CharField(max_length=16, choices=Start.choices, default=Start.FULL)
    starts_at = models.DateTimeField(null=True, blank=True, help_text="or the last day of entry")
    date_by_club = models.BooleanField(
        default=False,
        db_default=False,
        help_text="the club has set it, as the field was full, but players were away",
    )
    held_rounds = models.BooleanField(default=False, help_text="a director releases each round")
    pause_minutes = models.PositiveSmallIntegerField(default=0, help_text="between live rounds")
    no_show_minutes = models.PositiveSmallIntegerField(null=True, blank=True, help_text="live")
    appointment_days = models.PositiveSmallIntegerField(null=True, blank=True, help_text="live")
    minutes = models.PositiveSmallIntegerField(null=True, blank=True, help_text="of an arena")
    prizes = models.JSONField(default=list, blank=True, help_text="trophies, by place")

    size = models.PositiveIntegerField(default=0, help_text="number of entrants")
    rounds_made = models.PositiveIntegerField(default=0)
    rounds_planned = models.PositiveIntegerField(null=True, blank=True)
    closed = models.BooleanField(default=False, help_text="no further rounds")
    waiting_for = models.CharField(max_length=200, blank=True, default="")
    cancel_reason = models.TextField(
        blank=True, default="", db_default="", help_text="of a director; empty if the club cancelled it"
    )
    told = models.PositiveIntegerField(
        default=0, db_default=0, help_text="number of players who were notified of the end"
    )
    winners = models.JSONField(
        null=True,
        blank=True,
        help_text="keys of entrants, as the contest said; null if an older version ended it",
    )
    version = models.PositiveIntegerField(default=0, help_text="changes with the tables")
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    ends_at = models.DateTimeField(null=True, blank=True, help_text="of an arena")
    ended_at = models.DateTimeField(null=True, blank=True)
    due_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(status__in=Status.values), name="tournament_status_known"),
            models.CheckConstraint(
                condition=(Q(entry=Entry.TEAM) & ~Q(team="")) | (~Q(entry=Entry.TEAM) & Q(team="")),
                name="tournament_of_a_team",
            ),
            models.CheckConstraint(
                condition=Q(min_players__gte=2, max_players__gte=F("min_players")),
                name="tournament_players_in_order",
            ),
            models.CheckConstraint(
                condition=Q(min_rating__isnull=True)
                | Q(max_rating__isnull=True)
                | Q(max_rating__gte=F("min_rating")),
                name="tournament_ratings_in_order",
            ),
            models.CheckConstraint(
                condition=~Q(start=Start.DATE) | Q(starts_at__isnull=False), name="tournament_has_its_date"
            ),
            models.CheckConstraint(
                condition=~Q(status=Status.RUNNING) | Q(started_at__isnull=False),
                name="tournament_running_has_begun",
            ),
        ]
        indexes = [
            models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="tournament_due"),
            models.Index(fields=["status", "-id"], name="tournament_by_status"),
            models.Index(fields=["status", "variant", "-id"], name="tournament_by_variant"),
            models.Index(fields=["team", "-id"], condition=~Q(team=""), name="tournament_of_team"),
            models.Index(fields=["host", "status"], name="tournament_of_host"),
            models.Index(fields=["ended_at"], condition=Q(ended_at__isnull=False), name="tournament_by_end"),
        ]

    def __str__(self) -> str:
        """The name in the back office."""
        return self.name


class Director(models.Model):
    """A director of a tournament besides its host; one who has not ``accepted`` was only asked."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="directors")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    accepted = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tournament", "user"], name="director_once")]

    def __str__(self) -> str:
        """The name in the back office."""
        return f"{self.tournament_id} {self.user_id}"


class Invitation(models.Model):
    """A director's invitation to a player, who plays only after accepting it.

    ``place``: the place that the player is to take over as a substitute, for the ``reason`` in the log.
    ``removed`` outlasts other invitations, unless the player accepts one. One that is declined and has a
    reason, but no place, is the removal itself: nobody has asked the player since.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="invitations")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, related_name="+", null=True, blank=True
    )
    place = models.ForeignKey(
        "competitions.Entrant", on_delete=models.CASCADE, related_name="+", null=True, blank=True
    )
    reason = models.TextField(blank=True, default="")
    removed = models.TextField(
        blank=True,
        default="",
        db_default="",
        help_text="why a director has removed the player; empty if none has",
    )
    answer = models.CharField(max_length=16, choices=Answer.choices, default=Answer.OPEN)
    made_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tournament", "user"], name="tournament_invitation_once"),
            models.CheckConstraint(condition=Q(answer__in=Answer.values), name="invitation_answer_known"),
        ]

    def __str__(self) -> str:
        """The name in the back office."""
        return f"{self.tournament_id} {self.user_id}"

    @property
    def is_removal(self) -> bool:
        """Whether a director has removed the player, who does not enter again without an invitation."""
        return self.answer == Answer.DECLINED and bool(self.removal)

    @property
    def removal(self) -> str:
        """Why a director has removed the player; empty if none has. Older versions know only the reason."""
        return self.removed or (self.reason if self._is_bare_removal else "")

    @property
    def is_refusal(self) -> bool:
        """Whether the player has declined, and is not asked again."""
        return self.answer == Answer.DECLINED and not self._is_bare_removal

    @property
    def _is_bare_removal(self) -> bool:
        return self.answer == Answer.DECLINED and self.place_id is None and bool(self.reason)


class Entrant(models.Model):
    """A player's place in a tournament. A substitute takes over the place with the games played so far.

    ``entered`` and ``left`` are rounds, as in ``contest.Player``. ``here``: in an arena, whether they are
    paired; ``off``: the rounds for which they have asked for a bye.
    """

    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, related_name="entrants", db_index=False
    )
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    seed = models.PositiveSmallIntegerField(default=0)
    rating = models.PositiveSmallIntegerField(default=1500)
    entered = models.PositiveIntegerField(default=1)
    left = models.PositiveIntegerField(null=True, blank=True)
    off = models.JSONField(default=list, blank=True)
    here = models.BooleanField(default=True)
    expelled = models.BooleanField(default=False)
    place = models.PositiveIntegerField(null=True, blank=True, help_text="when the tournament is over")
    points = models.PositiveIntegerField(
        null=True, blank=True, help_text="in halves, when the tournament is over"
    )
    entered_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tournament", "user"], name="entrant_once")]
        indexes = [models.Index(fields=["user", "-id"], name="entrant_of_user")]

    def __str__(self) -> str:
        """The name in the back office."""
        return f"{self.tournament_id} {self.user_id}"


class DirectorAction(models.Model):
    """A director's decision and its reason; never changed, and public."""

    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, related_name="actions", db_index=False
    )
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    verb = models.CharField(max_length=16, choices=Verb.choices)
    text = models.CharField(max_length=300, blank=True, default="", help_text="who or what it is about")
    people = models.JSONField(null=True, blank=True, help_text="keys of users by their names in the text")
    reason = models.TextField(blank=True, default="")
    done_at = models.DateTimeField()

    class Meta:
        db_table = "competitions_act"
        constraints = [models.CheckConstraint(condition=Q(verb__in=Verb.values), name="act_verb_known")]
        indexes = [models.Index(fields=["tournament", "-id"], name="act_of_tournament")]

    def __str__(self) -> str:
        """The name in the back office."""
        return f"{self.tournament_id} {self.verb}"


class Trophy(models.Model):
    """A trophy that a player won."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="trophies")
    name = LineField(max_length=LONGEST_NAME, copied=True)
    place = models.PositiveSmallIntegerField()
    won_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "trophies"
        constraints = [models.UniqueConstraint(fields=["tournament", "user"], name="trophy_once")]
        indexes = [models.Index(fields=["user", "-won_at", "-id"], name="trophy_of_user")]

    def __str__(self) -> str:
        """The name in the back office."""
        return f"{self.name} {self.user_id}"


class FinalTables(models.Model):
    """The tables of a tournament that is over: its pages need not compute them from all its games.

    They are those of a ``version`` of the tournament, and computed again for a later one. ``form``: how they
    are written, see ``selectors/final_tables.py``. ``size``: how many games it has, or pairings. Players are
    in them by the keys of their entrants; names are always looked up.
    """

    tournament = models.OneToOneField(
        Tournament, on_delete=models.CASCADE, primary_key=True, related_name="+"
    )
    version = models.PositiveIntegerField()
    form = models.PositiveSmallIntegerField()
    size = models.PositiveIntegerField()
    tables = models.JSONField()

    class Meta:
        verbose_name_plural = "final tables"

    def __str__(self) -> str:
        """The name in the back office."""
        return f"{self.tournament_id} {self.version}"

    @staticmethod
    def keep(tournament: Tournament, **columns: Any) -> None:
        """Store the tables as those of the present version of their tournament, in place of others."""
        made = FinalTables(tournament=tournament, version=tournament.version, **columns)
        changed = ["version", *columns]
        FinalTables.objects.bulk_create(
            [made], update_conflicts=True, unique_fields=["tournament"], update_fields=changed
        )
