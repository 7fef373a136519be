"""What the engine has learned of each variant: a packed file a variant, made by ``crownhead train``."""

from __future__ import annotations

import lzma
from functools import cache
from importlib import resources

from crownhead.rules.lookup import variant_of

_FOLDER = resources.files("crownhead.engine") / "learned"


@cache
def load(variant: str) -> bytes:
    """The weights of a variant as the kernel reads them; empty where nothing has been learned."""
    file = _FOLDER / f"{variant_of(variant).key}.xz"
    return lzma.decompress(file.read_bytes()) if file.is_file() else b""


def pack(weights: bytes) -> bytes:
    """Weights as they are kept in a file."""
    return lzma.compress(weights, preset=9 | lzma.PRESET_EXTREME)
