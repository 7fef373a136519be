"""Commands from other packages, found through the entry points ``crownhead.commands``.

Such an entry point is a function ``register(commands)``, where ``commands`` is the result of
``argparse.ArgumentParser.add_subparsers``. It adds its parsers and gives each a default
``run``, a function of the parsed arguments that returns an exit status or None.
"""

from __future__ import annotations

import argparse
import sys
from importlib.metadata import entry_points

from crownhead.cli.arguments import Commands

HOW_TO_INSTALL = "to install the site, run: pip install 'crownhead[server]'"

_OF_THE_SITE = {"serve": "run the whole site", "admin": "administer the site"}


def register(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the commands of other packages, and placeholders for site commands that are not installed."""
    for entry in sorted(entry_points(group="crownhead.commands"), key=lambda entry: entry.name):
        try:
            register_commands = entry.load()
        except ModuleNotFoundError:
            continue
        register_commands(commands)
    for name, purpose in _OF_THE_SITE.items():
        if name not in commands.choices:
            placeholder = commands.add_parser(name, help=purpose, prefix_chars="\0", add_help=False)
            placeholder.add_argument("anything", nargs="*")  # including options: no prefix marks them
            placeholder.set_defaults(run=_missing)


def _missing(_chosen: argparse.Namespace) -> int:
    print(f"crownhead: {HOW_TO_INSTALL}", file=sys.stderr)
    return 2
