"""What migrations do besides changing tables."""

from typing import Any

from django.db import migrations


def hold_table(name: str) -> migrations.RunPython:
    """Hold a table of PostgreSQL to the end of a migration: first thing in one that builds and drops indexes.

    Building lets others lock rows, and dropping waits for them, while they wait for the building: a deadlock,
    of which the migration is the victim. Held from the beginning, they wait until it is done.
    """

    def hold(_apps: Any, editor: Any) -> None:
        if editor.connection.vendor == "postgresql":
            editor.execute(f"LOCK TABLE {editor.quote_name(name)} IN ACCESS EXCLUSIVE MODE")

    return migrations.RunPython(hold, migrations.RunPython.noop)
