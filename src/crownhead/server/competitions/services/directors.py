"""The directors of a tournament besides its host: asked by the host, they direct it once they accept.

One of them hosts it if the host closes their account; without one, the club cancels what nobody can start.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from crownhead.server.accounts.access import players_named
from crownhead.server.accounts.selectors import User
from crownhead.server.competitions.access import format_of_tournament, lock_tournament, log, note_act
from crownhead.server.competitions.events import (
    AskedToDirect,
    DirectingAnswered,
    DirectorNeeded,
    HandedOver,
    RoundHeld,
    about,
)
from crownhead.server.competitions.models import Director, Entrant, Round, Start, Status, Tournament, Verb
from crownhead.server.competitions.selectors.starts import NEEDS_DIRECTOR
from crownhead.server.competitions.services import starting
from crownhead.server.competitions.services.invitations import spend_invitations
from crownhead.server.core.background.one_by_one import one_by_one
from crownhead.server.core.events import emit
from crownhead.server.core.problems import Forbidden, Unprocessable
from crownhead.server.play.games.selectors import blocking

MAX_DIRECTORS = 10
MAX_AT_ONCE = 100  # by the job; the next one goes on
_SUCCESSORS = Director.objects.filter(accepted=True, user__is_active=True, user__closed_at=None)
_LEFT_ALONE = Q(status__in=[Status.ENTRY, Status.RUNNING], host__closed_at__isnull=False)


def set_directors(*, user: User, tournament_id: str, usernames: Sequence[str], now: datetime) -> None:
    """Choose the directors besides the host, for the host and the staff; new ones are asked first.

    Raises ``NotWelcome`` for a player who wants no invitations, ``TooMany`` for one asked over and over.
    """
    if len(usernames) > MAX_DIRECTORS:
        raise Unprocessable(
            _("Name at most %(most_directors)s directors.") % {"most_directors": MAX_DIRECTORS},
            field="username",
        )
    with transaction.atomic():
        tournament = lock_tournament(tournament_id)
        if not user.acts_as_staff and tournament.host_id != user.pk:
            raise Forbidden(_("Only the host can change the directors."))
        players = {player.pk: player for player in players_named(usernames)}
        before = Director.objects.filter(tournament=tournament)
        known = set(before.values_list("user_id", flat=True))
        if known == players.keys():
            return
        before.exclude(user__in=players).delete()
        new = [player for key, player in players.items() if key not in known]
        asked = [player for player in new if player != user]
        if asked:
            blocking.expect_may_invite_all(user, asked)
            spend_invitations(user, asked)
            user_ids = tuple(player.pk for player in asked)
            emit(about(AskedToDirect, tournament, user_ids=user_ids, by_id=user.pk))
        Director.objects.bulk_create(
            Director(tournament=tournament, user=player, accepted=player == user) for player in new
        )
        names = ", ".join(player.username for player in players.values())
        log(tournament, by=user, verb=Verb.DIRECTORS, text=names, people=players.values(), now=now)


def answer_directing(*, user: User, tournament_id: str, accepted: bool) -> None:
    """Accept or decline to direct a tournament; answering again changes nothing."""
    with transaction.atomic():
        tournament = lock_tournament(tournament_id)
        asked = Director.objects.filter(tournament=tournament, user=user, accepted=False).first()
        if asked is None:
            return
        if accepted:
            Director.objects.filter(pk=asked.pk).update(accepted=True)
        else:
            asked.delete()
        emit(about(DirectingAnswered, tournament, user_id=user.pk, accepted=accepted))


def see_to_gone_hosts(now: datetime) -> int:
    """Hand over or cancel the tournaments of hosts who have closed their accounts; returns how many.

    Others stay as they are: they begin by themselves, or are running, and the staff direct them.
    """
    rows = Tournament.objects.filter(_LEFT_ALONE)
    has_successor = Exists(_SUCCESSORS.filter(tournament=OuterRef("pk")))
    keys = rows.filter(NEEDS_DIRECTOR | has_successor).values_list("public_id", flat=True)
    return one_by_one(
        list(keys[:MAX_AT_ONCE]), partial(_see_to, now), failing="tournament %s has lost its host"
    )


def _see_to(now: datetime, tournament_id: str) -> int:
    with transaction.atomic():
        tournament = lock_tournament(tournament_id)
        mine = Tournament.objects.filter(pk=tournament.pk)
        if not mine.filter(_LEFT_ALONE).exists():
            return 0
        theirs = Entrant.objects.filter(tournament=tournament, user=OuterRef("user"), left=None)
        rows = _SUCCESSORS.filter(tournament=tournament).select_related("user")
        successor = rows.order_by(Exists(theirs), "pk").first()  # who plays can't decide everything
        if successor is not None:
            _hand_over(tournament, successor, now)
        elif mine.filter(NEEDS_DIRECTOR).exists():
            starting.cancel(tournament, now)
            tournament.save()
        else:
            return 0
    return 1


def _hand_over(tournament: Tournament, successor: Director, now: datetime) -> None:
    """Let a director host it, and tell them; everybody can read it in the log."""
    before, tournament.host = tournament.host, successor.user
    tournament.save(update_fields=["host"])
    successor.delete()
    by_hand = tournament.status == Status.ENTRY and tournament.start == Start.HAND
    emit(about(HandedOver, tournament, starts_by_hand=by_hand))
    _tell_what_waits(tournament)
    note_act(
        tournament,
        by=before,
        verb=Verb.DIRECTORS,
        text=tournament.host.username,
        reason=_("The host has closed their account, so this director hosts it now."),
        now=now,
        concerns=(),
        people=[tournament.host],
    )


def _tell_what_waits(tournament: Tournament) -> None:
    """Tell a new host of the decision that a running tournament waits for, as the one before was told."""
    if tournament.status != Status.RUNNING:
        return
    held = Round.objects.filter(tournament=tournament, number=tournament.rounds_made, starts_at=None).first()
    if held is not None:
        emit(about(RoundHeld, tournament, round=held.number))
    elif tournament.waiting_for and not format_of_tournament(tournament).timed:
        emit(about(DirectorNeeded, tournament, sentence=tournament.waiting_for))
