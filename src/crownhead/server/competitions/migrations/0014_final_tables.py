"""The tables of a tournament that is over are stored, so that they need not be computed again."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """The version before this one knows nothing of the new table, and deletes no tournament."""

    dependencies = [("competitions", "0013_removed_players")]

    operations = [
        migrations.CreateModel(
            name="FinalTables",
            fields=[
                (
                    "tournament",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="competitions.tournament",
                    ),
                ),
                ("version", models.PositiveIntegerField()),
                ("form", models.PositiveSmallIntegerField()),
                ("size", models.PositiveIntegerField()),
                ("tables", models.JSONField()),
            ],
            options={"verbose_name_plural": "final tables"},
        ),
    ]
