"""Records of games as files to save; over the API, where a program reads them, PDN is plain text."""

from __future__ import annotations

from collections.abc import Iterable

from django.http import HttpResponse, StreamingHttpResponse

PDN = "application/x-draughts-pdn; charset=utf-8"


def pdn_file(text: str, *, name: str) -> HttpResponse:
    """Return PDN as a file that the browser saves as ``name`` with its ending."""
    return HttpResponse(text, content_type=PDN, headers=_saved_as(name))


def long_pdn_file(records: Iterable[str], *, name: str) -> HttpResponse:
    """Return the same of many games, each of which is written when the reader has got so far."""
    return StreamingHttpResponse(  # type: ignore[return-value]
        records, content_type=PDN, headers=_saved_as(name)
    )


def _saved_as(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}.pdn"'}
