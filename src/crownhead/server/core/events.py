"""Events in two strengths: handlers inside the transaction, and handlers once it has committed.

An event is any frozen dataclass. `on(Event)` handlers run where `emit` is called, and an error there undoes
the whole transaction. `after(Event)` handlers run when it has committed; one that fails is logged and stops
nobody else.
"""

from collections import defaultdict
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from django.db import transaction

E = TypeVar("E")
Handler = Callable[[E], None]

_inside: dict[type, list[Handler[Any]]] = defaultdict(list)
_afterwards: dict[type, list[Handler[Any]]] = defaultdict(list)


def on(event_type: type[E]) -> Callable[[Handler[E]], Handler[E]]:
    """Register a handler that runs inside the transaction."""
    return partial(_register, _inside[event_type])


def after(event_type: type[E]) -> Callable[[Handler[E]], Handler[E]]:
    """Register a handler that runs once the transaction has committed."""
    return partial(_register, _afterwards[event_type])


def emit(event: object) -> None:
    """Tell the handlers; call it inside the transaction that made the event true."""
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError(f"expected {type(event).__name__} to be emitted inside a transaction")
    for handler in tuple(_inside[type(event)]):
        handler(event)
    for handler in tuple(_afterwards[type(event)]):
        transaction.on_commit(_telling(handler, event), robust=True)


def _telling(handler: Handler[E], event: E) -> Callable[[], None]:
    def tell() -> None:  # a function, not a partial: Django logs a failing one by its name
        handler(event)

    return tell


def _register(handlers: list[Handler[E]], handler: Handler[E]) -> Handler[E]:
    if handler not in handlers:
        handlers.append(handler)
    return handler
