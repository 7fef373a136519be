"""Random games by the native kernel, and what it says of each of their positions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

from crownhead import VARIANTS, Game, Outcome, Variant
from crownhead.engine.browser import row as browser_row
from tests.house_rows import ROWS
from tests.wasm.asking import answer

ALL: tuple[Variant, ...] = (*VARIANTS.values(), *ROWS)
LONGEST = 160  # plies


def disagreements(variants: Iterable[Variant], seeds: Sequence[int]) -> list[str]:
    """Where the two differ, by variant, seed and ply; each seed is one game of each variant."""
    rows = [*variants]
    played = [[random_game(row, seed) for seed in seeds] for row in rows]
    question = [
        {"row": browser_row(row), "games": [chosen for chosen, _ in games]}
        for row, games in zip(rows, played, strict=True)
    ]
    found = []
    for row, games, answers in zip(rows, played, answer("games", question), strict=True):
        for seed, (_, expected), got in zip(seeds, games, answers, strict=True):
            for ply, (mine, theirs) in enumerate(zip(expected, got, strict=True)):
                if mine != theirs:
                    found.append(f"{row.key} seed {seed} ply {ply}: expected {mine}, got {theirs}")
                    break
    return found


def astray(variant: Variant, seeds: Sequence[int], *, module: str) -> list[int]:
    """The seeds whose games go another way in browsers: by the number of moves at each ply and the end."""
    question = {"row": browser_row(variant), "seeds": [*seeds], "longest": LONGEST}
    found = answer("courses", question, module=module)
    return [seed for seed, got in zip(seeds, found, strict=True) if got != course(variant, seed)]


def course(variant: Variant, seed: int) -> list[Any]:
    """How a game goes whose moves follow from a seed, as ``answers.js`` tells it."""
    game, dice = Game(variant), _next(seed)
    counts: list[int] = []
    while (outcome := game.outcome()) is None and len(counts) < LONGEST:
        moves = game.position.legal_moves()
        counts.append(len(moves))
        game.push(moves[(dice >> 8) % len(moves)])
        dice = _next(dice)
    return [counts, game.position.fen(), _as_value(outcome)]


def _next(dice: int) -> int:
    return (dice * 1_103_515_245 + 12_345) & 0xFFFF_FFFF


def random_game(row: Variant, seed: int) -> tuple[list[int], list[dict[str, Any]]]:
    """The places of its moves among the legal ones, and a description of each position."""
    dice = Random(f"{row.key} {seed}")
    game = Game(row)
    chosen: list[int] = []
    seen = [described(game)]
    while game.outcome() is None and len(chosen) < LONGEST:
        moves = game.position.legal_moves()
        chosen.append(dice.randrange(len(moves)))
        game.push(moves[chosen[-1]])
        seen.append(described(game))
    return chosen, seen


def described(game: Game) -> dict[str, Any]:
    """What there is to say of the position of a game, as ``answers.js`` says it."""
    position = game.position
    notations = position.notations()
    return {
        "fen": position.fen(),
        "moves": [[[*move.path], [*move.captures], move.crowns] for move in notations],
        "notations": [*notations.values()],
        "ending": _as_value(position.outcome()),
        "outcome": _as_value(game.outcome()),
        "claimable": [*game.claimable_draws()],
    }


def _as_value(outcome: Outcome | None) -> dict[str, str | None] | None:
    return None if outcome is None else {"winner": outcome.winner, "termination": outcome.termination}
