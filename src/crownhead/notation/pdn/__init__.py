"""Games as PDN: ``read`` or ``check`` a file of them, ``write`` one; trees keep all that is said."""

from __future__ import annotations

from crownhead.notation.moves import Style
from crownhead.notation.pdn.check import check
from crownhead.notation.pdn.grow import read_trees
from crownhead.notation.pdn.reader import BadGame, Doubt, Note, Reader, read, visit
from crownhead.notation.pdn.source import Source
from crownhead.notation.pdn.tree import Clock, GameTree, Node
from crownhead.notation.pdn.tree_writer import write_tree
from crownhead.notation.pdn.visitor import Record, Visitor
from crownhead.notation.pdn.writer import write

__all__ = [
    "BadGame",
    "Clock",
    "Doubt",
    "GameTree",
    "Node",
    "Note",
    "Reader",
    "Record",
    "Source",
    "Style",
    "Visitor",
    "check",
    "read",
    "read_trees",
    "visit",
    "write",
    "write_tree",
]
