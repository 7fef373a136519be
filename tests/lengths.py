"""How long a test lasts that can last any time: short in CI, at its full length in ``make nightly``."""

from __future__ import annotations

import pytest
from _pytest.mark import ParameterSet


def short_and_full(short: object, full: object) -> list[ParameterSet]:
    """The values of a parameter, or of several as tuples: the first for CI, the second for the night."""
    return [
        pytest.param(*_several(short), id="short"),
        pytest.param(*_several(full), id="full", marks=pytest.mark.nightly),
    ]


def _several(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else (value,)
