"""The template tag for links of the menu: ``<a {% link_to "pages:watch" %}>``."""

from __future__ import annotations

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()
_CURRENT = mark_safe(' aria-current="page"')  # nosec B308 B703 # a constant


@register.simple_tag(takes_context=True)
def link_to(context: Context, route: str) -> SafeString:
    """Return the attributes of a link to a route, marked as current on its own page."""
    return format_html('href="{}"{}', reverse(route), _CURRENT if context.get("here") == route else "")
