"""The options of a site: from the environment (`CROWNHEAD_NAME`) or `settings.toml` in the data folder.

Importing this writes nothing; `ops.starting.first_start` fills the data folder.
"""

import os
import tomllib
from pathlib import Path
from typing import Any

from crownhead.server.core.hosting.data_folder import data_folder

KNOWN = frozenset(
    {
        "accounts_per_address",
        "address",
        "analysis_seconds",
        "clock_minutes",
        "club",
        "computer_games_per_player",
        "confirm_email",
        "connections_per_address",
        "database",
        "database_connect_seconds",
        "database_direct",
        "database_replica",
        "database_replica_seconds",
        "database_silence_seconds",
        "database_statement_seconds",
        "database_wait",
        "debug",
        "drain_seconds",
        "early_leaves_per_day",
        "email_undo_days",
        "games_per_guest",
        "games_per_player",
        "guest_days",
        "guests",
        "hosts",
        "limits",
        "log_format",
        "longest_game",
        "mail_from",
        "metrics_token",
        "outage_seconds",
        "proxies",
        "push_services",
        "rated_games_per_pair",
        "rated_tournaments_by_members",
        "reserved_names",
        "security_contact",
        "slow_request_ms",
        "smtp",
        "staff_second_factor",
        "stream_catch_up",
        "stream_games",
        "streams",
        "streams_per_address",
        "streams_per_member",
        "token_days",
        "tournaments_by_members",
        "vacation_hours",
    }
)


class BadOption(ValueError):
    """An option is invalid; the message is meant for the person who runs the site."""


class Options:
    """The options in one data folder."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "settings.toml"
        self._values = self._read()

    def text(self, name: str, default: str = "") -> str:
        value = self._value(name)
        if value is None:
            return default
        if not isinstance(value, str):
            raise BadOption(f"{name}: expected a text, got {value!r}")
        return value.strip()

    def flag(self, name: str, default: bool = False) -> bool:
        value = self._value(name)
        if value is None:
            return default
        if isinstance(value, bool):
            return value
        if isinstance(value, str) and value.lower() in {"1", "true", "yes", "on"}:
            return True
        if isinstance(value, str) and value.lower() in {"", "0", "false", "no", "off"}:
            return False
        raise BadOption(f"{name}: expected true or false, got {value!r}")

    def number(self, name: str, default: int) -> int:
        value = self._value(name)
        if value is None:
            return default
        if isinstance(value, bool) or not str(value).isdecimal():
            raise BadOption(f"{name}: expected a whole number, 0 or more, got {value!r}")
        return int(value)

    def texts(self, name: str) -> list[str]:
        value = self._value(name)
        if value is None:
            return []
        texts = value.split(",") if isinstance(value, str) else value
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise BadOption(f"{name}: expected a list of texts, got {value!r}")
        return [text.strip() for text in texts if text.strip()]

    def table(self, name: str) -> dict[str, str]:
        """A table of texts; in the environment written `a=x b=y`."""
        value = self._value(name)
        if value is None:
            return {}
        if isinstance(value, str):
            value = {pair.partition("=")[0]: pair.partition("=")[2] or None for pair in value.split()}
        if not isinstance(value, dict) or not all(isinstance(entry, str) for entry in value.values()):
            raise BadOption(f"{name}: expected a table of texts, got {value!r}")
        return value

    def _value(self, name: str) -> Any:
        if name not in KNOWN:
            raise LookupError(f"expected an option in KNOWN, got {name!r}")
        return os.environ.get(f"CROWNHEAD_{name.upper()}", self._values.get(name))

    def _read(self) -> dict[str, Any]:
        try:
            values = tomllib.loads(self.file.read_text("utf-8"))
        except (FileNotFoundError, NotADirectoryError):
            return {}
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise BadOption(f"{self.file} cannot be read: {error}") from error
        if unknown := sorted(set(values) - KNOWN):
            raise BadOption(
                f"{self.file}: unknown option {', '.join(unknown)}; known options: {', '.join(sorted(KNOWN))}"
            )
        return values


OPTIONS = Options(data_folder())
