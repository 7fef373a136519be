"""Names and summaries of variants in the language of the page: ``{{ variant|variant_name }}``."""

from __future__ import annotations

from django import template

from crownhead.server.play.presenters.variant_texts import variant_name, variant_summary

register = template.Library()
register.filter("variant_name", variant_name)
register.filter("variant_summary", variant_summary)
