"""Parameters that lists of the API share: where a part of them begins, and how long it is."""

from __future__ import annotations

from typing import Annotated

from ninja import Query

CURSOR = Annotated[str | None, Query(max_length=200)]
LIMIT = Annotated[int, Query(ge=1, le=100)]
OFFSET = Annotated[int, Query(ge=0, le=1_000_000, description="How many to leave out.")]
