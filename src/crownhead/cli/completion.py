"""``crownhead completion``: a script by which a shell completes the commands."""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

from crownhead.cli.arguments import Commands, add_command
from crownhead.cli.command_tree import commands_of
from crownhead.cli.shells import SHELLS

_DESCRIPTION = """
Print a script by which a shell completes commands, options, keys of variants and names of files. It is made
from the commands there are; make it anew after an update.

  bash   crownhead completion bash > ~/.local/share/bash-completion/completions/crownhead

  zsh    crownhead completion zsh > ~/.zfunc/_crownhead, with 'fpath+=~/.zfunc' before compinit in ~/.zshrc

  fish   crownhead completion fish > ~/.config/fish/completions/crownhead.fish
"""
_EXAMPLES = (
    ('eval "$(crownhead completion bash)"', "for this bash alone"),
    ("crownhead completion fish | source", "for this fish alone"),
)


def register(commands: Commands[Any], top: argparse.ArgumentParser) -> None:
    """Add the command; it completes what ``top`` understands."""
    parser = add_command(
        commands,
        "completion",
        purpose="print a completion script for a shell",
        description=_DESCRIPTION,
        examples=_EXAMPLES,
    )
    parser.add_argument("shell", choices=list(SHELLS), help="the shell")
    parser.set_defaults(run=partial(run, top))


def run(top: argparse.ArgumentParser, arguments: argparse.Namespace) -> None:
    """Print the script."""
    print("\n".join(SHELLS[arguments.shell](tuple(commands_of(top)))))
