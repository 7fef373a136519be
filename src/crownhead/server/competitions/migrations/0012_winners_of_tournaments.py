"""A tournament that is over knows its winners, and those that ended lately are found by an index."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    """The version before this one writes nothing into the new column."""

    dependencies = [("competitions", "0011_people_of_acts")]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="winners",
            field=models.JSONField(
                blank=True,
                help_text="keys of entrants, as the contest said; null if an older version ended it",
                null=True,
            ),
        ),
        migrations.AddIndex(
            model_name="tournament",
            index=models.Index(
                condition=Q(ended_at__isnull=False), fields=["ended_at"], name="tournament_by_end"
            ),
        ),
    ]
