"""Names that look alike but for marks that count as letters; a pair that exists stays as it is."""

from importlib import import_module

from django.db import migrations

before = import_module("crownhead.server.teams.migrations.0007_likeness_across_alphabets")


class Migration(migrations.Migration):
    dependencies = [("teams", "0009_likeness_across_styles")]
    operations = [migrations.RunPython(before.look_again, migrations.RunPython.noop)]
