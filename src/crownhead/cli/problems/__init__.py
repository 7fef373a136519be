"""``crownhead problems``: find problems in games, and verify them."""

from __future__ import annotations

import argparse

from crownhead.cli.arguments import Commands, add_command
from crownhead.cli.on_demand import add_commands

_DESCRIPTION = """
Find problems: positions in which one move alone wins or draws. They are kept as JSON Lines, one problem a
line, with the solution and what proves it; files may be compressed (.gz).
"""
_EXAMPLES = (
    ("crownhead problems mine games.pdn --out problems.jsonl", "find problems in games"),
    ("crownhead problems check problems.jsonl", "verify them with a larger search"),
)


_COMMANDS = (  # name, purpose, module
    ("mine", "find problems in games", "crownhead.cli.problems.mine"),
    ("check", "verify problems with a larger search", "crownhead.cli.problems.check"),
)


def register(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command and its subcommands to the parser."""
    parser = add_command(
        commands, "problems", purpose="find and verify problems", description=_DESCRIPTION, examples=_EXAMPLES
    )
    add_commands(parser, _COMMANDS)
