"""An index of the messages of a member on a team's board, of which there are so many."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("teams", "0011_proposals_that_wait"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddIndex(
            model_name="post",
            index=models.Index(fields=["team", "author", "id"], name="post_of_member"),
        ),
    ]
