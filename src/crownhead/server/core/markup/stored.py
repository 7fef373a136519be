"""The HTML of a Markdown column, in a column beside it: rendered when the row is saved, and then kept."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from importlib.metadata import version
from typing import Any

from django.db import models
from django.utils.safestring import SafeString

from crownhead.server.core.markup.markdown import render_markdown

RENDERER = " ".join(("3", version("markdown-it-py"), version("nh3")))
"""What rendered a text: our own rules, a number to raise when they change, and the libraries."""


@lru_cache(maxsize=16)
def _html(text: str, *, trusted: bool) -> SafeString:
    return render_markdown(text, trusted=trusted)


def render_ahead(text: str, *, trusted: bool = False) -> None:
    """Render a text that is about to be saved: nobody waits for it in the transaction then."""
    _html(text.strip(), trusted=trusted)


class MarkdownHtml(models.TextField[str, str]):
    """The HTML of the column ``source``, behind a line that says which text it is of and what rendered it."""

    def __init__(self, *, source: str = "text", trusted: bool = False, **options: Any) -> None:
        self.source, self.trusted = source, trusted
        super().__init__(**{"blank": True, "default": "", "editable": False, **options})

    def deconstruct(self) -> Any:
        """For migrations."""
        name, path, arguments, options = super().deconstruct()
        return name, path, arguments, {**options, "source": self.source, "trusted": self.trusted}

    def pre_save(self, model_instance: models.Model, add: bool) -> str:  # noqa: ARG002 - of Django
        """Render what has changed."""
        value = self.rendered(model_instance)
        setattr(model_instance, self.attname, value)
        return value

    def rendered(self, row: models.Model) -> str:
        """What the column should hold: what it does hold, unless the text or the renderer is another one."""
        text, stored = str(getattr(row, self.source)), str(getattr(row, self.attname))
        made_from = f"{RENDERER} {sha256(text.encode()).hexdigest()[:32]}"
        if stored.partition("\n")[0] == made_from:
            return stored
        return f"{made_from}\n{_html(text, trusted=self.trusted)}"


def stored_html(row: models.Model, name: str = "html") -> SafeString:
    """The HTML in that column; where it is out of date, it is rendered again and kept."""
    field = row._meta.get_field(name)
    assert isinstance(field, MarkdownHtml)
    if not getattr(row, field.source):
        return SafeString("")
    before, value = getattr(row, field.attname), field.rendered(row)
    if value != before:
        setattr(row, field.attname, value)
        type(row)._default_manager.filter(pk=row.pk).update(**{name: value})  # noqa: SLF001 - Django's name
    return SafeString(value.partition("\n")[2])  # nosec B703 # cleaned when it was rendered
