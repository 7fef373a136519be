"""The first tables of this app."""

import crownhead.server.core.ids
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Archive',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=crownhead.server.core.ids.new_id, editable=False, max_length=32, unique=True)),
                ('asked_at', models.DateTimeField()),
                ('begun_at', models.DateTimeField(null=True)),
                ('ready_at', models.DateTimeField(null=True)),
                ('failed', models.BooleanField(default=False)),
                ('size', models.PositiveBigIntegerField(default=0)),
                ('expires_at', models.DateTimeField(db_index=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='archives', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Piece',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('content', models.BinaryField()),
                ('archive', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pieces', to='people.archive')),
            ],
        ),
        migrations.CreateModel(
            name='ToldFriend',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('token', models.CharField(default=crownhead.server.core.ids.new_id, editable=False, max_length=32, unique=True)),
                ('digest', models.CharField(max_length=64)),
                ('told_at', models.DateTimeField(db_index=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.AddConstraint(
            model_name='archive',
            constraint=models.UniqueConstraint(condition=models.Q(('failed', False), ('ready_at', None)), fields=('user',), name='one_archive_in_the_making'),
        ),
        migrations.AddConstraint(
            model_name='piece',
            constraint=models.UniqueConstraint(fields=('archive', 'number'), name='one_piece_of_a_number'),
        ),
        migrations.AddConstraint(
            model_name='toldfriend',
            constraint=models.UniqueConstraint(fields=('user', 'digest'), name='a_friend_is_told_once'),
        ),
    ]
