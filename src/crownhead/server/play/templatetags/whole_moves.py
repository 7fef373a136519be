"""Texts whose moves stay whole at the end of a line: ``{{ sentence|whole_moves }}``."""

from __future__ import annotations

import re

from django import template
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

_MOVE = re.compile(r"\S*\d[-:x](?=[a-n]?\d)\S*")


@register.filter
def whole_moves(text: str) -> SafeString:
    """The text as HTML; browsers break lines after the hyphen of ``22-18``."""
    return mark_safe(  # nosec B308 B703 # the text is escaped
        _MOVE.sub(r'<span class="whole-move">\g<0></span>', conditional_escape(text))
    )
