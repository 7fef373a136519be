"""The club whose requests `requests_cost.py` measures: members with sessions and tokens, and legal games."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import timedelta

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore

import crownhead
from crownhead.server.accounts.models import User
from crownhead.server.accounts.tokens.services import new_token
from crownhead.server.core import clock
from crownhead.server.ladders.models import Ladder
from crownhead.server.ladders.services.founding import ensure_defaults
from crownhead.server.ladders.services.memberships import join as join_ladder
from crownhead.server.play.games import services as games
from crownhead.server.play.games.options import GameOptions
from crownhead.server.play.models import Game, Seat, Status
from crownhead.server.play.moves.services import play_move

MEMBERS, OFFERS, GAMES_EACH, PLIES = 30, 30, 8, 24
BACKEND = "crownhead.server.accounts.backends.ClubBackend"


@dataclass(frozen=True, slots=True)
class Member:
    """A member, and what opens their account: a session of a browser, a token of a program."""

    user: User
    session: str
    token: str


@dataclass(slots=True)
class SiteClub:
    """Members, and the games that the measured ones play against each other."""

    members: list[Member]
    dice: random.Random

    def member(self, key: int | None) -> Member:
        """The member with a primary key."""
        return next(member for member in self.members if member.user.pk == key)

    def new_game(self, first: int, second: int, *, plies: int = PLIES, variant: str = "american") -> Game:
        """A game in progress between two members, by their places, after so many plies."""
        now = clock.now()
        options = GameOptions(variant=variant, days_per_move=3, colour="first")
        offered = games.create_game(creator=self.members[first].user, options=options, now=now)
        game = games.join(user=self.members[second].user, game_id=offered.public_id, now=now, dice=self.dice)
        for _ply in range(plies):
            game = Game.objects.with_players().get(pk=game.pk)
            if game.status != Status.PLAYING:
                return self.new_game(first, second, plies=plies, variant=variant)
            user, move = self.next_move(game)
            play_move(user=user.user, game_id=game.public_id, move=move, version=game.version, now=now)
        return Game.objects.with_players().get(pk=game.pk)

    def next_move(self, game: Game) -> tuple[Member, str]:
        """Who is on turn, and a legal move."""
        position = crownhead.Game(game.variant, start=game.start_fen, draw_rules=game.draw_rules)
        for token in game.moves.split():
            position.push(token)
        on_turn = game.first_player_id if game.turn == Seat.FIRST else game.second_player_id
        return self.member(on_turn), self.dice.choice(list(position.position.notations().values()))


def make_club() -> SiteClub:
    """A club whose lists are as long as a page shows them."""
    dice, now = random.Random(1), clock.now()
    club = SiteClub([_member(number) for number in range(MEMBERS)], dice)
    for number in range(MEMBERS):
        for step in range(1, GAMES_EACH // 2 + 1):
            variant = dice.choice(["american", "russian", "international"])
            plies = dice.randrange(4, PLIES)
            club.new_game(number, (number + step) % MEMBERS, plies=plies, variant=variant)
    for number in range(OFFERS):
        options = GameOptions(variant="american", days_per_move=1 + number % 14, colour="first")
        games.create_game(creator=club.members[number % MEMBERS].user, options=options, now=now)
    ensure_defaults(now=now)
    for ladder in Ladder.objects.all()[:2]:
        for member in club.members:
            join_ladder(user=member.user, ladder_id=ladder.public_id, now=now)
    return club


def _member(number: int) -> Member:
    name = f"member{number:02}"
    user = User.objects.create_user(name, f"{name}@club.example", "a quiet corner")
    User.objects.filter(pk=user.pk).update(last_seen_at=clock.now() + timedelta(hours=1))
    session = SessionStore()
    session[SESSION_KEY], session[BACKEND_SESSION_KEY] = str(user.pk), BACKEND
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    token = new_token(user=user, now=clock.now())
    return Member(User.objects.get(pk=user.pk), session.session_key or "", token)
