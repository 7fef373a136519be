"""Commands of rooms that this one may not look into, found by the entry points ``crownhead.commands``.

Such an entry point is a function ``register(commands)``, where ``commands`` is what
``argparse.ArgumentParser.add_subparsers`` returns. It adds its parsers and gives each a default
``run``, a function of the parsed arguments that returns an exit status or None.
"""

from __future__ import annotations

import argparse
import sys
from importlib.metadata import entry_points

from crownhead.cli.arguments import Commands

HOW_TO_INSTALL = "the site's commands need: pip install 'crownhead[server]'"

_OF_THE_SITE = {"serve": "run the whole site", "admin": "administer the site"}


def register(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add what is plugged in, and a signpost for each command of the site that is not."""
    for entry in sorted(entry_points(group="crownhead.commands"), key=lambda entry: entry.name):
        try:
            plug = entry.load()
        except ModuleNotFoundError:
            continue
        plug(commands)
    for name, purpose in _OF_THE_SITE.items():
        if name not in commands.choices:
            signpost = commands.add_parser(name, help=purpose, prefix_chars="\0", add_help=False)
            signpost.add_argument("anything", nargs="*")  # options too: no prefix makes them options
            signpost.set_defaults(run=_missing)


def _missing(_chosen: argparse.Namespace) -> int:
    print(f"crownhead: {HOW_TO_INSTALL}", file=sys.stderr)
    return 2
