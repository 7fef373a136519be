"""``crownhead.pdn`` is a module, for programs and for type checkers."""

from __future__ import annotations

import subprocess
import sys

import pytest

import crownhead.notation.pdn
import crownhead.pdn


@pytest.mark.parametrize(
    "code",
    [
        "import crownhead.pdn; crownhead.pdn.read",
        "import crownhead; crownhead.pdn.read",
        "from crownhead import pdn; pdn.read",
        "from crownhead.pdn import Numbering, Style, check, read, read_trees, visit, write, write_tree",
        "from crownhead.pdn import *; read",
    ],
)
def test_every_way_of_importing_works(code: str) -> None:
    subprocess.run([sys.executable, "-c", code], check=True)


def test_it_offers_what_the_package_offers() -> None:
    assert crownhead.pdn.__all__ == crownhead.notation.pdn.__all__
    for name in crownhead.pdn.__all__:
        assert getattr(crownhead.pdn, name) is getattr(crownhead.notation.pdn, name)
