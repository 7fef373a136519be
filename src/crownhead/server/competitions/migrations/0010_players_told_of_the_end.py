"""Of a large tournament the players are notified of the end a few at a time."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """The version before this one leaves the new column to its default."""

    dependencies = [("competitions", "0009_invitations_to_taken_places")]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="told",
            field=models.PositiveIntegerField(
                db_default=0, default=0, help_text="number of players who were notified of the end"
            ),
        ),
    ]
