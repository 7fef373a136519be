"""Names that look alike in other styles and widths of letters; a pair that exists stays as it is."""

from importlib import import_module

from django.db import migrations

before = import_module("crownhead.server.teams.migrations.0007_likeness_across_alphabets")


class Migration(migrations.Migration):
    dependencies = [("teams", "0008_team_matches_in_the_plural")]
    operations = [migrations.RunPython(before.look_again, migrations.RunPython.noop)]
