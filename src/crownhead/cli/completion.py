"""``crownhead completion``: print a completion script for a shell."""

from __future__ import annotations

import argparse

from crownhead.cli.arguments import Commands, add_command
from crownhead.cli.command_tree import commands_of
from crownhead.cli.shells import SHELLS

_DESCRIPTION = """
Print a script that lets a shell complete commands, options, variants and file names. It is generated
from the installed commands; run this again after an update.

  bash   crownhead completion bash > ~/.local/share/bash-completion/completions/crownhead

  zsh    crownhead completion zsh > ~/.zfunc/_crownhead, with 'fpath+=~/.zfunc' before compinit in ~/.zshrc

  fish   crownhead completion fish > ~/.config/fish/completions/crownhead.fish
"""
_EXAMPLES = (
    ('eval "$(crownhead completion bash)"', "for the current bash session only"),
    ("crownhead completion fish | source", "for the current fish session only"),
)


def register(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = add_command(
        commands,
        "completion",
        purpose="print a completion script for a shell",
        description=_DESCRIPTION,
        examples=_EXAMPLES,
    )
    parser.add_argument("shell", choices=list(SHELLS), help="the shell")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Print the script for the chosen shell."""
    from crownhead.cli.main import parser

    print("\n".join(SHELLS[arguments.shell](tuple(commands_of(parser())))))
