"""The settings of a session of the Hub protocol, which ``param`` offers and ``set-param`` changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from crownhead.engine.engine import MAX_MEGABYTES, MAX_THREADS, MEGABYTES, Engine
from crownhead.engine.errors import EngineError
from crownhead.engine.hub.names import hub_name, hub_names, named
from crownhead.rules.schema import Variant

_STANDARD = named("normal")  # what the protocol means where no variant is named
_BOOLEANS = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class Settings:
    """``hash``: megabytes of the transposition table; ``tables``: whether endgame tables are probed.

    ``ponder``: whether the client lets us think on the opponent's time.
    """

    variant: Variant = _STANDARD
    hash: int = MEGABYTES
    threads: int = 1
    tables: bool = True
    ponder: bool = True

    def parameters(self) -> Iterator[Mapping[str, str]]:
        """The arguments of each ``param`` line."""
        names = " ".join(hub_names())
        yield {"name": "variant", "value": hub_name(self.variant), "type": "enum", "values": names}
        yield _whole("hash", self.hash, MAX_MEGABYTES)
        yield _whole("threads", self.threads, MAX_THREADS)
        yield {"name": "tables", "value": str(self.tables).lower(), "type": "bool"}
        yield {"name": "ponder", "value": str(self.ponder).lower(), "type": "bool"}

    def with_value(self, name: str, text: str) -> Settings:
        """With one of them changed; raises ``EngineError``, and ``UnknownVariant``."""
        if name == "variant":
            return self if text == hub_name(self.variant) else replace(self, variant=named(text))
        if name == "hash":
            return replace(self, hash=_number(name, text, MAX_MEGABYTES))
        if name == "threads":
            return replace(self, threads=_number(name, text, MAX_THREADS))
        if name == "tables":
            return replace(self, tables=_boolean(name, text))
        if name == "ponder":
            return replace(self, ponder=_boolean(name, text))
        known = ", ".join(parameter["name"] for parameter in self.parameters())
        raise EngineError(f"expected one of the parameters {known}, got {name:.40}")

    def engine(self) -> Engine:
        """An engine with these settings."""
        return Engine(self.variant, megabytes=self.hash, tables=self.tables)


def _whole(name: str, value: int, most: int) -> Mapping[str, str]:
    return {"name": name, "value": str(value), "type": "int", "min": "1", "max": str(most)}


def _number(name: str, text: str, most: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 9 and 1 <= int(text) <= most):
        raise EngineError(f"expected {name} from 1 to {most}, got {text:.40}")
    return int(text)


def _boolean(name: str, text: str) -> bool:
    if text not in _BOOLEANS:
        raise EngineError(f"expected {name} to be true or false, got {text:.40}")
    return _BOOLEANS[text]
