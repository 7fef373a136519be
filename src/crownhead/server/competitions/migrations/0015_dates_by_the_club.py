"""A live tournament that is full while players are away gets a date, and the club knows that it is its own."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """The version before this one writes nothing into the new column."""

    dependencies = [("competitions", "0014_final_tables")]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="date_by_club",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="the club has set it, as the field was full, but players were away",
            ),
        ),
    ]
