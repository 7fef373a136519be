"""Endgame tables: who wins with few pieces on the board, and in how many plies.

>>> from crownhead import Position
>>> from crownhead.engine.tables import Tables
>>> tables = Tables.shipped("american")
>>> str(tables.probe(Position.from_fen("W:WK32:BK18,K19")))
'loses in 18'

What a table says it says of the pieces alone: neither repetition nor any counter of moves is known to it.
"""

from __future__ import annotations

from crownhead.engine.tables.folders import SHIPPED, folder_in, users_folder
from crownhead.engine.tables.making import MOST_PIECES, Stage, build, verify
from crownhead.engine.tables.probing import BadTable, Counts, Held, Result, Tables, Verdict

__all__ = [
    "MOST_PIECES",
    "SHIPPED",
    "BadTable",
    "Counts",
    "Held",
    "Result",
    "Stage",
    "Tables",
    "Verdict",
    "build",
    "folder_in",
    "users_folder",
    "verify",
]
