"""Rows of the variant table as the kernel plays them."""

from __future__ import annotations

from functools import lru_cache

from crownhead import _kernel
from crownhead.rules.errors import BadVariant
from crownhead.rules.kernel_row import kernel_row, tables_key
from crownhead.rules.schema import Variant
from crownhead.rules.variants import STOCK

_TABLE = tuple(kernel_row(row) for row in STOCK.values())


def kernel_variant(row: Variant, *, specialised: bool = True) -> _kernel.Variant:
    """Return the kernel's variant of a row: of any, in the table or not.

    ``specialised``: rules that the kernel was compiled for are played by that code, as fast as can be;
    otherwise, and for all other rules, by the code that takes any. Raises ``BadVariant`` for rules
    that the kernel cannot play.
    """
    if specialised and (known := _LISTED.get(id(row))) is not None:
        return known
    return _build(row, specialised)


def row_of(position: _kernel.Position) -> Variant:
    """Return the row by which a position is played."""
    row: Variant = position.kernel_variant.row
    return row


@lru_cache(maxsize=1024)
def _build(row: Variant, specialised: bool) -> _kernel.Variant:
    fields = kernel_row(row)
    try:
        return _kernel.Variant(
            *fields, tables_key=tables_key(fields, _TABLE), row=row, specialised=specialised
        )
    except ValueError as error:
        raise BadVariant(f"variant {row.key}: {error}") from error


# Rows of the table live as long as the program.
_LISTED = {id(row): _build(row, True) for row in STOCK.values()}
_kernel.register_variants(_LISTED.values())
