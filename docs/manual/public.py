"""The public names of Crownhead, by module."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType, ModuleType
from typing import Any

# Where to look for names, in this order; modules without ``__all__`` list their public names.
MODULES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "crownhead": (),
        "crownhead.pdn": (),
        "crownhead.openings": (),
        "crownhead.notation.fen": ("of", "read", "write"),
        "crownhead.notation.moves": (
            *("Style", "parse", "play_through"),
            *("write", "write_all", "write_full", "write_played"),
        ),
        "crownhead.notation.numberings": ("Numbering", "names", "numbers"),
        "crownhead.notation.hub": ("read", "write"),
        "crownhead.notation.diagram": ("read", "text_diagram"),
        "crownhead.notation.svg": ("Mark", "Numbers", "Paint", "THEMES", "Theme", "draw"),
        "crownhead.notation": (),
        "crownhead.rules": (),
        "crownhead.rules.schema": (
            *("Variant", "Board", "Grid", "Notation", "Corner", "Start", "Rules", "Direction", "Priority"),
            *("Promotion", "Crowning", "Removal", "Landing", "Objective", "Progress", "RepetitionDraw"),
            *("NoProgressDraw", "MaterialDraw", "BalanceDraw"),
        ),
        "crownhead.rules.budget": ("capture_budget", "captures_left"),
        "crownhead.rules.house": ("load_variants", "register", "register_files"),
        "crownhead.rules.fingerprint": ("fingerprint",),
        "crownhead.rules.setup": ("KingRun",),
        "crownhead.rules.protocols": ("ThemeLike",),
        "crownhead.rules.geometry": (
            *("Square", "squares", "numbers_by_name", "algebraic_name"),
            *("far_rank", "is_crown_square", "main_road"),
        ),
        "crownhead.contest": (),
        "crownhead.contest.formats": (),
        "crownhead.contest.options": ("Option", "Choices"),
        "crownhead.contest.tally": ("Meeting", "Tally"),
        "crownhead.contest.tie_breaks": ("TieBreakContext", "TieBreak", "TIE_BREAKS"),
        "crownhead.contest.glicko2": (
            "Rating",
            "Result",
            "expected",
            "after_inactivity",
            "after_period",
            "after_game",
        ),
        "crownhead.contest.ladders": (),
        "crownhead.contest.ladders.places": (
            "refusal",
            "reachable",
            "new_ranks",
            "after",
            "without",
            "changes",
        ),
        "crownhead.contest.ladders.stairs": ("refusal", "reachable", "new_ranks", "without_gaps"),
        "crownhead.contest.team_match": ("Board", "TeamMatch", "pair_teams"),
        "crownhead.contest.appointments": (
            *("State", "Appointment", "propose", "accept", "give_up", "at_fault"),
        ),
    }
)


def offered(dotted: str) -> dict[str, Any]:
    """Return the public names of a module with their values."""
    found = module(dotted)
    return {name: getattr(found, name) for name in MODULES[dotted] or found.__all__}


def public() -> Iterator[tuple[str, Any]]:
    """Yield every public object once, with the dotted name to import it by."""
    seen: list[Any] = []
    for dotted in MODULES:
        for name, value in offered(dotted).items():
            if not inspect.ismodule(value) and not any(value is other for other in seen):
                seen.append(value)
                yield f"{dotted}.{name}", value


@cache
def public_names() -> Mapping[str, str]:
    """Return public names by the names used in annotations and sources."""
    names: dict[str, str] = {}
    for dotted, value in public():
        spelt = [dotted.rpartition(".")[2]]
        if isinstance(value, type) or inspect.isfunction(value):
            spelt.append(f"{value.__module__}.{value.__qualname__}")
        for spelling in spelt:
            names.setdefault(spelling, dotted)
    return MappingProxyType(names)


def members(thing: type) -> Iterator[tuple[str, Any]]:
    """Yield the public methods and properties of a class, including those inherited within Crownhead."""
    for name in dir(thing):
        if name.startswith("_"):
            continue
        owner = next(base for base in thing.__mro__ if name in vars(base))
        value = inspect.getattr_static(owner, name)
        if owner.__module__.startswith("crownhead") and _has_docstring(value):
            yield name, value


def docstring(value: Any) -> str:
    """Return the docstring of a member, empty if it is only a signature."""
    text = inspect.getdoc(value.__func__ if isinstance(value, classmethod | staticmethod) else value) or ""
    lines = [line for line in text.splitlines() if line.strip()]
    return "" if len(lines) == 1 and " -> " in lines[0] else text


def module(name: str) -> ModuleType:
    """Import a module by name."""
    return import_module(name)


def _has_docstring(value: Any) -> bool:
    """Whether a member needs a docstring: methods and properties, not fields."""
    kinds = (property, classmethod, staticmethod)
    return isinstance(value, kinds) or inspect.isroutine(value)
