"""The tags `way` and `slot` of every template: see `core.slots`."""

from __future__ import annotations

from django import template
from django.template import Context

from crownhead.server.core import slots

register = template.Library()
register.simple_tag(slots.way, name="way")


@register.simple_tag(takes_context=True)
def slot(context: Context, name: str, *args: object) -> str:
    """A piece of an app above, which is safe where it says so."""
    return slots.filled(name, context, *args)
