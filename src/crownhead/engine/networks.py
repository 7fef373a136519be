"""Networks that correct the weights of the evaluation: a file for a variant, refused where it does not fit.

A network belongs to the weights that it was trained beside. Its file starts with a header, low byte first:
``CRWN``, the version of the format (4 bytes), the hash of what the weights were trained for (8), a CRC-32 of
the weights (4) and one of the numbers (4). These follow in the xz format, as the kernel takes them
(``native/include/crownhead/engine/network.hpp``).
"""

from __future__ import annotations

import lzma
import struct
import zlib
from functools import cache
from pathlib import Path

from crownhead._kernel import Trainer
from crownhead.engine.weights import LEARNED, StaleWeights, fingerprint, key_of_shipped, shipped
from crownhead.engine.weights import SUFFIX as WEIGHTS_SUFFIX
from crownhead.engine.weights import unpack as unpack_weights
from crownhead.rules.kernel import kernel_variant
from crownhead.rules.lookup import variant_of
from crownhead.rules.schema import Variant

SUFFIX = ".network"
_MAGIC = b"CRWN"
_VERSION = 1
_HEADER = struct.Struct("<4sI8sII")
_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 0, "lp": 1, "pb": 1}]


@cache
def evaluation(variant: str | Variant) -> bytes:
    """The shipped weights and, behind them, the network that comes with them: what an engine takes."""
    row, weights = variant_of(variant), shipped(variant)
    file = LEARNED / f"{key_of_shipped(row)}{SUFFIX}"
    return weights + unpack(file.read_bytes(), row, weights) if file.is_file() else weights


def read(path: Path, variant: str | Variant) -> tuple[bytes, bytes]:
    """The weights in a file, and the network behind them, or in a file beside it; empty without one.

    A file of weights as the package has them ends in ``.weights``; any other holds what an engine takes.
    Raises ``StaleWeights``, and ``OSError`` for a missing file.
    """
    row, content = variant_of(variant), path.read_bytes()
    if path.suffix != WEIGHTS_SUFFIX:
        length = len(Trainer(kernel_variant(row)).fit([])[0])  # of weights without any data
        return content[:length], content[length:]
    weights, beside = unpack_weights(content, row), path.with_suffix(SUFFIX)
    return weights, unpack(beside.read_bytes(), row, weights) if beside.is_file() else b""


def pack(network: bytes, variant: str | Variant, weights: bytes) -> bytes:
    """The content of a file of a network that was trained beside these weights."""
    header = _HEADER.pack(_MAGIC, _VERSION, fingerprint(variant), zlib.crc32(weights), zlib.crc32(network))
    return header + lzma.compress(network, filters=_FILTERS)


def unpack(content: bytes, variant: str | Variant, weights: bytes) -> bytes:
    """The network in a file. Raises ``StaleWeights`` where it does not fit the variant or the weights."""
    row = variant_of(variant)
    if len(content) < _HEADER.size or not content.startswith(_MAGIC):
        raise StaleWeights(f"expected a network that begins with {_MAGIC!r}, got {content[:4]!r}")
    _, version, learned_for, beside, checksum = _HEADER.unpack_from(content)
    if version != _VERSION:
        raise StaleWeights(f"expected a network in format {_VERSION}, got format {version}")
    if (learned_for, beside) != (fingerprint(row), zlib.crc32(weights)):
        raise StaleWeights(f"expected a network for {row.key} and its weights, got one for others")
    try:
        network = lzma.decompress(content[_HEADER.size :])
    except lzma.LZMAError as error:
        raise StaleWeights(f"expected a whole network for {row.key}, got a damaged one: {error}") from None
    if zlib.crc32(network) != checksum:
        raise StaleWeights(
            f"expected a network for {row.key} with checksum {checksum:08x}, got a damaged one"
        )
    return network
