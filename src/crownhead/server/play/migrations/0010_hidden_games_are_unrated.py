"""Hidden games are never rated: those that run or wait are not any more."""

from typing import Any

from django.db import migrations


def unrate_hidden_games(apps: Any, schema_editor: Any) -> None:
    """Finished ones keep what they were."""
    games = apps.get_model("play", "Game").objects.using(schema_editor.connection.alias)
    games.filter(hidden=True, rated=True).exclude(status="finished").update(rated=False)


class Migration(migrations.Migration):
    """No column changes."""

    dependencies = [("play", "0009_staff_actions")]

    operations = [migrations.RunPython(unrate_hidden_games, migrations.RunPython.noop)]
