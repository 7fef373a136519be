"""``python -m crownhead.cli``: the command line where its script is not on the path."""

from __future__ import annotations

import sys

from crownhead.cli.main import main

if __name__ == "__main__":  # processes that this one begins read the file again
    sys.exit(main())
