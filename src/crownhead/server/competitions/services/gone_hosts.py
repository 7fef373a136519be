"""Tournaments whose host has closed their account: another director hosts them, or the club cancels them.

Those that begin and go on by themselves stay as they are, for the staff direct every tournament.
"""

from __future__ import annotations

from datetime import datetime
from functools import partial

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from crownhead.server.competitions.access import lock_tournament, note_act
from crownhead.server.competitions.events import DirectorNeeded, about
from crownhead.server.competitions.models import Director, Status, Tournament, Verb
from crownhead.server.competitions.selectors.starts import NEEDS_DIRECTOR
from crownhead.server.competitions.services import starting
from crownhead.server.core.background.one_by_one import one_by_one
from crownhead.server.core.events import emit

MAX_AT_ONCE = 100  # by the job; the next one goes on
_SUCCESSORS = Director.objects.filter(accepted=True, user__is_active=True, user__closed_at=None)
_LEFT_ALONE = Q(status__in=[Status.ENTRY, Status.RUNNING], host__closed_at__isnull=False)


def see_to_them(now: datetime) -> int:
    """See to each in its own transaction; returns how many were handed over or cancelled."""
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
        successor = _SUCCESSORS.filter(tournament=tournament).order_by("pk").select_related("user").first()
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
    emit(
        about(
            DirectorNeeded,
            tournament,
            sentence=gettext_noop("Its host has closed their account, so you host it now."),
        )
    )
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
