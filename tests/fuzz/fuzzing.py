"""Runs atheris over a property, with a folder that keeps the inputs that led somewhere new."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path

import atheris

_FOLDER = Path("build/fuzz")
_LIMITS = ("-max_len=4096", "-timeout=20", "-rss_limit_mb=1024")


def fuzz(name: str, seeds: Iterable[bytes], try_any: Callable[[bytes], None]) -> None:
    """Fuzz until a limit or a failure; libFuzzer, whose options these are, ends the process."""
    logging.disable()
    arguments = sys.argv[1:]
    if all(argument.startswith("-") for argument in arguments):
        corpus = _FOLDER / name
        corpus.mkdir(parents=True, exist_ok=True)
        for seed in seeds:
            (corpus / sha256(seed).hexdigest()[:16]).write_bytes(seed)
        arguments = [*arguments, str(corpus)]
    atheris.instrument_all()  # the hook on imports does not reach packages that are installed editable
    atheris.Setup([sys.argv[0], *_LIMITS, *arguments], try_any)
    atheris.Fuzz()
