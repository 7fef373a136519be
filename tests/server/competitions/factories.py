"""Factories of tournaments for the tests, and playing them to their end."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Any

from django.test import Client

from crownhead.contest import Contest
from crownhead.server.accounts.models import User
from crownhead.server.competitions import jobs, services
from crownhead.server.competitions.models import Entrant, Pairing, PairingGame, Round, Tournament
from crownhead.server.competitions.selectors.contest_rows import load
from crownhead.server.competitions.services import precompute, rounds
from crownhead.server.competitions.services.announcement import Announcement
from crownhead.server.core.problems import Conflict
from crownhead.server.play.draws.services import accept_draw, offer_draw, resign
from crownhead.server.play.games.options import GameOptions, LiveClock
from crownhead.server.play.models import Game, Seat
from crownhead.server.play.moves.services import play_move
from crownhead.server.play.presenters.state import legal_moves
from crownhead.server.play.staff.services import adjudicate
from crownhead.server.teams.selectors.terms import hours_per_move
from tests.server.conftest import make_user
from tests.server.play.factories import NOW

MAIN = GameOptions(variant="american", colour="first", clock=hours_per_move(48))
LIVE = GameOptions(variant="american", colour="first", clock=LiveClock(initial=300, increment=3))
MAX_ROUNDS = 3000


def make_tournament(host: User, *, now: datetime = NOW, **changes: Any) -> Tournament:
    """A tournament that is open for entry: a round robin of up to eight unless changed."""
    wanted: dict[str, Any] = {
        "name": "Spring cup",
        "game": MAIN,
        "format": "round-robin",
        "min_players": 3,
        "max_players": 8,
        "start": "hand",
    } | changes
    return services.create(user=host, wanted=Announcement(**wanted), now=now)


def enter_players(tournament: Tournament, count: int, *, now: datetime = NOW) -> list[User]:
    """Make players and enter them."""
    users = [make_user(f"player-{number}") for number in range(1, count + 1)]
    for user in users:
        services.enter(user=user, tournament_id=tournament.public_id, now=now)
    return users


def make_running_tournament(
    host: User, count: int, *, now: datetime = NOW, **changes: Any
) -> tuple[Tournament, list[User]]:
    """A tournament whose first round is paired."""
    tournament = make_tournament(host, now=now, **({"max_players": max(count, 2)} | changes))
    users = enter_players(tournament, count, now=now)
    services.start(user=host, tournament_id=tournament.public_id, now=now)
    jobs.advance_due(now)
    return fresh(tournament), users


def invite_substitute(
    tournament: Tournament, player: User, substitute: User, *, by: User | None = None, now: datetime = NOW
) -> None:
    """Have somebody, the host unless told, invite another player to take a player's place."""
    services.invite_substitute(
        user=by or tournament.host,
        tournament_id=tournament.public_id,
        username=player.username,
        substitute=substitute.username,
        reason="They can't come.",
        now=now,
    )


def advance(tournament: Tournament, *, now: datetime = NOW) -> None:
    """Have a worker do what is to be done in a tournament, whenever it is due."""
    Tournament.objects.filter(pk=tournament.pk).update(due_at=now)
    rounds.advance_if_free(pk=tournament.pk, now=now)


def client_of(user: User) -> Client:
    """The browser of somebody who is signed in."""
    client = Client()
    client.force_login(user)
    return client


def fresh(tournament: Tournament) -> Tournament:
    """The tournament as stored."""
    return Tournament.objects.get(pk=tournament.pk)


def state(tournament: Tournament) -> Contest:
    """The tournament as a ``contest`` value."""
    return load(fresh(tournament))


def open_rows(tournament: Tournament) -> list[PairingGame]:
    """The open games of a tournament."""
    rows = PairingGame.objects.filter(
        pairing__round__tournament=tournament, first_points=None, replaced=False
    )
    return list(rows.select_related("pairing").order_by("pk"))


def opponents(row: PairingGame) -> tuple[User, User]:
    """The players of a game, first side first."""
    game = Game.objects.with_players().get(public_id=row.game_id)
    assert game.first_player is not None
    assert game.second_player is not None
    return game.first_player, game.second_player


def end(game_id: str, *, winner: Seat | None, by: User, now: datetime = NOW) -> None:
    """End a game at once, as its director; nothing if it is over already."""
    result = winner.value if winner else "draw"
    with suppress(Conflict):
        adjudicate(by=by, game_id=game_id, result=result, reason="Decided.", now=now, as_director=True)


def play_two_moves(game_id: str, *, now: datetime = NOW) -> tuple[User, User]:
    """Let both sides of a game make two moves; returns its players, first side first."""
    game = Game.objects.with_players().get(public_id=game_id)
    first, second = game.first_player, game.second_player
    assert first is not None
    assert second is not None
    for _ in range(4):
        game.refresh_from_db()
        play_move(
            user=first if game.turn == Seat.FIRST else second,
            game_id=game_id,
            move=legal_moves(game)[0].notation,
            version=game.version,
            now=now,
        )
    return first, second


def play_out(game_id: str, *, winner: Seat | None, now: datetime = NOW) -> None:
    """End a game as players do: after two moves each, one resigns or they agree on a draw."""
    first, second = play_two_moves(game_id, now=now)
    if winner is None:
        offer_draw(user=first, game_id=game_id, now=now)
        accept_draw(user=second, game_id=game_id, now=now)
    else:
        resign(user=second if winner is Seat.FIRST else first, game_id=game_id, now=now)


def wait_for_processes() -> None:
    """Wait until the pairings that are computed in processes of their own are there."""
    for begun in precompute._begun.values():  # noqa: SLF001 - a test has to wait for it
        begun.computation._answers.poll(None)  # noqa: SLF001


def random_winner(dice: Random) -> Seat | None:
    """A random result: each side wins equally often, some games are drawn."""
    return dice.choice([Seat.FIRST, Seat.SECOND, Seat.FIRST, Seat.SECOND, None])


@dataclass(slots=True)
class Playthrough:
    """Plays a tournament to its end on a clock of its own.

    ``mishap`` is called before each game ends: it may withdraw players, let time pass, end the game itself.
    """

    tournament: Tournament
    now: datetime = NOW
    dice: Random = field(default_factory=lambda: Random(7))
    step: timedelta = timedelta(minutes=30)
    mishap: Callable[[Playthrough, PairingGame], bool] | None = None
    ended: int = 0

    def play(self) -> Tournament:
        """Play until it is over; workers run twice after each game, which must change nothing."""
        for _ in range(MAX_ROUNDS):
            self.work()
            if fresh(self.tournament).status != "running":
                return fresh(self.tournament)
            rows = open_rows(self.tournament)
            if not rows:
                wait_for_processes()
                self.now += self.step
                continue
            row = self.dice.choice(rows)
            self.now += self.step / 10
            if self.mishap is None or not self.mishap(self, row):
                end(row.game_id or "", winner=random_winner(self.dice), by=self.tournament.host, now=self.now)
            self.ended += 1
        raise AssertionError(f"not over after {MAX_ROUNDS} games: {fresh(self.tournament).waiting_for}")

    def work(self) -> None:
        """Run the workers twice."""
        for _ in range(2):
            jobs.advance_due(self.now)
        jobs.forfeit_no_shows(self.now)
        jobs.advance_due(self.now)


def check_invariants(tournament: Tournament) -> None:
    """Check what holds in every tournament: complete results, nobody paired twice, one ballot per pair."""
    for row in Pairing.objects.filter(round__tournament=tournament).select_related("round"):
        games = list(row.games.filter(replaced=False).order_by("number"))
        assert [game.number for game in games] == list(range(1, len(games) + 1))
        assert bool(games) == (row.bye == "") or row.round.starts_at is None
        if row.ballot and len(games) > 1:
            rows = Game.objects.filter(public_id__in=[game.game_id for game in games[: row.planned]])
            assert len({game.opening for game in rows}) == 1
            if len(rows) == 2:
                assert rows[0].first_player == rows[1].second_player
    for made in Round.objects.filter(tournament=tournament):
        pairings = list(Pairing.objects.filter(round=made))
        seats = [key for row in pairings for key in (row.first_id, row.second_id) if key]
        assert len(seats) == len(set(seats)) or any(row.section for row in pairings)
    total = Entrant.objects.filter(tournament=tournament).count()
    assert total >= fresh(tournament).size
