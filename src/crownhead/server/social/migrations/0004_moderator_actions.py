"""Call an act of a moderator an action; its table stays as it is."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Every operation changes only the state: the table keeps its name."""

    dependencies = [("social", "0003_plain_labels")]

    operations = [
        migrations.AlterModelTable(name="moderatoract", table="social_moderatoract"),
        migrations.RenameModel(old_name="ModeratorAct", new_name="ModeratorAction"),
        migrations.AlterField(
            model_name="moderatoraction",
            name="report",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="actions",
                to="social.report",
            ),
        ),
    ]
