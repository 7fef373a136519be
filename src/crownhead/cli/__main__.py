"""Runs the command line as ``python -m crownhead.cli``, for when its script is not on the path."""

from __future__ import annotations

import sys

from crownhead.cli.main import main

if __name__ == "__main__":  # child processes import this file again
    sys.exit(main())
