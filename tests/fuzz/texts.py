"""Fuzzing the other parsers with atheris: ``python -m tests.fuzz.texts -max_total_time=600``.

House rows in TOML, lines and positions of the Hub protocol, messages of DamExchange, text diagrams, Markdown
and rates. Used as ``tests.fuzz.pdn`` is; the inputs are kept in ``build/fuzz/texts``.
"""

from __future__ import annotations

from tests.fuzz.fuzzing import fuzz
from tests.fuzz.text_properties import seeds, try_any

if __name__ == "__main__":
    fuzz("texts", seeds(), try_any)
