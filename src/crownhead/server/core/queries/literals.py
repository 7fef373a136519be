"""Values that stand in the SQL itself, for an index of only some of the rows.

SQLite uses such an index where it can read that the query asks for no other rows: it looks at the value of a
parameter of ``=`` for it, but not at those of ``IN``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import CharField, Expression


class _Word(Expression):
    """A plain word, in quotes."""

    def __init__(self, word: str) -> None:
        if not word.isidentifier():
            raise ValueError(f"expected a plain word, got {word!r}")
        super().__init__(output_field=CharField())
        self.word = word

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, tuple[str | int, ...]]:  # noqa: ARG002 - Django gives them
        """The word as SQL has it, without parameters."""
        return f"'{self.word}'", ()


def literals(words: Iterable[str]) -> list[Expression]:
    """The words for ``column__in``; raises ``ValueError`` for what is no plain word."""
    return [_Word(str(word)) for word in words]
