"""Fuzzing PDN, FEN and move texts with atheris: ``python -m tests.fuzz.pdn -max_total_time=600``.

Options are those of libFuzzer. Inputs that lead somewhere new are kept in ``build/fuzz/pdn``, where the next
run goes on from, unless a folder is named; one that breaks a property is written to the working folder as
``crash-…`` and is tried again with ``python -m tests.fuzz.pdn crash-…``.
"""

from __future__ import annotations

from tests.fuzz.fuzzing import fuzz
from tests.fuzz.properties import try_any
from tests.fuzz.seeds import seeds

if __name__ == "__main__":
    fuzz("pdn", seeds(), try_any)
