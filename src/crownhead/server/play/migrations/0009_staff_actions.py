"""Call an act of the staff an action; its table stays as it is."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Every operation changes only the state: the table keeps its name and its columns."""

    dependencies = [("play", "0008_house_variants")]

    operations = [
        migrations.AlterModelTable(name="staffact", table="play_staffact"),
        migrations.RenameModel(old_name="StaffAct", new_name="StaffAction"),
        migrations.AlterField(
            model_name="staffaction",
            name="game",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="staff_actions", to="play.game"
            ),
        ),
        migrations.AlterField(
            model_name="staffaction",
            name="verb",
            field=models.CharField(
                choices=[
                    ("adjudicated", "adjudicated"),
                    ("annulled", "annulled"),
                    ("refused", "refused a player's request"),
                    ("forfeited", "declared lost"),
                    ("adjourned", "adjourned"),
                    ("resumed", "resumed"),
                ],
                max_length=16,
            ),
        ),
    ]
