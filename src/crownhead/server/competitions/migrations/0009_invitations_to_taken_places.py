"""An invitation to a player's place ends once another substitute has taken it; until now it stood."""

from typing import Any

from django.db import migrations
from django.db.models import Exists, OuterRef


def withdraw(apps: Any, schema_editor: Any) -> None:
    """Delete the open invitations to places that have been taken since they were made."""
    invitations = apps.get_model("competitions", "Invitation").objects.using(schema_editor.connection.alias)
    taken = invitations.filter(
        place=OuterRef("place"), answer="accepted", answered_at__gt=OuterRef("made_at")
    )
    late = invitations.filter(Exists(taken), answer="open", place__isnull=False)
    invitations.filter(pk__in=list(late.values_list("pk", flat=True))).delete()


class Migration(migrations.Migration):
    """The schema stays as it is."""

    dependencies = [("competitions", "0008_cancel_reason")]

    operations = [migrations.RunPython(withdraw, migrations.RunPython.noop)]
