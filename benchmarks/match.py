"""Plays a match between two engines and writes it down: `python benchmarks/match.py --help`.

A player is `learned` (the weights that come with the package), `material` (the evaluation without weights), a
file of weights, `level:` with the number of a level of play (the limit applies to the highest alone), or
`hub:` with the command line of an engine with the Hub protocol, which `hub_peer.py` gives to others.
`--ladder` plays neighbouring levels against each other, one match after the other. `--margins` gives the
first player other margins of the search, as `tune.py` finds them.
"""

from __future__ import annotations

import argparse
import shlex
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from random import Random

from crownhead.engine import Engine
from crownhead.engine.hub.client import HubEngine
from crownhead.engine.levels import choose, level_of
from crownhead.engine.matches import (
    SPRT,
    EnginePlayer,
    Player,
    Tally,
    deck_of,
    openings_of,
    play_match,
)
from crownhead.engine.networks import read
from crownhead.engine.tables import Tables
from crownhead.rules import Game, Move, Position
from crownhead.rules.schema import DrawRules, NoProgressDraw, Progress
from matches_report import Match, append

MEGABYTES = 8


def arguments() -> argparse.Namespace:
    """The arguments."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--variant", default="american")
    parser.add_argument("--first", default="learned")
    parser.add_argument("--second", default="material")
    parser.add_argument(
        "--ladder",
        type=int,
        nargs=2,
        metavar=("LOWEST", "HIGHEST"),
        help="instead of these two: neighbouring levels of play, from the lowest to the highest of them",
    )
    parser.add_argument("--pairs", type=int, default=200, help="of games (default: 200)")
    parser.add_argument("--nodes", type=int, help="a move (default: 5000, where no seconds are given)")
    parser.add_argument("--seconds", type=float, help="a move")
    parser.add_argument(
        "--odds", type=float, default=1, help="times as many seconds for the second player (default: 1)"
    )
    parser.add_argument(
        "--plies", type=int, default=6, help="of random openings, where the deck is used up (default: 6)"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the openings")
    parser.add_argument("--threads", type=int, default=1, help="games at a time")
    parser.add_argument(
        "--margins",
        nargs="+",
        type=margin_of,
        metavar="NAME=VALUE",
        help="of the search of the first player, an engine of this package",
    )
    parser.add_argument(
        "--elo",
        type=float,
        nargs=2,
        metavar=("ELO0", "ELO1"),
        help="stop by a sequential probability ratio test (SPRT)",
    )
    parser.add_argument("--risk", type=float, default=0.05, help="alpha and beta of the test (default: 0.05)")
    parser.add_argument(
        "--without-capture",
        type=int,
        metavar="MOVES",
        help="of each side that make a draw, as in some engines",
    )
    parser.add_argument(
        "--referee",
        type=Path,
        metavar="FOLDER",
        help="of endgame tables, which end a game as soon as they know its result",
    )
    parser.add_argument("--dry", action="store_true", help="write nothing down")
    return parser.parse_args()


def margin_of(text: str) -> tuple[str, int]:
    """A margin and its value."""
    name, _, value = text.partition("=")
    return name, int(value)


@dataclass(frozen=True, slots=True)
class LevelPlayer:
    """A level of play."""

    engine: Engine
    level: int
    seconds: float | None
    dice: Random

    def move(self, game: Game) -> Move:
        """The move that the level makes."""
        return choose(self.engine, game, level=self.level, dice=self.dice, seconds=self.seconds)

    def begin(self) -> None:
        """Forget the last game."""
        self.engine.forget()


def player_of(
    name: str,
    chosen: argparse.Namespace,
    open_engines: ExitStack,
    *,
    odds: float = 1,
    margins: dict[str, int] | None = None,
) -> EnginePlayer | LevelPlayer:
    """The player of a name; raises what reading a file of weights or starting an engine raises."""
    seconds = chosen.seconds and chosen.seconds * odds
    if name.startswith("level:"):
        dice = Random(f"{chosen.seed} {name}")
        return LevelPlayer(Engine(chosen.variant, megabytes=MEGABYTES), _number(name), seconds, dice)
    engine: Engine | HubEngine
    if name.startswith("hub:"):
        command = shlex.split(name.removeprefix("hub:"))
        engine = open_engines.enter_context(HubEngine(command, chosen.variant))
    else:
        weights = _weights(name, chosen.variant)
        engine = Engine(chosen.variant, megabytes=MEGABYTES, weights=weights, margins=margins)
    return EnginePlayer(engine, chosen.nodes, seconds)


def name_of(name: str, player: EnginePlayer | LevelPlayer) -> str:
    """The name of a player in the report."""
    return player.engine.name if isinstance(player.engine, HubEngine) else name


def draws_of(chosen: argparse.Namespace) -> DrawRules | str:
    """The draw rules: those of the variant, or a count of moves without a capture alone."""
    if chosen.without_capture is None:
        return "official"
    count = NoProgressDraw(
        chosen.without_capture, frozenset({Progress.CAPTURE}), automatic=True, article="none"
    )
    return DrawRules("without-capture", "moves without a capture", (count,))


def limit_of(chosen: argparse.Namespace, pairing: tuple[str, str]) -> str:
    """The limit of a move; levels below the highest have their own."""
    if all(name.startswith("level:") and not level_of(_number(name)).seconds for name in pairing):
        return "their own"
    if chosen.nodes:
        return f"{chosen.nodes} nodes"
    return f"{chosen.seconds:g} s" + (
        f", second {chosen.seconds * chosen.odds:g} s" if chosen.odds != 1 else ""
    )


def rules_of(chosen: argparse.Namespace, referee: Tables | None) -> str:
    """Who ends games, where it is not the draw rules of the variant."""
    own = "" if chosen.without_capture is None else f", {chosen.without_capture} moves without a capture"
    return own if referee is None else f"{own}, tables of {referee.most} pieces as the referee"


def _number(name: str) -> int:
    return int(name.removeprefix("level:"))


def _weights(name: str, variant: str) -> bytes | None:
    if name in ("learned", "material"):
        return None if name == "learned" else b""
    return b"".join(read(Path(name), variant))


def pairings_of(chosen: argparse.Namespace) -> list[tuple[str, str]]:
    """The names of the players of each match."""
    if chosen.ladder:
        lowest, highest = chosen.ladder
        return [(f"level:{level}", f"level:{level - 1}") for level in range(lowest + 1, highest + 1)]
    return [(chosen.first, chosen.second)]


def played(chosen: argparse.Namespace, openings: list[Position], pairing: tuple[str, str]) -> Match:
    """One match, its score printed now and then."""
    test = None
    if chosen.elo:
        elo0, elo1 = chosen.elo
        test = SPRT(elo0, elo1, alpha=chosen.risk, beta=chosen.risk)
    tally, names, margins = Tally(), [*pairing], dict(chosen.margins or ())
    referee = Tables(chosen.referee, chosen.variant) if chosen.referee else None
    with ExitStack() as open_engines:

        def players() -> tuple[Player, Player]:
            first = player_of(pairing[0], chosen, open_engines, margins=margins)
            second = player_of(pairing[1], chosen, open_engines, odds=chosen.odds)
            others = "".join(f", {name} {value}" for name, value in margins.items())
            names[:] = name_of(pairing[0], first) + others, name_of(pairing[1], second)
            return first, second

        course = play_match(
            openings,
            players,
            test=test,
            threads=chosen.threads,
            draw_rules=draws_of(chosen),
            referee=referee,
        )
        for tally in course:
            if tally.games % 100 == 0:
                print(tally, flush=True)
    deck = deck_of(chosen.variant)
    of_deck = min(len(deck.playable), tally.games // 2) if deck else 0
    return Match(
        variant=chosen.variant,
        players=" – ".join(names),
        limit=limit_of(chosen, pairing) + rules_of(chosen, referee),
        openings=f"{of_deck} ballots, {tally.games // 2 - of_deck} random",
        tally=tally,
        test=test,
    )


def main() -> None:
    """Play, print the score now and then, add the results to matches.md."""
    chosen = arguments()
    if chosen.seconds is None and chosen.nodes is None:
        chosen.nodes = 5000
    openings = openings_of(chosen.variant, chosen.pairs, seed=chosen.seed, plies=chosen.plies)
    for pairing in pairings_of(chosen):
        match = played(chosen, openings, pairing)
        print(f"{chosen.variant}, {match.players}: {match.tally}", flush=True)
        if not chosen.dry:
            append(match)


if __name__ == "__main__":
    main()
