"""Endgame tables: the results of positions with few pieces, and the plies to the end of the game.

>>> from crownhead import Position
>>> from crownhead.engine.tables import Tables
>>> tables = Tables.shipped("american")
>>> str(tables.probe(Position.from_fen("W:WK32:BK18,K19")))
'loses in 18'

A table depends on the position alone: it knows neither repetitions nor any counter of moves.
"""

from __future__ import annotations

from crownhead.engine.tables.building import (
    MAX_PIECES,
    MAX_WITH_DISTANCES,
    MEMORY,
    Projection,
    Stage,
    build,
    in_gigabytes,
    project,
    verify,
)
from crownhead.engine.tables.folders import SHIPPED, folder_in, users_folder
from crownhead.engine.tables.probing import BadTable, Counts, Held, Result, Tables, Verdict

__all__ = [
    "MAX_PIECES",
    "MAX_WITH_DISTANCES",
    "MEMORY",
    "SHIPPED",
    "BadTable",
    "Counts",
    "Held",
    "Projection",
    "Result",
    "Stage",
    "Tables",
    "Verdict",
    "build",
    "folder_in",
    "in_gigabytes",
    "project",
    "users_folder",
    "verify",
]
