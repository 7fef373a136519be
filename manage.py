#!/usr/bin/env python3
"""Django's own commands, with the settings of the site and the data folder that `make serve` uses."""

import os
import sys
from pathlib import Path

from django.core.management import execute_from_command_line

from crownhead.server.core.hosting.data_folder import VARIABLE
from crownhead.server.ops.commands import open_folder
from crownhead.server.ops.starting.first_start import CommandError


def main() -> None:
    """Prepare the data folder (`CROWNHEAD_DATA`, else `data`) and hand over to Django."""
    os.environ.setdefault(VARIABLE, str(Path(__file__).resolve().parent / "data"))
    try:
        open_folder(None)
    except CommandError as error:
        sys.stderr.write(f"manage.py: {error}\n")
        sys.exit(error.status)
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
