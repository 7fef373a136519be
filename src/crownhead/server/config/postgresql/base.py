"""PostgreSQL with a pool that notices that its server is away, and that it is back.

A request that finds no connection waits for one; once that was in vain, the next ones wait a moment only, so
that a page of which the database is away is answered at once and holds no thread. One lost connection means
that those which lie in the pool are lost, too: a server has ended, or another one has taken its place.
"""

from __future__ import annotations

from typing import Any

from django.db.backends.postgresql import base
from psycopg_pool import ConnectionPool, PoolTimeout

from crownhead.server.config.databases import connection_pool

_AWAY_WAIT = 1.0  # seconds to wait for a connection while there was none for the last one who asked
_away: set[str] = set()  # the names of pools


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection of the pool, if there is one."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """A connection; raises what psycopg raises."""
        pool: ConnectionPool[Any] | None = self.pool
        if pool is None:
            return super().get_new_connection(conn_params)
        usual = (connection_pool(self.settings_dict) or {})["timeout"]
        pool.timeout = min(usual, _AWAY_WAIT) if pool.name in _away else usual
        try:
            connection = super().get_new_connection(conn_params)
        except PoolTimeout:
            _away.add(pool.name)
            raise
        _away.discard(pool.name)
        return connection

    def _close(self) -> None:
        pool: ConnectionPool[Any] | None = self.pool
        is_lost = self.connection is not None and self.connection.closed
        super()._close()  # type: ignore[misc] # the stubs leave it out
        if is_lost and pool is not None:
            pool.drain()
