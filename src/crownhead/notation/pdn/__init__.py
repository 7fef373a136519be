"""PDN: ``read`` or ``check`` files, ``write`` games; trees also keep comments and variations."""

from __future__ import annotations

from crownhead.notation.moves import Style
from crownhead.notation.numberings import Numbering
from crownhead.notation.pdn.check import check
from crownhead.notation.pdn.reader import PdnError, PdnInfo, PdnWarning, Reader, read, visit
from crownhead.notation.pdn.recognition import VariantRecognised
from crownhead.notation.pdn.source import Source
from crownhead.notation.pdn.tree import Clock, GameTree, Node
from crownhead.notation.pdn.tree_reader import read_trees
from crownhead.notation.pdn.tree_writer import write_tree
from crownhead.notation.pdn.visitor import GameRecord, Visitor
from crownhead.notation.pdn.writer import write

__all__ = [
    "Clock",
    "GameRecord",
    "GameTree",
    "Node",
    "Numbering",
    "PdnError",
    "PdnInfo",
    "PdnWarning",
    "Reader",
    "Source",
    "Style",
    "VariantRecognised",
    "Visitor",
    "check",
    "read",
    "read_trees",
    "visit",
    "write",
    "write_tree",
]
