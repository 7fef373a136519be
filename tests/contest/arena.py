"""Simulates an arena: games of different lengths, players who pause, leave and enter late."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from crownhead.contest import Contest, Game, Pair, Pairing, Player, Round, formats
from tests.contest.play import field_of, sound


def evening(count: int, *, waves: int, seed: int = 1) -> Contest:
    """Run an arena for some steps; between two steps about half of the games in progress end."""
    dice = Random(seed)
    contest = Contest("arena", field_of(count))
    for _ in range(waves):
        step = formats.next_step(contest)
        if isinstance(step, Pair):
            sound(contest, step.round)
            contest = replace(contest, rounds=(*contest.rounds, started(step.round)))
        contest = replace(contest, rounds=tuple(_played(made, dice, 0.5) for made in contest.rounds))
        contest = replace(contest, players=_come_and_go(contest, dice))
    return replace(contest, closed=True, rounds=tuple(_played(made, dice, 1.0) for made in contest.rounds))


def started(made: Round) -> Round:
    """Return the round with its games started."""
    pairings = tuple(
        replace(pairing, games=tuple(Game(due.first, due.second) for due in pairing.due()))
        for pairing in made.pairings
    )
    return Round(made.number, pairings)


def _played(made: Round, dice: Random, chance: float) -> Round:
    return Round(made.number, tuple(_ended(pairing, dice, chance) for pairing in made.pairings))


def _ended(pairing: Pairing, dice: Random, chance: float) -> Pairing:
    if pairing.over or dice.random() > chance:
        return pairing
    points = dice.choice([(2, 0), (2, 0), (0, 2), (1, 1)])
    return replace(pairing, games=tuple(replace(game, points=points) for game in pairing.games))


def _come_and_go(contest: Contest, dice: Random) -> tuple[Player, ...]:
    number = len(contest.rounds)
    players = [
        replace(
            player, here=dice.random() > 0.1, left=player.left or (number if dice.random() < 0.005 else None)
        )
        for player in contest.players
    ]
    if dice.random() < 0.1:
        players.append(Player(f"late{number}-{len(players)}", entered=number + 1))
    return tuple(players)
