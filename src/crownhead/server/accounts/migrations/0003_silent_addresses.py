"""Addresses whose owners want no invitations."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0002_people_and_preferences'),
    ]

    operations = [
        migrations.CreateModel(
            name='SilentAddress',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('created_at', models.DateTimeField()),
            ],
        ),
    ]
