"""Every operation of the API, with any words that its description allows and some that it does not.

Three kinds of user send them. Answers must be declared, with their status, media type and schema, and nothing
may be the server's fault. The examples are the same in each run.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest
import schemathesis
from django.core.wsgi import get_wsgi_application
from django.db import transaction
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from hypothesis.strategies import SearchStrategy, booleans, just
from schemathesis import Case, GenerationMode
from schemathesis.core.failures import Failure
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.lengths import short_and_full
from tests.server.conftest import clear_caches
from tests.server.contract import document
from tests.server.security import requests
from tests.server.security.visitors import Visitors

_STREAM = "/api/v1/events"  # no view: tests/server/live


CHECKS = [
    schemathesis.checks.not_a_server_error,
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
]


def headers_of(club: Visitors, kind: str) -> dict[str, str]:
    """The headers of a program of a visitor."""
    token = club.program(kind).token
    plain = {"Accept-Encoding": "identity"}
    return plain | ({"Authorization": f"Bearer {token}"} if token else {})


def real_parameters(club: Visitors) -> dict[tuple[str, str], dict[str, str]]:
    """What the parameters of each path are in the club, by method and path."""
    found = {}
    for ask in requests.calls(club.facts):
        method, _space, path = ask.row.partition(" ")
        pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/]+?)", re.escape(path))
        match = re.fullmatch(pattern, "/" + ask.address.partition("?")[0])
        if match is not None:
            found[method, path] = match.groupdict()
    return found


@pytest.mark.parametrize("times", short_and_full(1, 40))
def test_whatever_is_sent_the_answer_is_declared(club: Visitors, times: int) -> None:
    schema = schemathesis.openapi.from_dict(document())
    schema.app = get_wsgi_application()
    real, callers = real_parameters(club), [headers_of(club, kind) for kind in ("guest", "owner", "staff")]
    results = schema.get_all_operations()
    operations = [result.ok() for result in results if isinstance(result, Ok)]
    assert len(operations) > 150
    faults: list[str] = []
    seen: Counter[int] = Counter()
    for operation in operations:
        if operation.path != _STREAM:
            known = real.get((operation.method.upper(), operation.path), {})
            for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
                strategy = operation.as_strategy(generation_mode=mode)
                faults += problems_with(strategy, times, known, callers, seen)
    assert faults == [], "\n\n".join(faults)
    assert seen[200] > 50 * times, seen
    assert seen[422] > 50 * times, seen


def problems_with(
    cases: SearchStrategy[Case[Any]],
    count: int,
    known: dict[str, str],
    callers: list[dict[str, str]],
    seen: Counter[int],
) -> list[str]:
    """What was wrong with the answers to some requests; one, or half of them, ask for what is there."""

    @settings(
        max_examples=count,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=cases, is_real=just(True) if count == 1 else booleans())
    def send(case: Case[Any], is_real: bool) -> None:
        if is_real:
            case.path_parameters = {**case.path_parameters, **known}
        for headers in callers:
            clear_caches()
            with transaction.atomic():
                response = case.call(headers=headers)
                transaction.set_rollback(True)
            seen[response.status_code] += 1
            case.validate_response(response, checks=CHECKS)

    try:
        send()
    except Unsatisfiable:  # without parameters and body there is nothing that could be wrong with a request
        return []
    except BaseExceptionGroup as group:
        return [str(fault) for fault in group.exceptions]
    except Failure as fault:
        return [str(fault)]
    return []
