"""Records of games as files to save; over the API, where a program reads them, PDN is plain text."""

from __future__ import annotations

from django.http import HttpResponse

PDN = "application/x-draughts-pdn; charset=utf-8"


def pdn_file(text: str, *, name: str) -> HttpResponse:
    """Return PDN as a file that the browser saves as ``name`` with its ending."""
    return HttpResponse(
        text, content_type=PDN, headers={"Content-Disposition": f'attachment; filename="{name}.pdn"'}
    )
