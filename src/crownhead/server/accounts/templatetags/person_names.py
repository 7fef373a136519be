"""Names as people read them: ``{{ player.username|display_name }}``."""

from __future__ import annotations

from django import template

from crownhead.server.accounts.validators import display_name

register = template.Library()
register.filter("display_name", display_name)
