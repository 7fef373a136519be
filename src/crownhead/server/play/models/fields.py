"""A kind of column that Django does not have."""

from __future__ import annotations

import json
from typing import Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper


class OrderedJSON(models.TextField):  # type: ignore[type-arg] # no class takes arguments at run time
    """JSON that keeps the order of members, which PostgreSQL's own type does not; nobody looks inside."""

    def from_db_value(self, value: str | None, _expression: Any, _connection: BaseDatabaseWrapper) -> Any:
        """What the row holds."""
        return None if value is None else json.loads(value)

    def to_python(self, value: Any) -> Any:
        """Parse a text as a value of the field."""
        return json.loads(value) if isinstance(value, str) else value

    def get_prep_value(self, value: Any) -> Any:
        """What the row is to hold."""
        return None if value is None else json.dumps(value, separators=(",", ":"))

    def value_to_string(self, obj: models.Model) -> str:
        """For backups."""
        text: str = self.get_prep_value(self.value_from_object(obj))
        return text
