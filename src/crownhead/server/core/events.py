"""Events, with handlers inside the transaction and handlers after it has committed.

An event is any frozen dataclass. `on(Event)` handlers run where `emit` is called; an error there rolls back
the whole transaction. `after(Event)` handlers run once it has committed; a failing one is logged and does
not affect the others.
"""

from collections import defaultdict
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from django.db import transaction

E = TypeVar("E")
Handler = Callable[[E], None]

_in_transaction: dict[type, list[Handler[Any]]] = defaultdict(list)
_after_commit: dict[type, list[Handler[Any]]] = defaultdict(list)


def on(event_type: type[E]) -> Callable[[Handler[E]], Handler[E]]:
    """Register a handler that runs inside the transaction."""
    return partial(_register, _in_transaction[event_type])


def after(event_type: type[E]) -> Callable[[Handler[E]], Handler[E]]:
    """Register a handler that runs once the transaction has committed."""
    return partial(_register, _after_commit[event_type])


def emit(event: object) -> None:
    """Call the handlers; must run inside the transaction in which the event happened."""
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError(f"expected {type(event).__name__} to be emitted inside a transaction")
    for handler in tuple(_in_transaction[type(event)]):
        handler(event)
    for handler in tuple(_after_commit[type(event)]):
        transaction.on_commit(_deferred(handler, event), robust=True)


def _deferred(handler: Handler[E], event: E) -> Callable[[], None]:
    def run() -> None:  # a function, not a partial: Django logs failures by its name
        handler(event)

    return run


def _register(handlers: list[Handler[E]], handler: Handler[E]) -> Handler[E]:
    if handler not in handlers:
        handlers.append(handler)
    return handler
