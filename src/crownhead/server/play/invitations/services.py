"""Invitations: a game offered to one player by name, or to a stranger by e-mail with a link to take it."""

from __future__ import annotations

import random
import secrets
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.access import check_may_write, hold_user
from crownhead.server.accounts.selectors import User
from crownhead.server.accounts.services import stranger_mail
from crownhead.server.core import limits
from crownhead.server.core.events import emit
from crownhead.server.core.problems import Conflict, Unprocessable
from crownhead.server.play import problems
from crownhead.server.play.events import GameDeclined, InvitedByMail, game_event
from crownhead.server.play.games import endings, providers
from crownhead.server.play.games import services as game_services
from crownhead.server.play.games.options import ColourChoice, GameOptions
from crownhead.server.play.games.selectors import blocking, guests, terms
from crownhead.server.play.games.selectors.rights import may_play_again
from crownhead.server.play.games.services import account_closing
from crownhead.server.play.invitations import selectors
from crownhead.server.play.invitations.access import expect_invited
from crownhead.server.play.invitations.validators import check_message, checked_address
from crownhead.server.play.models import Game, Invitation, Status
from crownhead.server.play.selectors import find_seen

_WINDOW = timedelta(days=1)
_MAX_INVITATIONS = 5  # to one player within the window that did not lead to a game
_MAX_BY_LINK = 50  # open at once, of one player
_LINK_BYTES = 24


def invite(
    *, creator: User, opponent: str, options: GameOptions, message: str, site: str, now: datetime
) -> Game:
    """Offer a game to a player by name, or by e-mail to somebody without an account.

    ``site`` is the address of the club, for the link in the mail. Whether an address has an account is not
    revealed. Raises ``Forbidden`` for e-mail from somebody whose own address is not confirmed.
    """
    text = check_message(message)
    check_may_write(user=creator, now=now, text=text)
    if "@" in opponent:
        text = stranger_mail.check_note(text)
        stranger_mail.expect_may_send(user=creator, now=now)
        return _invite_stranger(creator, checked_address(opponent), options, text, site, now)
    player = accounts.player(opponent)
    if player is None:
        raise Unprocessable(
            _("There is no player %(given)s.") % {"given": repr(opponent[:60])}, field="opponent"
        )
    return _invite_player(creator, player, options, text, now)


def offer_by_link(*, creator: User, options: GameOptions, now: datetime) -> Game:
    """Offer a game to anybody who is given the link to it, such as a friend; nobody else sees the offer.

    Raises ``Conflict`` for one too many.
    """
    with transaction.atomic():
        hold_user(creator.pk)
        if selectors.by_link_count(user=creator) >= _MAX_BY_LINK:
            raise Conflict(
                _("You can have at most %(count)s invitations by link. Withdraw one that you no longer need.")
                % {"count": _MAX_BY_LINK}
            )
        game = game_services.create_game(creator=creator, options=options, now=now, open_to_all=False)
        Invitation.objects.create(game=game, message="", token=secrets.token_urlsafe(_LINK_BYTES))
    return game


def invite_again(*, user: User, game_id: str, message: str, now: datetime) -> Game:
    """Offer a former opponent the same terms, the sides swapped; a match is offered as a match again.

    Where the opponent has offered just that, it is accepted. The computer has its own conditions.
    """
    text = check_message(message)
    check_may_write(user=user, now=now, text=text)
    before = find_seen(viewer=user, public_id=game_id)
    if user.pk not in {before.first_player_id, before.second_player_id}:
        raise problems.NotAPlayer(_("Only the two players of this game can do this."))
    if before.status != Status.FINISHED:
        raise Conflict(_("This game is not over; its status is %(status)s.") % {"status": before.status})
    if not may_play_again(before):
        raise Conflict(_("After a live game of a contest there is no rematch. Invite your opponent by name."))
    was_first = before.first_player_id == user.pk
    opponent = before.second_player if was_first else before.first_player
    assert opponent is not None
    colour = ColourChoice.SECOND if was_first else ColourChoice.FIRST
    options = terms.options_of(before, colour=colour.value)
    with transaction.atomic():
        hold_user(user.pk)  # before the game
        endings.lock_game(game_id)  # after live games both often want to at the same moment
        if offered := selectors.rematch_offered(user=user, game=before):
            return accept(user=user, game_id=offered, now=now)
        _expect_may_play_again(user, before)
        if before.computer_ids:
            providers.expect_computer_game(user=user, options=options)
        elif account_closing.is_gone(opponent):
            raise Conflict(_("The account of %(username)s is closed.") % {"username": opponent.username})
        return _invite_player(user, opponent, options, text, now, again_of=before.public_id)


def accept(*, user: User, game_id: str, now: datetime, dice: random.Random | None = None) -> Game:
    """Accept an invitation; the game starts."""
    expect_invited(user, game_id)
    return game_services.join(user=user, game_id=game_id, now=now, dice=dice)


def accept_link(*, user: User, token: str, now: datetime, dice: random.Random | None = None) -> Game:
    """Accept an invitation by the link from an e-mail; the game starts."""
    game_id = selectors.by_link(token=token).public_id
    with transaction.atomic():
        game = endings.lock_game(game_id, joining=user.pk)
        endings.settle(game, now)
        if game.status == Status.WAITING:
            return game_services.join_locked_game(game, user=user, now=now, dice=dice)
    raise game_services.no_longer_waiting(game)


def decline(*, user: User, game_id: str, now: datetime) -> Game:
    """Decline an invitation; declining again changes nothing."""
    expect_invited(user, game_id)
    with transaction.atomic():
        game = endings.lock_game(game_id)
        endings.settle(game, now)
        if game.status == Status.WAITING:
            endings.update(game, status=Status.DECLINED, ended_at=now)
            emit(game_event(GameDeclined, game))
        if game.status == Status.DECLINED:
            return game
    raise game_services.no_longer_waiting(game)


def _invite_player(
    creator: User, player: User, options: GameOptions, message: str, now: datetime, *, again_of: str = ""
) -> Game:
    if player.pk == creator.pk:
        raise Unprocessable(_("You can't invite yourself."), field="opponent")
    guests.expect_no_words(message, creator, player)
    blocking.expect_may_invite(creator, by=player)
    with transaction.atomic():
        hold_user(creator.pk)
        _expect_may_invite_again(creator, player, now)
        if not again_of:
            limits.spend(scope="named_invitations", who=f"user:{creator.pk}")
        return game_services.create_game(
            creator=creator,
            options=options,
            now=now,
            open_to_all=False,
            invited=player,
            message=message,
            again_of=again_of,
        )


def _invite_stranger(
    creator: User, email: str, options: GameOptions, message: str, site: str, now: datetime
) -> Game:
    token = secrets.token_urlsafe(_LINK_BYTES)
    with transaction.atomic():
        game = game_services.create_game(creator=creator, options=options, now=now, open_to_all=False)
        Invitation.objects.create(game=game, message=message, email=email, token=token)
        emit(
            game_event(
                InvitedByMail,
                game,
                email=email,
                link=f"{site.rstrip('/')}/join/{token}/",
                inviter=creator.username,
                message=message,
            )
        )
    return game


def _expect_may_play_again(user: User, game: Game) -> None:
    """Raise ``AskedAlready`` if the user has offered another game after this one before."""
    if Invitation.objects.again_after(game).filter(game__creator=user).exists():
        raise problems.AskedAlready(_("You have already offered another game after this one."))


def _expect_may_invite_again(user: User, player: User, now: datetime) -> None:
    """Raise ``AskedAlready`` if the user's latest invitations did not lead to a game with the player."""
    rows = Game.objects.filter(creator=user, invited=player, created_at__gt=now - _WINDOW)
    if rows.exclude(status__in=[Status.PLAYING, Status.FINISHED]).count() >= _MAX_INVITATIONS:
        raise problems.AskedAlready(
            _("You have invited %(name)s often enough for today.") % {"name": player.username}
        )
