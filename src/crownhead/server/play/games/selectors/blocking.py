"""What blocking means in games: hidden offers, refused invitations and hidden chat."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.selectors import User
from crownhead.server.play import problems
from crownhead.server.play.models import Game, Games, Seat


def exclude_blocked(rows: Games, user: User) -> Games:
    """The games whose creators the user has not blocked."""
    return rows.exclude(creator__in=accounts.blocked_by(user).values("ignored_id"))


def exclude_blocked_either_way(rows: Games, user: User) -> Games:
    """The games whose creators the user has not blocked, nor they the user."""
    return exclude_blocked(rows, user).exclude(creator__in=accounts.blockers_of(user).values("user_id"))


def expect_may_invite(user: User, by: User) -> None:
    """Raises ``NotWelcome`` if ``by`` has blocked the user, or wants no invitations.

    The one rule for invitations of every kind: to games, contests, teams, and to direct a tournament.
    """
    expect_may_invite_all(user, [by])


def expect_may_invite_all(user: User, players: Sequence[User]) -> None:
    """Raises ``NotWelcome`` if one of the players takes no invitations of the user; a few queries for all."""
    refusing = accounts.refuse_invitations([player.pk for player in players], user)
    for player in players:
        if player.pk in refusing:
            raise not_welcome(player)


def not_welcome(player: User) -> problems.NotWelcome:
    """The problem with a player who takes no invitations of the user."""
    return problems.NotWelcome(
        _("%(username)s does not accept invitations from you.") % {"username": player.username}
    )


def expect_may_join(game: Game, user: User) -> None:
    """Raises ``NotWelcome`` if the creator of a game has blocked the user.

    An invitation of somebody who had blocked the user before stands.
    """
    blocks = accounts.blockers_of(user).filter(user=game.creator_id)
    if game.invited_id is not None:
        blocks = blocks.filter(created_at__gt=game.created_at)
    if blocks.exists():
        raise problems.NotWelcome(
            _("You can't join games of %(username)s.") % {"username": game.creator.username}
        )


def blocked_seats(game: Game, user_id: int) -> list[Seat]:
    """The seats of players whom the user has blocked."""
    ignored = accounts.blocked_ids(user_id)
    players = {Seat.FIRST: game.first_player_id, Seat.SECOND: game.second_player_id}
    return [seat for seat, player in players.items() if player in ignored]
