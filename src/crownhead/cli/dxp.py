"""``crownhead dxp``: play against another program over the network."""

from __future__ import annotations

import argparse
import sys

from crownhead.cli.arguments import Commands, add_command, add_position, position_of, whole_number
from crownhead.cli.thinking import add_engine, engine_of
from crownhead.engine.dxp.game import Played, accept, invite
from crownhead.engine.dxp.link import PORT, Link, called, connected, listening
from crownhead.engine.dxp.messages import DxpError
from crownhead.engine.engine import Engine
from crownhead.rules import Position

_DESCRIPTION = f"""
Play against another draughts program with the DamExchange protocol (DXP). One of the two listens, the other
connects and starts the games. The default port is {PORT}. The games are printed as PDN.
"""
_EXAMPLES = (
    ("crownhead dxp --listen 127.0.0.1 --variant international", "wait for connections, game after game"),
    ("crownhead dxp --connect 192.0.2.7 --variant international --minutes 10 --games 2", "offer two games"),
)


def register(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = add_command(
        commands,
        "dxp",
        purpose="play against another program over the network",
        description=_DESCRIPTION,
        examples=_EXAMPLES,
    )
    way = parser.add_mutually_exclusive_group(required=True)
    way.add_argument(
        "--listen", metavar="HOST[:PORT]", type=_place, help="wait for a connection on this address"
    )
    way.add_argument(
        "--connect", metavar="HOST[:PORT]", type=_place, help="connect to this address and start games"
    )
    add_position(parser)
    add_engine(parser)
    parser.add_argument(
        "--side",
        choices=("first", "second"),
        default="first",
        help="our side, when connecting (default: first)",
    )
    parser.add_argument(
        "--minutes",
        metavar="N",
        type=whole_number(1, 999),
        default=5,
        help="minutes for each side, when connecting (default: 5)",
    )
    parser.add_argument(
        "--games",
        metavar="N",
        type=whole_number(1, 999),
        default=1,
        help="number of games with alternating sides, when connecting (default: 1)",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Play the games, or wait for connections until interrupted."""
    start = position_of(arguments)
    engine = engine_of(arguments, start.variant)
    if arguments.connect:
        with connected(*arguments.connect) as link:
            _offer(link, engine, arguments, start)
        return
    with listening(*arguments.listen) as place:
        sys.stderr.write("Waiting for connections. Press Ctrl+C to stop.\n")
        while True:
            with called(place) as link:
                _answer(link, engine)


def _answer(link: Link, engine: Engine) -> None:
    """Play the games of one connection; report protocol errors, so that the next can follow."""
    try:
        while (played := accept(link, engine)) is not None:
            _show(played)
    except DxpError as error:
        sys.stderr.write(f"{error}\n")


def _offer(link: Link, engine: Engine, arguments: argparse.Namespace, start: Position) -> None:
    ours = start.turn if arguments.side == "first" else start.turn.opponent
    for _ in range(arguments.games):
        played = invite(link, engine, ours=ours, minutes=arguments.minutes, start=start)
        _show(played)
        if played.stop:
            break
        ours = ours.opponent


def _show(played: Played) -> None:
    names = {played.ours: "Crownhead", played.ours.opponent: played.opponent}
    played.game.tags |= {colour.value.capitalize(): name for colour, name in names.items()}
    print(played.game.pdn(), flush=True)


def _place(text: str) -> tuple[str, int]:
    host, colon, port = text.rpartition(":")
    if not colon or "]" in port:
        host, port = text, str(PORT)
    if not (port.isascii() and port.isdigit()) or int(port[:6]) > 65535:
        raise argparse.ArgumentTypeError(f"expected HOST or HOST:PORT, got {text!r}")
    return host.strip("[]") or "127.0.0.1", int(port)
