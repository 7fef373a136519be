"""The first tables of this app."""

from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Outbox',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('topic', models.CharField(max_length=40)),
                ('kind', models.CharField(max_length=20)),
                ('payload', models.JSONField()),
                ('created_at', models.DateTimeField(db_index=True)),
            ],
            options={
                'indexes': [models.Index(fields=['topic', 'id'], name='outbox_topic_id')],
            },
        ),
    ]
