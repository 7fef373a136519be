"""Completion scripts for bash, zsh and fish, generated from the commands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

from crownhead.cli.command_tree import Command, Kind, Option

Tree = Sequence[Command]


# ---------------------------------------------------------------------------------------- bash
def _bash(tree: Tree) -> Iterator[str]:
    """Yield the bash script: it finds the command typed so far, then completes option values or operands."""
    places = "|".join(_quoted(_prefix(one.path)) for one in tree if one.path)
    yield from (
        "# bash completion for crownhead",
        "_crownhead_files() {",
        "    local IFS=$'\\n'",
        "    compopt -o filenames 2> /dev/null",
        '    COMPREPLY=($(compgen -f -- "$current"))',
        "}",
        "_crownhead() {",
        "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} at= word",
        "    [[ $current == = ]] && current=",  # --option=value comes as three words
        "    [[ $previous == = ]] && previous=${COMP_WORDS[COMP_CWORD-2]}",
        '    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
        '        case "$at $word" in',
        f'            {places}) at+=" $word" ;;',
        "        esac",
        "    done",
        "    COMPREPLY=()",
        '    case "$at:$previous" in',
    )
    for one in tree:
        for option in one.options:
            if option.kind is not Kind.NONE:
                names = "|".join(_quoted(f"{_prefix(one.path)}:{name}") for name in option.names)
                yield f"        {names}) {_bash_value(option.kind, option.words)}; return ;;"
    yield from ("    esac", '    case "$at" in')
    for one in tree:
        words = [name for name, _ in one.subcommands] + list(one.words)
        options = [name for option in one.options for name in option.names]
        yield f"        {_quoted(_prefix(one.path))})"
        yield f"            if [[ $current == -* ]]; then {_bash_value(Kind.WORDS, options)}"
        yield f"            else {_bash_value(Kind.WORDS if words else one.operands, words)}; fi ;;"
    yield from ("    esac", "}", "complete -F _crownhead crownhead")


def _bash_value(kind: Kind, words: Sequence[str]) -> str:
    match kind:
        case Kind.WORDS:
            return f'COMPREPLY=($(compgen -W {_quoted(" ".join(words))} -- "$current"))'
        case Kind.FILES:
            return "_crownhead_files"
    return ":"


def _prefix(path: Sequence[str]) -> str:
    return "".join(f" {word}" for word in path)


# ---------------------------------------------------------------------------------------- zsh
def _zsh(tree: Tree) -> Iterator[str]:
    yield "#compdef crownhead"
    for one in tree:
        yield f"{_zsh_name(one.path)}() {{"
        if one.subcommands:
            yield "    local -a commands=("
            yield from (f"        {_quoted(f'{name}:{purpose}')}" for name, purpose in one.subcommands)
            yield "    )"
        yield "    local line state"
        yield "    _arguments -C \\"
        yield from (f"        {_zsh_option(option)} \\" for option in one.options)
        if one.subcommands:
            yield "        '1:command:->command' '*::argument:->argument'"
            yield from _zsh_subcommands(one)
        else:
            yield f"        {_quoted(f'*:value:{_zsh_value(one.operands, one.words)}')}"
        yield "}"
    yield from ('if [ "$funcstack[1]" = "_crownhead" ]; then', '    _crownhead "$@"', "else")
    yield from ("    compdef _crownhead crownhead", "fi")


def _zsh_subcommands(one: Command) -> Iterator[str]:
    yield from ("    case $state in", "        command) _describe command commands ;;")
    yield from ("        argument)", "            case $line[1] in")
    for name, _ in one.subcommands:
        yield f"                {name}) {_zsh_name((*one.path, name))} ;;"
    yield from ("            esac ;;", "    esac")


def _zsh_option(option: Option) -> str:
    names = option.names[0] if len(option.names) == 1 else f"{{{','.join(option.names)}}}"
    purpose = option.purpose.translate(_ZSH_SPECIAL)
    value = "" if option.kind is Kind.NONE else f":value:{_zsh_value(option.kind, option.words)}"
    data = _quoted(f"[{purpose}]{value}")
    return f"'*'{names}{data}"


def _zsh_value(kind: Kind, words: Sequence[str]) -> str:
    match kind:
        case Kind.WORDS:
            return f"({' '.join(words)})"
        case Kind.FILES:
            return "_files"
    return " "


def _zsh_name(path: Sequence[str]) -> str:
    return "_".join(("_crownhead", *(word.replace("-", "_") for word in path)))


# ---------------------------------------------------------------------------------------- fish
def _fish(tree: Tree) -> Iterator[str]:
    yield from (
        "# fish completion for crownhead",
        "function __crownhead_at",
        "    set -l typed (commandline -opc)",
        "    set -l at",
        "    for word in $typed[2..-1]",
        '        switch "$at $word"',
        f"            case {' '.join(_fish_quoted(_prefix(one.path)) for one in tree if one.path)}",
        '                set at "$at $word"',
        "        end",
        "    end",
        '    test "$at" = "$argv[1]"',
        "end",
        "complete -c crownhead -f",
    )
    for one in tree:
        here = f"complete -c crownhead -n {_fish_quoted('__crownhead_at ' + _quoted(_prefix(one.path)))}"
        for name, purpose in one.subcommands:
            yield f"{here} -a {name} -d {_fish_quoted(purpose)}"
        if one.words:
            yield f"{here} -a {_fish_quoted(' '.join(one.words))}"
        if one.operands is Kind.FILES:
            yield f"{here} -F"
        for option in one.options:
            yield f"{here} {_fish_option(option)} -d {_fish_quoted(option.purpose)}"


def _fish_option(option: Option) -> str:
    names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names)
    match option.kind:
        case Kind.NONE:
            return names
        case Kind.WORDS:
            return f"{names} -x -a {_fish_quoted(' '.join(option.words))}"
        case Kind.FILES:
            return f"{names} -r -F"
    return f"{names} -x"


def _quoted(text: str) -> str:
    """Quote a text for bash and zsh."""
    return "'" + text.replace("'", "'\\''") + "'"


def _fish_quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


_ZSH_SPECIAL = str.maketrans({"[": "(", "]": ")", ":": " "})
SHELLS: Mapping[str, Callable[[Tree], Iterator[str]]] = MappingProxyType(
    {"bash": _bash, "zsh": _zsh, "fish": _fish}
)
