"""The row of a game: the truth about it, from the waiting room to its result."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Self

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q

from crownhead.server.accounts.validators import computer_level, guest_number
from crownhead.server.core.ids import new_id
from crownhead.server.core.texts import LineField
from crownhead.server.play.choices import DrawRulesKey, PaceKey, Seat, Status, Unrated
from crownhead.server.play.clocks.time_control import MAX_DAYS, MIN_DAYS, Reminder, Span
from crownhead.server.play.games.contests import Contest
from crownhead.server.play.models.matches import Match
from crownhead.server.play.models.packed import MovesField, StartField

_PLAYING_NEEDS = Q(
    first_player__isnull=False,
    second_player__isnull=False,
    turn__isnull=False,
    turn_since__isnull=False,
    deadline_at__isnull=False,
    started_at__isnull=False,
    last_moved_at__isnull=False,
    ended_at__isnull=True,
)
_NOT_PLAYING_NEEDS = Q(
    turn__isnull=True,
    turn_since__isnull=True,
    deadline_at__isnull=True,
    remind_at__isnull=True,
    draw_offer_by__isnull=True,
    take_back_by__isnull=True,
)
_NO_BANK = Q(clock_initial__isnull=True, clock_bonus__isnull=True, clock_limit__isnull=True) & Q(
    first_left__isnull=True, second_left__isnull=True
)
_A_BANK = Q(days_per_move__isnull=True, clock_initial__isnull=False, clock_bonus__isnull=False) & Q(
    first_left__isnull=False, second_left__isnull=False
)
_BY_DECISION = Q(termination__in=["adjudication", "forfeit"])
_OFFERED, _OVER = Q(status="waiting", open=True), Q(status="finished")
UNPLAYED = ["withdrawn", "declined", "expired"]
_RESULT = ("status", "variant", "winner", "termination", "annulled", "hidden")
_NO_RESULT = Q(
    termination="", winner__isnull=True, annulled=False, adjudication_reason="", adjudicated_by__isnull=True
)


class Games(models.QuerySet["Game"]):
    """Selections of games that several questions share."""

    def with_players(self) -> Self:
        """The people's rows loaded along."""
        return self.select_related("creator", "first_player", "second_player", "invited", "match")

    def seen_by(self, user: AbstractBaseUser | AnonymousUser | None) -> Self:
        """Games that a user or guest may see: public ones, and those with a seat for them.

        A hidden game that waits for anybody can be seen by anybody: it hides its players once there are two.
        """
        begun = Q(status__in=[Status.PLAYING, Status.FINISHED])
        public = Q(hidden=False) & (Q(open=True) | begun) | Q(open=True, status=Status.WAITING)
        if user is None or user.pk is None:
            return self.filter(public)
        if getattr(user, "acts_as_staff", False):
            return self
        mine = Q(creator=user.pk) | Q(first_player=user.pk) | Q(second_player=user.pk) | Q(invited=user.pk)
        return self.filter(public | mine)

    def begun_seen_by(self, user: AbstractBaseUser | AnonymousUser | None) -> Self:
        """Begun games that a user or guest may see: only whether they are hidden matters."""
        if user is None or user.pk is None:
            return self.filter(hidden=False)
        if getattr(user, "acts_as_staff", False):
            return self
        mine = Q(creator=user.pk) | Q(first_player=user.pk) | Q(second_player=user.pk) | Q(invited=user.pk)
        return self.filter(Q(hidden=False) | mine)

    def by_seat(self, user: AbstractBaseUser) -> tuple[Self, Self]:
        """Games in which the user has the first seat, and games with the second: each has its index."""
        return self.filter(first_player=user.pk), self.filter(second_player=user.pk)

    def of_contest(self, key: str) -> Self:
        """Games of a contest by its public id, or of the part of it that the key names.

        That it isn't empty is told because the index holds only these, and SQLite does not work it out.
        """
        event, _, part = key.partition(":")
        rows = self.filter(contest_event=event).exclude(contest_event="")
        return rows.filter(contest_key=key) if part else rows

    def played_by(self, user: AbstractBaseUser) -> Self:
        """Games in which the user has a seat."""
        return self.filter(Q(first_player=user.pk) | Q(second_player=user.pk))

    def running_or_waiting_of(self, user: AbstractBaseUser) -> Self:
        """Games that count against the user's limit: not those of contests."""
        waiting = Q(status=Status.WAITING, creator=user.pk)
        running = Q(status=Status.PLAYING) & (Q(first_player=user.pk) | Q(second_player=user.pk))
        return self.filter(waiting | running, contest_kind="")


class Game(models.Model):
    """One game. ``moves`` holds a PDN token a ply, each with its full path, so replay is never in doubt.

    In the rows of games that ended some days ago it is packed; anyone who reads it gets the tokens.

    ``version`` is the number of plies in ``moves``, those of a drawn opening included, and ``turned_back``:
    the move a player sends with version *v* becomes ply *v* less that, so a move sent twice can be
    recognised exactly. Taking moves back makes it greater, as any change of the position does; an offer,
    being no move, puts nobody's page out of date.
    """

    public_id = models.CharField(max_length=32, unique=True, default=new_id, editable=False)
    variant = models.CharField(max_length=32)
    start_fen = StartField(max_length=255)
    opening = models.PositiveSmallIntegerField(null=True, blank=True, help_text="number of the ballot")
    moves = MovesField(blank=True, default="")
    encoding = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="of the moves of a game that was packed; nobody who reads them asks"
    )
    version = models.PositiveIntegerField(default=0)
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.WAITING)

    open = models.BooleanField(default=True, help_text="in the waiting room, not for one invited player")
    hidden = models.BooleanField(default=False, help_text="seen by its players and the staff alone")
    rated = models.BooleanField(default=False)
    unrated_because = models.CharField(  # noqa: DJ001  (NULL: it is rated, or was never to be)
        max_length=8, choices=Unrated.choices, null=True, blank=True
    )
    min_rating = models.PositiveSmallIntegerField(null=True, blank=True)
    max_rating = models.PositiveSmallIntegerField(null=True, blank=True)
    match = models.ForeignKey(
        Match, on_delete=models.PROTECT, related_name="games", null=True, blank=True, db_index=False
    )
    match_number = models.PositiveSmallIntegerField(null=True, blank=True)

    # Empty: the game stands for itself. See ``contests.Contest``; the event is the key up to its first colon.
    contest_kind = models.CharField(max_length=16, blank=True, default="")
    contest_event = models.CharField(max_length=80, blank=True, default="")
    contest_key = models.CharField(max_length=80, blank=True, default="")
    contest_name = LineField(max_length=120, copied=True, blank=True, default="")
    contest_link = models.CharField(max_length=200, blank=True, default="")

    creator = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    first_player = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
        blank=True,
        db_index=False,  # the index below begins with it
    )
    second_player = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
        blank=True,
        db_index=False,  # the index below begins with it
    )
    invited = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
        blank=True,
        db_index=False,  # nobody is, in most games
    )
    # NULL in these three: nobody. A seat is never the empty text.
    turn = models.CharField(max_length=8, choices=Seat.choices, null=True, blank=True)  # noqa: DJ001

    pace = models.CharField(max_length=8, choices=PaceKey.choices, default=PaceKey.DAYS)
    days_per_move = models.PositiveSmallIntegerField(
        null=True, blank=True, validators=[MinValueValidator(MIN_DAYS), MaxValueValidator(MAX_DAYS)]
    )
    clock_initial = models.DurationField(null=True, blank=True)
    clock_bonus = models.DurationField(null=True, blank=True)
    clock_limit = models.DurationField(null=True, blank=True)
    weekends_off = models.BooleanField(default=False)
    vacation = models.BooleanField(default=False, help_text="vacation stops the clock")
    # What each player has for their next turn; the one to move had it when the turn began.
    first_left = models.DurationField(null=True, blank=True)
    second_left = models.DurationField(null=True, blank=True)
    turn_since = models.DateTimeField(null=True, blank=True)
    added_hours = models.PositiveSmallIntegerField(default=0, help_text="of vacation, used in this turn")
    adjourned = models.JSONField(
        default=list, blank=True, help_text="when a director let the clock stand still: from, to"
    )
    deadline_at = models.DateTimeField(null=True, blank=True)
    remind_at = models.DateTimeField(null=True, blank=True)
    remind_of = models.CharField(max_length=16, blank=True, default="")
    draw_rules = models.CharField(max_length=32, choices=DrawRulesKey.choices, default=DrawRulesKey.OFFICIAL)
    draw_offer_by = models.CharField(max_length=8, choices=Seat.choices, null=True, blank=True)  # noqa: DJ001

    take_back_by = models.CharField(max_length=8, choices=Seat.choices, null=True, blank=True)  # noqa: DJ001
    asked = models.JSONField(
        default=list, blank=True, help_text="what each player has asked for since their last move"
    )
    turned_back = models.PositiveIntegerField(
        default=0, help_text="how far the version is ahead of the moves, some of which were taken back"
    )
    planned = models.JSONField(default=list, blank=True, help_text="plies that conditional moves made")

    winner = models.CharField(max_length=8, choices=Seat.choices, null=True, blank=True)  # noqa: DJ001
    termination = models.CharField(max_length=32, blank=True, default="")
    annulled = models.BooleanField(default=False, help_text="counts for nothing")
    adjudication_reason = models.TextField(blank=True, default="")
    adjudicated_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
        blank=True,
        db_index=False,  # nearly all games end by themselves
    )

    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    last_moved_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(help_text="when a game that nobody joins leaves the waiting room")

    objects = Games.as_manager()

    # No column: the players' vacations set in advance, where they were looked up for many games at once.
    spans: Mapping[int, tuple[Span, ...]] | None = None

    class Meta:
        """Constraints that keep nonsense out, and an index for each question asked often."""

        constraints = [
            models.CheckConstraint(condition=Q(status__in=Status.values), name="game_status_known"),
            models.CheckConstraint(
                condition=Q(draw_rules__in=DrawRulesKey.values), name="game_draw_rules_known"
            ),
            models.CheckConstraint(
                condition=(
                    Q(pace=PaceKey.DAYS, days_per_move__gte=MIN_DAYS, days_per_move__lte=MAX_DAYS) & _NO_BANK
                )
                | (Q(pace=PaceKey.BANK, clock_limit__gte=F("clock_initial")) & _A_BANK)
                | (
                    Q(pace=PaceKey.LIVE, weekends_off=False, vacation=False, clock_limit__isnull=True)
                    & _A_BANK
                ),
                name="game_clock_of_its_pace",
            ),
            models.CheckConstraint(
                condition=Q(remind_at__isnull=True, remind_of="")
                | Q(remind_at__isnull=False, remind_of__in=[kind.value for kind in Reminder]),
                name="game_reminder_of_something",
            ),
            models.CheckConstraint(
                condition=Q(first_player__isnull=True)
                | Q(second_player__isnull=True)
                | ~Q(first_player=F("second_player")),
                name="game_of_two_people",
            ),
            models.CheckConstraint(
                condition=Q(invited__isnull=True) | (Q(open=False) & ~Q(invited=F("creator"))),
                name="game_invites_another",
            ),
            models.CheckConstraint(
                condition=Q(match__isnull=True, match_number__isnull=True)
                | Q(match__isnull=False, match_number__gt=0),
                name="game_of_match_has_number",
            ),
            models.UniqueConstraint(fields=["match", "match_number"], name="game_once_in_match"),
            models.CheckConstraint(
                condition=Q(min_rating__isnull=True)
                | Q(max_rating__isnull=True)
                | Q(max_rating__gte=F("min_rating")),
                name="game_rating_range_in_order",
            ),
            models.CheckConstraint(
                condition=Q(version=0, moves="", turned_back=0)
                | (Q(version__gt=0) & ~Q(moves=""))
                | Q(version__gt=0, turned_back=F("version"), moves=""),
                name="game_version_counts_moves",
            ),
            models.CheckConstraint(
                condition=(Q(turn__isnull=True) | Q(turn__in=Seat.values))
                & (Q(winner__isnull=True) | Q(winner__in=Seat.values))
                & (Q(draw_offer_by__isnull=True) | Q(draw_offer_by__in=Seat.values))
                & (Q(take_back_by__isnull=True) | Q(take_back_by__in=Seat.values, rated=False)),
                name="game_seats_known",
            ),
            models.CheckConstraint(
                condition=(Q(status=Status.PLAYING) & _PLAYING_NEEDS)
                | (~Q(status=Status.PLAYING) & _NOT_PLAYING_NEEDS),
                name="game_in_play_is_complete",
            ),
            models.CheckConstraint(
                condition=(Q(status=Status.FINISHED, ended_at__isnull=False) & ~Q(termination=""))
                | (~Q(status=Status.FINISHED) & _NO_RESULT),
                name="game_result_iff_finished",
            ),
            models.CheckConstraint(
                condition=(_BY_DECISION & Q(adjudicated_by__isnull=False) & ~Q(adjudication_reason=""))
                | (~_BY_DECISION & Q(adjudicated_by__isnull=True, adjudication_reason="")),
                name="game_adjudicated_with_reason",
            ),
            models.CheckConstraint(
                condition=Q(contest_kind="", contest_event="", contest_key="", contest_name="")
                | ~(Q(contest_kind="") | Q(contest_event="") | Q(contest_key="") | Q(contest_name="")),
                name="game_contest_named",
            ),
        ]
        indexes = [
            models.Index(fields=["deadline_at"], condition=Q(status="playing"), name="game_due"),
            models.Index(fields=["remind_at"], condition=Q(status="playing"), name="game_to_remind"),
            models.Index(fields=["expires_at"], condition=Q(status="waiting"), name="game_expiring"),
            models.Index(
                fields=["variant", "-created_at", "-id"], condition=_OFFERED, name="game_offered_in"
            ),
            models.Index(fields=["-created_at", "-id"], condition=_OFFERED, name="game_offered"),
            models.Index(
                fields=["variant", "pace", "days_per_move", "clock_initial", "created_at", "id"],
                condition=_OFFERED,
                name="game_offered_on_terms",
            ),
            models.Index(
                fields=["-created_at", "-id"],
                condition=Q(status="playing", hidden=False),
                name="game_to_watch",
            ),
            models.Index(fields=["-created_at", "-id"], condition=Q(annulled=True), name="game_annulled"),
            models.Index(
                fields=["contest_event", "contest_key"],
                condition=~Q(contest_event=""),
                name="game_of_contest",
            ),
            models.Index(
                fields=["contest_event", "id"], condition=~Q(contest_event=""), name="game_in_contest"
            ),
            models.Index(fields=["invited"], condition=Q(invited__isnull=False), name="game_of_invited"),
            models.Index(
                fields=["adjudicated_by"], condition=Q(adjudicated_by__isnull=False), name="game_adjudicated"
            ),
            models.Index(
                fields=["-created_at", "-id"],
                condition=Q(status="playing", hidden=True),
                name="game_hidden_on",
            ),
            models.Index(fields=["-created_at", "-id"], condition=_OVER, name="game_newest_over"),
            models.Index(fields=["variant", "-created_at", "-id"], name="game_of_variant"),
            models.Index(fields=["creator", "status"], name="game_of_creator"),
            # The finished ones of a player, which have no turn, come in the order of their keys.
            *(
                models.Index(
                    fields=[f"{seat}_player", "status", "turn", "deadline_at", "id"], name=f"game_as_{seat}"
                )
                for seat in ("first", "second")
            ),
            models.Index(fields=["first_player", "second_player"], condition=_OVER, name="game_between"),
            # Of two players who have thousands of other games, and of those the ones of a day.
            models.Index(
                fields=["first_player", "second_player", "started_at"],
                condition=Q(rated=True),
                name="game_rated_between",
            ),
            models.Index(
                fields=["ended_at"], condition=_OVER & Q(encoding__isnull=True), name="game_to_pack"
            ),
            models.Index(fields=["ended_at"], condition=Q(status__in=UNPLAYED), name="game_unplayed"),
            # In the order in which they ended, with all that the results of a player are counted by.
            models.Index(
                fields=["first_player", "-ended_at", "-id", *_RESULT], condition=_OVER, name="game_over_first"
            ),
            models.Index(
                fields=["second_player", "-ended_at", "-id", *_RESULT],
                condition=_OVER,
                name="game_over_second",
            ),
        ]

    def __str__(self) -> str:
        """What the back office calls it."""
        return f"{self.variant} {self.public_id}"

    @property
    def is_public(self) -> bool:
        """Anybody may see it; ``Games.seen_by`` says the same of rows."""
        if self.status == Status.WAITING:
            return self.open
        return not self.hidden and (self.open or self.status in {Status.PLAYING, Status.FINISHED})

    def is_seen_by(self, user: AbstractBaseUser | AnonymousUser | None) -> bool:
        """Whether a user or guest may see it."""
        if user is None or user.pk is None:
            return self.is_public
        mine = user.pk in {self.creator_id, self.first_player_id, self.second_player_id, self.invited_id}
        return self.is_public or mine or bool(getattr(user, "acts_as_staff", False))

    @property
    def contest(self) -> Contest | None:
        """What it belongs to; None where it stands for itself."""
        if not self.contest_kind:
            return None
        return Contest(self.contest_kind, self.contest_key, self.contest_name, self.contest_link)

    @property
    def computer_ids(self) -> frozenset[int]:
        """The keys of its players that are computers; load it ``with_players``."""
        people = (self.first_player, self.second_player, self.invited)
        return frozenset(user.pk for user in people if user and computer_level(user.username) is not None)

    @property
    def has_guest(self) -> bool:
        """Whether a guest is one of its players, or offers it; load it ``with_players``."""
        people = (self.creator, self.first_player, self.second_player)
        return any(user is not None and guest_number(user.username) is not None for user in people)

    def is_due(self, now: datetime) -> bool:
        """Whether the time of the player to move, or of the wait for an opponent, is out."""
        if self.status == Status.PLAYING:
            return self.deadline_at is not None and self.deadline_at <= now
        return self.status == Status.WAITING and self.expires_at <= now
