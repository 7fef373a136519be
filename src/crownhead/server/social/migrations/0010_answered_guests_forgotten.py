"""Letters that are answered keep no address of who wrote them."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def forget(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    decided = apps.get_model("social", "Report").objects.filter(decided_at__isnull=False)
    decided.exclude(address="").update(address="")


class Migration(migrations.Migration):
    dependencies = [("social", "0009_reports_in_order")]

    operations = [migrations.RunPython(forget, migrations.RunPython.noop, elidable=True)]
