"""An index of the matches that wait for an answer, by age, and of those in progress."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("teams", "0010_likeness_without_apostrophes"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="teammatch",
            index=models.Index(fields=["status", "proposed_at"], name="team_match_by_state"),
        ),
    ]
