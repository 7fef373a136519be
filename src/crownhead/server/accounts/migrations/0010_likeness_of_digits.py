"""Names that look alike by digits that stand for letters; a pair that exists stays as it is."""

from typing import Any

from django.db import migrations

from crownhead.server.accounts.validators import player_likeness


def look_again(apps: Any, schema_editor: Any) -> None:
    users = apps.get_model("accounts", "User").objects.using(schema_editor.connection.alias)
    taken = set(users.values_list("likeness", flat=True))
    for key, name, before in users.order_by("pk").values_list("pk", "username", "likeness").iterator():
        after = player_likeness(name)
        if after != before and after not in taken:
            users.filter(pk=key).update(likeness=after)
            taken.add(after)
    former_names = apps.get_model("accounts", "FormerName").objects.using(schema_editor.connection.alias)
    for former in former_names.iterator():
        former.likeness = player_likeness(former.name)
        former.save(update_fields=["likeness"])


class Migration(migrations.Migration):
    dependencies = [("accounts", "0009_budgets")]
    operations = [migrations.RunPython(look_again, migrations.RunPython.noop)]
