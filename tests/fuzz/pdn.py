"""Fuzzing PDN, FEN and move texts with atheris: ``python -m tests.fuzz.pdn -max_total_time=600``.

Options are those of libFuzzer. Inputs that lead somewhere new are kept in ``build/fuzz/pdn``, where the next
run goes on from, unless a folder is named; one that breaks a property is written to the working folder as
``crash-…`` and is tried again with ``python -m tests.fuzz.pdn crash-…``.
"""

from __future__ import annotations

import logging
import sys
from hashlib import sha256
from pathlib import Path

import atheris

from tests.fuzz.properties import try_any
from tests.fuzz.seeds import seeds

_CORPUS = Path("build/fuzz/pdn")
_LIMITS = ("-max_len=4096", "-timeout=20", "-rss_limit_mb=1024")


def main() -> None:
    """Fuzz until a limit or a failure; libFuzzer ends the process."""
    logging.disable()
    arguments = sys.argv[1:]
    if all(argument.startswith("-") for argument in arguments):
        _CORPUS.mkdir(parents=True, exist_ok=True)
        for seed in seeds():
            (_CORPUS / sha256(seed).hexdigest()[:16]).write_bytes(seed)
        arguments = [*arguments, str(_CORPUS)]
    atheris.instrument_all()  # the hook on imports does not reach packages that are installed editable
    atheris.Setup([sys.argv[0], *_LIMITS, *arguments], try_any)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
