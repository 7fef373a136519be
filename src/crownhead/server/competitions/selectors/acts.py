"""What directors did, by the names that people have now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from crownhead.server.accounts.selectors import User
from crownhead.server.competitions.access import NAMES
from crownhead.server.competitions.choices import ATTENDED, Verb
from crownhead.server.competitions.models import DirectorAction


def with_names_of_today(rows: Iterable[DirectorAction]) -> list[DirectorAction]:
    """Entries whose texts name people as they are called now: others may have the names of those who left."""
    found = list(rows)
    keys = {key for row in found for key in (row.people or {}).values()}
    names = dict(User.objects.filter(pk__in=keys).values_list("pk", "username")) if keys else {}
    for row in found:
        row.text = _renamed(row.text, {before: names[key] for before, key in (row.people or {}).items()})
    return found


def _renamed(text: str, names: Mapping[str, str]) -> str:
    """A text with other names for people, by their names in it."""
    changed = {before.casefold(): name for before, name in names.items() if before != name}
    if not changed:
        return text
    return NAMES.sub(lambda word: changed.get(word[0].casefold(), word[0]), text)


def text_of(row: DirectorAction) -> str:
    """Who or what a director's act is about, without the mark of a start with all players there."""
    if row.verb not in {Verb.STARTED, Verb.RELEASED}:
        return row.text
    return row.text.removesuffix(ATTENDED).rstrip()
