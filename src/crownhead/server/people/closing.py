"""Closing one's account: games that run are given up, and everything private goes."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from crownhead.server.accounts import leaving
from crownhead.server.accounts.selectors import User
from crownhead.server.core.problems import Forbidden
from crownhead.server.lobby import services as lobby
from crownhead.server.people.models import Archive, ToldFriend
from crownhead.server.play import invitations, selectors
from crownhead.server.play import services as play


def close_account(*, user: User, password: str, now: datetime) -> None:
    """End the user's account for good. Raises ``Forbidden`` for a wrong password.

    Games in progress are resigned, offers and invitations taken back; what other apps keep for the user
    alone goes by ``accounts.events.AccountClosed``, all in one transaction.
    """
    if not user.check_password(password):
        raise Forbidden("password: this is not your password")
    with transaction.atomic():
        for game in selectors.my_games(user=user):
            play.resign(user=user, game_id=game.public_id, now=now)
        for game in (*selectors.my_waiting_games(user=user), *invitations.sent(user=user, now=now)):
            lobby.withdraw_game(user=user, game_id=game.public_id, now=now)
        for game in invitations.received(user=user, now=now):
            invitations.decline(user=user, game_id=game.public_id, now=now)
        Archive.objects.filter(user=user).delete()
        ToldFriend.objects.filter(user=user).delete()
        leaving.close(user=user, now=now)
