"""Whether enough players have entered for a tournament to start, and why one was cancelled instead."""

from __future__ import annotations

from django.utils.translation import gettext as _

from crownhead.contest import ContestError, Player
from crownhead.server.competitions.access import format_of_tournament
from crownhead.server.competitions.choices import Status
from crownhead.server.competitions.models import Tournament
from crownhead.server.competitions.problems import cannot_start
from crownhead.server.core.problems import Conflict


def obstacle(tournament: Tournament) -> Conflict | None:
    """Why a tournament with so many players cannot start; None if it can."""
    facts = {"min_players": tournament.min_players, "size": tournament.size}
    if tournament.size < tournament.min_players:
        return Conflict(_("It needs at least %(min_players)s players; %(size)s have entered.") % facts)
    anybody = [Player(key=str(number)) for number in range(tournament.size)]
    try:
        format_of_tournament(tournament).check(tournament.options, anybody)
    except ContestError as error:
        return cannot_start(error, tournament.size)
    return None


def cancel_reason(tournament: Tournament) -> str:
    """Why a tournament was cancelled: in a director's words, or in the club's for the reader; else empty."""
    if tournament.status != Status.CANCELLED or tournament.cancel_reason:
        return tournament.cancel_reason
    problem = obstacle(tournament)
    return "" if problem is None else problem.detail
