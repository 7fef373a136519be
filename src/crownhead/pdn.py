"""PDN files: ``read`` or ``check`` them, ``write`` games; trees also keep comments and variations.

>>> from pathlib import Path
>>> from crownhead.pdn import read
>>> for game in read(Path("games.pdn")):  # doctest: +SKIP
...     print(game.tags["Event"], game.result)
"""

from __future__ import annotations

from crownhead.notation.pdn import *  # noqa: F403 - those of its list
from crownhead.notation.pdn import __all__ as __all__
