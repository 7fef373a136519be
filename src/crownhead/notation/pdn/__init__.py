"""Games as PDN: ``read`` a file of them one by one, ``write`` one."""

from __future__ import annotations

from crownhead.notation.pdn.reader import BadGame, Reader, read
from crownhead.notation.pdn.source import Source
from crownhead.notation.pdn.writer import write

__all__ = ["BadGame", "Reader", "Source", "read", "write"]
