"""An index of what a member has not read on the site, the latest first, however much they have read."""

from django.conf import settings
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [
        ("notices", "0008_deliveries_in_the_plural"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddIndex(
            model_name="notice",
            index=models.Index(
                fields=["user", "-created_at", "-id"],
                condition=Q(on_site=True, read_at__isnull=True, withdrawn_at__isnull=True),
                name="notice_unread_of_user",
            ),
        ),
    ]
