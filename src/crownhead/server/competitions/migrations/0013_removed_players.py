"""That a director has removed a player has a column of its own, which outlasts other invitations."""

from typing import Any

from django.db import migrations, models
from django.db.models import F


def note_removals(apps: Any, schema_editor: Any) -> None:
    """Until now it was an invitation that is declined and has a reason, but no place."""
    invitations = apps.get_model("competitions", "Invitation").objects.using(schema_editor.connection.alias)
    removals = invitations.filter(answer="declined", place=None).exclude(reason="")
    removals.update(removed=F("reason"))


class Migration(migrations.Migration):
    """The version before this one leaves the new column to its default."""

    dependencies = [("competitions", "0012_winners_of_tournaments")]

    operations = [
        migrations.AddField(
            model_name="invitation",
            name="removed",
            field=models.TextField(
                blank=True,
                db_default="",
                default="",
                help_text="why a director has removed the player; empty if none has",
            ),
        ),
        migrations.RunPython(note_removals, migrations.RunPython.noop),
    ]
