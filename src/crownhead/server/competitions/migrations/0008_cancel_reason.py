"""Why a tournament was cancelled has a column of its own; until now it stood in ``waiting_for``."""

from typing import Any

from django.db import migrations, models
from django.db.models import F


def move_reasons(apps: Any, schema_editor: Any) -> None:
    """Cancelled tournaments wait for nothing."""
    tournaments = apps.get_model("competitions", "Tournament").objects.using(schema_editor.connection.alias)
    tournaments.filter(status="cancelled").update(cancel_reason=F("waiting_for"), waiting_for="")


class Migration(migrations.Migration):
    """The version before this one leaves the new column to its default."""

    dependencies = [("competitions", "0007_trophies_in_the_plural")]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="cancel_reason",
            field=models.TextField(
                blank=True,
                db_default="",
                default="",
                help_text="of a director; empty if the club cancelled it",
            ),
        ),
        migrations.RunPython(move_reasons, migrations.RunPython.noop),
    ]
