"""A ban that ends opens the account only if it had shut it; those in force are taken to have."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('social', '0007_deletions_of_whole_conversations'),
    ]

    operations = [
        migrations.AddField(
            model_name='ban',
            name='reopens',
            field=models.BooleanField(db_default=True, default=False, editable=False),
        ),
    ]
