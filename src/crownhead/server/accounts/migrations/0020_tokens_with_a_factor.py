"""A token says whether who made it had shown a second factor; those there are, by when they were made."""

from typing import Any

from django.db import migrations, models
from django.db.models import Exists, OuterRef


def note_factors(apps: Any, _editor: Any) -> None:
    """Note it of the tokens whose owners had a factor by then."""
    factors = apps.get_model('mfa', 'Authenticator').objects.filter(
        user=OuterRef('user'), type__in=['totp', 'webauthn'], created_at__lte=OuterRef('created_at')
    )
    apps.get_model('accounts', 'ApiToken').objects.filter(Exists(factors)).update(with_factor=True)


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0019_log_by_keys'),
        ('mfa', '0003_authenticator_type_uniq'),
    ]

    operations = [
        migrations.AddField(
            model_name='apitoken',
            name='with_factor',
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
        migrations.RunPython(note_factors, migrations.RunPython.noop, elidable=True),
    ]
