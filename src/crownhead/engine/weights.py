"""The weights that the engine has learned: a small file for each variant, refused where it does not fit.

A file holds by how much the worth of each feature differs from what counting pieces says, at the beginning
of a game and at its end; most features are seldom seen and differ in nothing. It opens with a header, low
byte first: ``CRWH``, the version of the format (4 bytes), a hash of what the weights were learned for (8),
a CRC-32 of the differences (4). These follow in the xz format: a pair of 16-bit numbers for each feature,
in halves of a hundredth of a man.
"""

from __future__ import annotations

import hashlib
import lzma
import struct
import zlib
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from importlib.resources import files
from typing import Any

from crownhead._kernel import Lesson
from crownhead.rules.errors import CrownheadError
from crownhead.rules.lookup import variant_of
from crownhead.rules.variants import VARIANTS

SUFFIX = ".weights"
_MAGIC = b"CRWH"
_VERSION = 1
_SHAPE = 1  # of the features; another number where a feature comes to mean something else
_HEADER = struct.Struct("<4sI8sI")
_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 0, "lp": 2, "pb": 2}]


class StaleWeights(CrownheadError):
    """Weights are damaged, or were learned for other rules or another engine."""


@cache
def shipped(variant: str) -> bytes:
    """The weights that come with the package, as the kernel takes them; none where counting does as well.

    A variant without a file of its own takes that of another whose pieces move alike on the same board.
    """
    row = variant_of(variant)
    alike = [other.key for other in VARIANTS.values() if (other.board, other.rules) == (row.board, row.rules)]
    for key in (row.key, *alike):
        file = files("crownhead.engine") / "learned" / f"{key}{SUFFIX}"
        if file.is_file():
            return unpack(file.read_bytes(), row.key)
    return b""


def pack(weights: bytes, variant: str) -> bytes:
    """What a file holds for weights as the kernel takes them; they are rounded to halves of a hundredth."""
    differences = Lesson(variant_of(variant).key).subtract(weights)
    header = _HEADER.pack(_MAGIC, _VERSION, fingerprint(variant), zlib.crc32(differences))
    return header + lzma.compress(differences, filters=_FILTERS)


def unpack(content: bytes, variant: str) -> bytes:
    """The weights in a file, as the kernel takes them. Raises ``StaleWeights`` where they do not fit."""
    if len(content) < _HEADER.size or not content.startswith(_MAGIC):
        raise StaleWeights(f"expected weights that begin with {_MAGIC!r}, got {content[:4]!r}")
    _, version, learned_for, checksum = _HEADER.unpack_from(content)
    if version != _VERSION:
        raise StaleWeights(f"expected weights in format {_VERSION}, got format {version}")
    if learned_for != fingerprint(variant):
        raise StaleWeights(
            f"expected weights for {variant} as this engine plays it ({fingerprint(variant).hex()}), "
            f"got weights learned for something else ({learned_for.hex()})"
        )
    try:
        differences = lzma.decompress(content[_HEADER.size :])
    except lzma.LZMAError as error:
        raise StaleWeights(f"expected whole weights for {variant}, got damaged ones: {error}") from None
    if zlib.crc32(differences) != checksum:
        raise StaleWeights(f"expected weights for {variant} with checksum {checksum:08x}, got damaged ones")
    return Lesson(variant_of(variant).key).add(differences)


@cache
def fingerprint(variant: str) -> bytes:
    """What weights are learned for: the rules of the variant, what the features mean and begin with."""
    row = variant_of(variant)
    counted: bytes = Lesson(row.key).fit([])[0]
    told = _told((_SHAPE, row.board, row.rules))
    return hashlib.sha256(told.encode() + counted).digest()[:8]


def _told(value: Any) -> str:
    """A value as text, the same in every process."""
    if isinstance(value, Enum):
        return _told(value.value)
    if is_dataclass(value):
        return _told([(field.name, getattr(value, field.name)) for field in fields(value)])
    if isinstance(value, frozenset):
        return _told(sorted(map(_told, value)))
    if isinstance(value, (list, tuple)):
        return f"({' '.join(map(_told, value))})"
    return repr(value)
