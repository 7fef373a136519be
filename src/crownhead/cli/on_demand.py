"""Commands whose modules are imported when they are used, so that every other one starts quickly."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    _Commands = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 - has no public name
else:
    _Commands = argparse._SubParsersAction  # noqa: SLF001


def add_commands(parser: argparse.ArgumentParser, modules: Iterable[tuple[str, str, str]]) -> OnDemand:
    """Add the commands of a parser: the name, purpose and module of each, see ``OnDemand.add_module``."""
    added = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, action=OnDemand)
    commands = cast(OnDemand, added)
    for name, purpose, module in modules:
        commands.add_module(name, purpose, module)
    return commands


class OnDemand(_Commands):
    """The commands of a parser, whose arguments are added when needed."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._modules: dict[str, str] = {}

    def add_module(self, name: str, purpose: str, module: str) -> None:
        """Add a command that the function ``register`` of a module adds when it is used.

        ``purpose`` is the one that it gives, for the help.
        """
        self.add_parser(name, help=purpose, add_help=False)
        self._modules[name] = module

    def load(self, name: str) -> None:
        """Add the arguments of a command, unless that has been done."""
        module = self._modules.pop(name, None)
        if module is None:
            return
        place = next(at for at, choice in enumerate(self._choices_actions) if choice.dest == name)
        del self._name_parser_map[name]
        del self._choices_actions[place]
        import_module(module).register(self)
        self._choices_actions.insert(place, self._choices_actions.pop())

    def load_all(self) -> None:
        """Add the arguments of all commands, and of those below them."""
        for name in tuple(self._name_parser_map):
            self.load(name)
        ordered = {choice.dest: self._name_parser_map[choice.dest] for choice in self._choices_actions}
        self._name_parser_map.clear()
        self._name_parser_map.update(ordered)
        for parser in self._name_parser_map.values():
            for action in parser._actions:  # noqa: SLF001 - argparse has no public list of them
                if isinstance(action, OnDemand):
                    action.load_all()

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        """Parse the arguments of the command that was chosen."""
        if values:
            self.load(values[0])
        super().__call__(parser, namespace, values, option_string)
