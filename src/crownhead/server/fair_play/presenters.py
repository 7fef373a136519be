"""The report on rated games as numbers that a template draws: players on a circle, points as arrows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import cos, hypot, pi, sin

from crownhead.server.fair_play.selectors import EarlyWinner, Pair, early_winners, suspicious_pairs

SIZE, RADIUS, NODE = 640, 240, 9
MAX_PLAYERS = 24  # in the graph; the table lists all
_WIDEST, _WIDE_AT = 8, 400  # the stroke of an arrow, in points of rating


@dataclass(frozen=True, slots=True)
class Node:
    """A player of the graph, with the place of the name."""

    name: str
    x: float
    y: float
    text_x: float
    text_y: float
    anchor: str


@dataclass(frozen=True, slots=True)
class Arrow:
    """Points that went from one player to another."""

    x1: float
    y1: float
    x2: float
    y2: float
    width: float
    title: str


@dataclass(frozen=True, slots=True)
class ReportPresenter:
    """The pairs with the graph of who gave points to whom, and the players whom many let win early."""

    pairs: list[Pair]
    players: list[EarlyWinner]
    nodes: list[Node]
    arrows: list[Arrow]
    size: int = SIZE
    radius: int = NODE


def report(*, now: datetime) -> ReportPresenter:
    """The report of the last month."""
    pairs = suspicious_pairs(now=now)
    names = list(dict.fromkeys(name for pair in pairs for name in (pair.winner, pair.loser)))[:MAX_PLAYERS]
    nodes = {name: _node(name, number, len(names)) for number, name in enumerate(names)}
    return ReportPresenter(pairs, early_winners(now=now), list(nodes.values()), _arrows(pairs, nodes))


def _node(name: str, number: int, count: int) -> Node:
    angle = 2 * pi * number / count - pi / 2
    centre, beyond = SIZE / 2, RADIUS + 2 * NODE
    anchor = "middle" if abs(cos(angle)) < 0.2 else "start" if cos(angle) > 0 else "end"
    return Node(
        name=name,
        x=round(centre + RADIUS * cos(angle), 1),
        y=round(centre + RADIUS * sin(angle), 1),
        text_x=round(centre + beyond * cos(angle), 1),
        text_y=round(centre + beyond * sin(angle) + 4, 1),
        anchor=anchor,
    )


def _arrows(pairs: Sequence[Pair], nodes: dict[str, Node]) -> list[Arrow]:
    """From the loser to the edge of the winner's node."""
    arrows = []
    for pair in pairs:
        if pair.winner not in nodes or pair.loser not in nodes:
            continue
        start, end = nodes[pair.loser], nodes[pair.winner]
        length = hypot(end.x - start.x, end.y - start.y)
        short = 1 - 2 * NODE / length
        arrows.append(
            Arrow(
                x1=start.x,
                y1=start.y,
                x2=round(start.x + (end.x - start.x) * short, 1),
                y2=round(start.y + (end.y - start.y) * short, 1),
                width=round(1 + min(pair.points / _WIDE_AT, 1) * (_WIDEST - 1), 1),
                title=f"{pair.loser} → {pair.winner}: {pair.points}",
            )
        )
    return arrows
