"""What the module for browsers fetches of a variant, on any site; each process makes each answer once."""

from __future__ import annotations

import json
from functools import cache

from django.http import Http404

from crownhead import VARIANTS
from crownhead.engine import browser
from crownhead.openings import opening_names
from crownhead.server.core.http.constant_answers import ConstantAnswer

_BYTES, _JSON = "application/octet-stream", "application/json"


def rules(variant: str) -> ConstantAnswer:
    """The row of a variant, as JSON. Raises ``Http404`` for an unknown key, as the others do."""
    return _rules(_known(variant))


def weights(variant: str) -> ConstantAnswer:
    """The weights of its evaluation."""
    return _weights(_known(variant))


def tables(variant: str) -> ConstantAnswer:
    """The results of its endgame tables."""
    return _tables(_known(variant))


def openings(variant: str) -> ConstantAnswer:
    """The names of its openings by position, as JSON."""
    return _openings(_known(variant))


def _known(variant: str) -> str:
    if variant not in VARIANTS:
        raise Http404(f"no variant {variant!r}")
    return variant


@cache
def _rules(variant: str) -> ConstantAnswer:
    return _shared(json.dumps(browser.row(variant)).encode(), _JSON)


@cache
def _weights(variant: str) -> ConstantAnswer:
    return _shared(browser.weights(variant), _BYTES)


@cache
def _tables(variant: str) -> ConstantAnswer:
    return _shared(browser.tables(variant), _BYTES)


@cache
def _openings(variant: str) -> ConstantAnswer:
    return _shared(json.dumps(opening_names(variant)).encode(), _JSON)


def _shared(content: bytes, media_type: str) -> ConstantAnswer:
    return ConstantAnswer.of(content, media_type, for_every_site=True)
