"""Games in the back office: to be read by staff, decided and annulled with a reason; players' requests."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from crownhead import VARIANTS
from crownhead.rules.outcome import Termination
from crownhead.server.accounts.selectors import User, keys_by_prefix
from crownhead.server.core import clock
from crownhead.server.core.admin import (
    ByServiceAdmin,
    KnownFilter,
    LatestAdmin,
    NoAddDeleteAdmin,
    ReadOnlyAdmin,
)
from crownhead.server.core.queries.literals import literals
from crownhead.server.play.choices import ABANDONED, ABORTED, LENGTH, TOO_MANY_MOVES
from crownhead.server.play.choices import FORFEIT as DECLARED_LOST
from crownhead.server.play.models import Appeal, Game, Match, OutageRow, Seat, StaffAction, Status, Vacation
from crownhead.server.play.models.games import UNPLAYED
from crownhead.server.play.presenters.variant_texts import variant_name
from crownhead.server.play.staff.forms import (
    ADJOURN,
    BOTH,
    FORFEIT,
    RESUME,
    AdjudicationForm,
    AnnulmentForm,
    AppealForm,
)
from crownhead.server.play.staff.services import adjourn, adjudicate, annul, answer_appeal, forfeit


class VariantFilter(KnownFilter):
    """Games of one variant."""

    title, parameter_name = _("variant"), "variant"

    def lookups(self, _request: HttpRequest, _model_admin: Any) -> list[tuple[str, Any]]:
        """Return the variants that are played here."""
        return [(row.key, variant_name(row)) for row in VARIANTS.values()]


class TerminationFilter(KnownFilter):
    """Games that ended in one way."""

    title, parameter_name = _("termination"), "termination"

    def lookups(self, _request: HttpRequest, _model_admin: Any) -> list[tuple[str, Any]]:
        """Return the ways in which a game ends: by the laws, and by what the club adds to them."""
        ours = (DECLARED_LOST, ABORTED, ABANDONED, LENGTH, TOO_MANY_MOVES)
        return [(key, key) for key in (*map(str, Termination), *ours)]


@admin.register(Game)
class GameAdmin(ByServiceAdmin, LatestAdmin, NoAddDeleteAdmin):
    """Shows every column, changes none but by what the staff decide."""

    form = AdjudicationForm
    list_display = ("public_id", "variant", "first_player", "second_player", "status", "turn", "deadline_at")
    list_filter = ("status", VariantFilter, TerminationFilter)
    search_fields = ("public_id", "first_player", "second_player")
    search_help_text = _(
        "A game's id, or the beginning of a player's name. "
        "Without a search, filters cover only the latest games."
    )
    list_select_related = ("first_player", "second_player")
    readonly_fields = (
        "public_id",
        "variant",
        "start_fen",
        "opening",
        "moves",
        "version",
        "status",
        "open",
        "hidden",
        "rated",
        "unrated_because",
        "min_rating",
        "max_rating",
        "match",
        "match_number",
        "contest_kind",
        "contest_key",
        "contest_name",
        "creator",
        "invited",
        "first_player",
        "second_player",
        "turn",
        "pace",
        "days_per_move",
        "clock_initial",
        "clock_bonus",
        "clock_limit",
        "weekends_off",
        "vacation",
        "first_left",
        "second_left",
        "turn_since",
        "added_hours",
        "adjourned",
        "deadline_at",
        "remind_at",
        "remind_of",
        "draw_rules",
        "draw_offer_by",
        "take_back_by",
        "turned_back",
        "planned",
        "winner",
        "termination",
        "annulled",
        "adjudication_reason",
        "adjudicated_by",
        "created_at",
        "started_at",
        "last_moved_at",
        "ended_at",
        "expires_at",
    )

    def latest(self, request: HttpRequest) -> QuerySet[Game]:
        """Return the games that filters look at: of a status that few have, or a variant, by its index."""
        status = request.GET.get("status__exact", "")
        if status == Status.PLAYING:
            return Game.objects.filter(status=status).order_by("deadline_at")
        if status == Status.WAITING:
            return Game.objects.filter(status=status).order_by("-expires_at")
        if status in UNPLAYED:
            return Game.objects.filter(status__in=literals(UNPLAYED)).order_by("-ended_at")
        if variant := request.GET.get("variant"):
            return Game.objects.filter(variant=variant).order_by("-created_at", "-id")
        return super().latest(request)

    def sought(self, text: str) -> Q:
        """Return what finds a game by its id, or those of players by how their names begin."""
        keys = keys_by_prefix(text)
        return Q(public_id=text) | Q(first_player__in=keys) | Q(second_player__in=keys)

    def get_fields(self, _request: HttpRequest, obj: Game | None = None) -> list[Any]:
        """A game in progress can be decided, one that is over and counts annulled; any other only read."""
        decision: list[str] = []
        if obj is not None and obj.status == Status.PLAYING:
            decision = ["result", "until", "reason"]
        elif obj is not None and _can_be_annulled(obj):
            decision = ["why_annulled"]
        return [*decision, *self.readonly_fields]

    def get_form(
        self, request: HttpRequest, obj: Game | None = None, change: bool = False, **kwargs: Any
    ) -> type[forms.ModelForm[Game]]:
        """The form that goes with those fields."""
        if obj is not None and _can_be_annulled(obj):
            kwargs["form"] = AnnulmentForm
        return super().get_form(request, obj, change=change, **kwargs)

    def save_model(self, request: HttpRequest, obj: Game, form: forms.ModelForm[Game], _change: Any) -> None:
        """Decide the game by the service, which notifies everybody."""
        staff = request.user
        assert isinstance(staff, User)
        if isinstance(form, AnnulmentForm):
            reason = form.cleaned_data["why_annulled"]
            annul(staff=staff, game_id=obj.public_id, reason=reason, now=clock.now())
        else:
            _decide(staff, obj.public_id, form.cleaned_data)


@admin.register(Appeal)
class AppealAdmin(ByServiceAdmin, NoAddDeleteAdmin):
    """What players ask of the staff: those that wait for an answer first."""

    form = AppealForm
    list_display = ("game", "seat", "claim", "asked_at", "granted", "answered_by")
    list_filter = ("granted", "claim")
    list_select_related = ("game", "answered_by")
    ordering = ("answered_at", "asked_at")
    readonly_fields = (
        "game",
        "seat",
        "claim",
        "reason",
        "asked_at",
        "granted",
        "answer",
        "answered_by",
        "answered_at",
    )

    def get_fields(self, _request: HttpRequest, obj: Appeal | None = None) -> list[Any]:
        """One that waits can be answered; any other only read."""
        waits = obj is not None and obj.answered_at is None
        return [*(["verdict", "reply"] if waits else []), *self.readonly_fields]

    def save_model(
        self, request: HttpRequest, obj: Appeal, form: forms.ModelForm[Appeal], _change: Any
    ) -> None:
        """Answer by the service, which ends the game if need be and notifies the players."""
        staff = request.user
        assert isinstance(staff, User)
        answer_appeal(
            staff=staff,
            appeal_id=obj.pk,
            granted=form.cleaned_data["verdict"] == "grant",
            answer=form.cleaned_data["reply"],
            now=clock.now(),
        )


@admin.register(StaffAction)
class StaffActionAdmin(ReadOnlyAdmin):
    """The log of what staff did to games."""

    list_display = ("done_at", "staff", "as_director", "verb", "result", "game", "reason")
    list_filter = ("verb", "as_director")
    list_select_related = ("game", "staff")
    ordering = ("-done_at",)


@admin.register(Match)
class MatchAdmin(ReadOnlyAdmin):
    """Matches, to be read."""

    list_display = ("public_id", "kind", "length", "creator", "opponent", "creator_score", "opponent_score")
    list_select_related = ("creator", "opponent")
    ordering = ("-id",)


@admin.register(Vacation)
class VacationAdmin(LatestAdmin, ReadOnlyAdmin):
    """The vacations of players, to be read."""

    list_display = ("user", "begins_at", "ends_at", "hours", "automatic")
    list_filter = ("automatic",)
    list_select_related = ("user",)
    search_fields = ("user",)

    def sought(self, text: str) -> Q:
        """Return what finds those of players by how their names begin."""
        return Q(user__in=keys_by_prefix(text))


@admin.register(OutageRow)
class OutageAdmin(ReadOnlyAdmin):
    """When nobody could play, and how far that is made up for."""

    list_display = ("begins_at", "ends_at", "games", "step", "done_at")
    ordering = ("-pk",)


def _decide(staff: User, game_id: str, cleaned: dict[str, Any]) -> None:
    """Do by the services what the form of a game in progress says; each keeps the reason in the log."""
    result, reason, now = cleaned["result"], cleaned["reason"], clock.now()
    if result in {ADJOURN, RESUME}:
        until = cleaned["until"] if result == ADJOURN else None
        adjourn(by=staff, game_id=game_id, until=until, reason=reason, now=now)
    elif result.startswith(FORFEIT):
        loser = result.removeprefix(FORFEIT)
        forfeit(
            by=staff, game_id=game_id, loser=None if loser == BOTH else Seat(loser), reason=reason, now=now
        )
    else:
        adjudicate(by=staff, game_id=game_id, result=result, reason=reason, now=now)


def _can_be_annulled(game: Game) -> bool:
    return game.status == Status.FINISHED and not game.annulled
