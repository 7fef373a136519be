"""The directors of a tournament besides its host: asked by the host, they direct it once they accept."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from crownhead.server.accounts.access import players_named
from crownhead.server.accounts.selectors import User
from crownhead.server.competitions.access import lock_tournament, log
from crownhead.server.competitions.events import AskedToDirect, DirectingAnswered, about
from crownhead.server.competitions.models import Director, Verb
from crownhead.server.competitions.services.invitations import spend_invitations
from crownhead.server.core.events import emit
from crownhead.server.core.problems import Forbidden, Unprocessable
from crownhead.server.play.games.selectors import blocking

MAX_DIRECTORS = 10


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
