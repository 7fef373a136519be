"""What every page shows to a guest who plays: who they are here, their games, and how to keep them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.functional import SimpleLazyObject
from django.utils.safestring import SafeString

from crownhead.server.accounts.guests.access import guest_of
from crownhead.server.accounts.selectors import User
from crownhead.server.accounts.validators import display_name
from crownhead.server.play import selectors
from crownhead.server.play.presenters.entry_markup import game_link
from crownhead.server.play.selectors import Game

_MOST = 5  # games; a host may allow more


@dataclass(frozen=True, slots=True)
class GuestGame:
    """A game: its page, the opponent, empty as long as it waits for one, and whether the guest is to move."""

    link: str
    opponent: str
    is_on_turn: bool


def guest(request: HttpRequest) -> dict[str, Any]:
    """Context processor: `guest_bar` is the HTML below the menu, empty for everybody else."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return {"guest_bar": ""}
    return {"guest_bar": SimpleLazyObject(lambda: _bar(request))}


def _bar(request: HttpRequest) -> SafeString:
    playing = guest_of(request)
    if playing is None:
        return SafeString("")
    games = [_game(game, playing) for game in selectors.my_unfinished_games(user=playing)[:_MOST]]
    others = [game for game in games if game.link != request.path]
    if games and not others:  # the page of the only game: the board has the room
        return SafeString("")
    view = request.resolver_match.view_name if request.resolver_match else ""
    context = {
        "name": display_name(playing.username),
        "games": others,
        "signs_in": view == "account_login",
        "signs_up": view == "account_signup",
    }
    return render_to_string("lobby/guest_bar.html", context)


def _game(game: Game, playing: User) -> GuestGame:
    is_first = game.first_player_id == playing.pk
    opponent = game.second_player if is_first else game.first_player
    turn = "first" if is_first else "second"
    return GuestGame(
        link=game_link(game.public_id),
        opponent=display_name(opponent.username) if opponent else "",
        is_on_turn=game.turn == turn,
    )
