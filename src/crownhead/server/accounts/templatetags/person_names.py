"""Names as people read them: ``{{ player.username|shown_name }}``."""

from __future__ import annotations

from django import template

from crownhead.server.accounts.validators import shown_name

register = template.Library()
register.filter("shown_name", shown_name)
