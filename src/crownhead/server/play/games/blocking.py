"""What it means for games that people ignore each other: whose offers are not shown, whose words not read."""

from __future__ import annotations

from django.utils.translation import gettext as _

from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.selectors import User
from crownhead.server.play import problems
from crownhead.server.play.models import Game, Games, Seat


def exclude_blocked(rows: Games, user: User) -> Games:
    """The games whose creators the user does not ignore."""
    return rows.exclude(creator__in=accounts.ignored_by(user).values("ignored_id"))


def exclude_blocked_either_way(rows: Games, user: User) -> Games:
    """The games whose creators the user does not ignore, nor they him."""
    return exclude_blocked(rows, user).exclude(creator__in=accounts.ignoring(user).values("user_id"))


def expect_may_invite(user: User, by: User) -> None:
    """Raises ``NotWelcome`` where ``by`` ignores the user; more than that is not told."""
    if accounts.ignores(by.pk, user.pk):
        raise problems.NotWelcome(
            _("%(username)s does not accept invitations from you.") % {"username": by.username}
        )


def expect_may_join(game: Game, user: User) -> None:
    """Raises ``NotWelcome`` where the creator of an open game ignores the user."""
    if accounts.ignores(game.creator_id, user.pk):
        raise problems.NotWelcome(
            _("%(username)s does not offer this game to you.") % {"username": game.creator.username}
        )


def blocked_seats(game: Game, user_id: int) -> list[Seat]:
    """The seats whose words the user does not want to read."""
    ignored = accounts.ignored_ids(user_id)
    players = {Seat.FIRST: game.first_player_id, Seat.SECOND: game.second_player_id}
    return [seat for seat, player in players.items() if player in ignored]
