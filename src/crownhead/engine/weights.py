"""The weights of the evaluation: a small file for each variant, refused where it does not fit.

A file holds by how much the weights of each feature, one for the opening and one for the endgame, differ from
those of the material evaluation; most features are rare and do not differ. It starts with a header, low byte
first: ``CRWH``, the version of the format (4 bytes), a hash of what the weights were trained for (8), a
CRC-32 of the differences (4). These follow in the xz format: a pair of 16-bit numbers for each feature, in
halves of a hundredth of a man.
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

from crownhead._kernel import Trainer
from crownhead.rules.errors import CrownheadError
from crownhead.rules.kernel import kernel_variant
from crownhead.rules.lookup import variant_of
from crownhead.rules.schema import Variant
from crownhead.rules.variants import STOCK

SUFFIX = ".weights"
LEARNED = files("crownhead.engine") / "learned"
_MAGIC = b"CRWH"
_VERSION = 1
_SHAPE = 1  # of the features; increased when a feature changes its meaning
_HEADER = struct.Struct("<4sI8sI")
_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 0, "lp": 2, "pb": 2}]


class StaleWeights(CrownheadError):
    """Weights are damaged, or were trained for other rules or another engine."""


@cache
def shipped(variant: str | Variant) -> bytes:
    """The weights that come with the package, as the kernel takes them; none where there is no file.

    A variant without a file of its own takes that of another with the same rules on the same board. A key
    alone does not count: a row with other rules than the package has for its key gets none of its weights.
    """
    row = variant_of(variant)
    key = key_of_shipped(row)
    return unpack((LEARNED / f"{key}{SUFFIX}").read_bytes(), row) if key else b""


def key_of_shipped(row: Variant) -> str:
    """The key of the variant whose weights a variant is shipped with; empty without any."""
    alike = [other for other in STOCK.values() if (other.board, other.rules) == (row.board, row.rules)]
    own_first = sorted((other.key for other in alike), key=lambda key: key != row.key)
    return next((key for key in own_first if (LEARNED / f"{key}{SUFFIX}").is_file()), "")


def pack(weights: bytes, variant: str | Variant) -> bytes:
    """The content of a file of weights; they are rounded to halves of a hundredth of a man."""
    differences = Trainer(kernel_variant(variant_of(variant))).differences_from_material(weights)
    header = _HEADER.pack(_MAGIC, _VERSION, fingerprint(variant), zlib.crc32(differences))
    return header + lzma.compress(differences, filters=_FILTERS)


def unpack(content: bytes, variant: str | Variant) -> bytes:
    """The weights in a file, as the kernel takes them. Raises ``StaleWeights`` where they do not fit."""
    row = variant_of(variant)
    if len(content) < _HEADER.size or not content.startswith(_MAGIC):
        raise StaleWeights(f"expected weights that begin with {_MAGIC!r}, got {content[:4]!r}")
    _, version, learned_for, checksum = _HEADER.unpack_from(content)
    if version != _VERSION:
        raise StaleWeights(f"expected weights in format {_VERSION}, got format {version}")
    if learned_for != fingerprint(row):
        raise StaleWeights(
            f"expected weights for {row.key} as this engine plays it ({fingerprint(row).hex()}), "
            f"got weights learned for something else ({learned_for.hex()})"
        )
    try:
        differences = lzma.decompress(content[_HEADER.size :])
    except lzma.LZMAError as error:
        raise StaleWeights(f"expected whole weights for {row.key}, got damaged ones: {error}") from None
    if zlib.crc32(differences) != checksum:
        raise StaleWeights(f"expected weights for {row.key} with checksum {checksum:08x}, got damaged ones")
    return Trainer(kernel_variant(row)).weights_from_differences(differences)


@cache
def fingerprint(variant: str | Variant) -> bytes:
    """A hash of what weights are trained for: rules of the variant, features, and the material evaluation."""
    row = variant_of(variant)
    material: bytes = Trainer(kernel_variant(row)).fit([])[0]
    rules = _canonical_text((_SHAPE, row.board, row.rules))
    return hashlib.sha256(rules.encode() + material).digest()[:8]


def _canonical_text(value: Any) -> str:
    """A value as text, the same in every process."""
    if isinstance(value, Enum):
        return _canonical_text(value.value)
    if is_dataclass(value):
        return _canonical_text([(field.name, getattr(value, field.name)) for field in fields(value)])
    if isinstance(value, frozenset):
        return _canonical_text(sorted(map(_canonical_text, value)))
    if isinstance(value, (list, tuple)):
        return f"({' '.join(map(_canonical_text, value))})"
    return repr(value)
