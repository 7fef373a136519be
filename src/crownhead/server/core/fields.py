"""Columns for names and titles."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.db import models

from crownhead.server.core.problems import Unprocessable
from crownhead.server.core.validators import check_line


class LineField(models.CharField):  # type: ignore[type-arg]
    """A name or title that people type: one line of characters that can be seen.

    Saving anything else raises ``Unprocessable``, whichever way it came. What a row has had before stays.
    """

    default_validators = (check_line,)

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        """Check the text before it is stored."""
        text = super().pre_save(model_instance, add)
        try:
            check_line(text or "")
        except ValidationError as error:
            rows = type(model_instance)._default_manager.filter(  # noqa: SLF001 - Django's own name
                pk=model_instance.pk, **{self.attname: text}
            )
            if add or not rows.exists():
                raise Unprocessable(f"{self.name}: {error.messages[0]}") from error
        return text

    def deconstruct(self) -> tuple[str, str, Any, Any]:
        """For migrations it is a column of text."""
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.CharField", args, kwargs
