"""Names that look alike by letters of other alphabets; a pair that exists stays as it is."""

from typing import Any

from django.db import migrations

from crownhead.server.teams.validators import likeness


def look_again(apps: Any, schema_editor: Any) -> None:
    teams = apps.get_model("teams", "Team").objects.using(schema_editor.connection.alias)
    taken = set(teams.filter(disbanded_at=None).values_list("likeness", flat=True))
    for key, name, before in teams.order_by("pk").values_list("pk", "name", "likeness").iterator():
        after = likeness(name)
        if after != before and after not in taken:
            teams.filter(pk=key).update(likeness=after)
            taken.add(after)


class Migration(migrations.Migration):
    dependencies = [("teams", "0006_markdown_html")]
    operations = [migrations.RunPython(look_again, migrations.RunPython.noop)]
