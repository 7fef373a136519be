"""What people chose, whom they know, when they were here, and names that are found by an index."""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models.functions import Lower


def fold_names(apps: Any, schema_editor: Any) -> None:
    apps.get_model('accounts', 'User').objects.update(folded=Lower('username'))


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Preferences',
            fields=[
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='preferences', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('time_zone', models.CharField(blank=True, max_length=64)),
                ('language', models.CharField(blank=True, max_length=16)),
                ('appearance', models.CharField(choices=[('auto', 'As my device is set'), ('light', 'Light'), ('dark', 'Dark')], default='auto', max_length=8)),
                ('theme', models.CharField(choices=[('tournament', 'Tournament'), ('wood', 'Wood'), ('slate', 'Slate'), ('contrast', 'High contrast')], default='tournament', max_length=16)),
                ('numbers', models.CharField(choices=[('inside', 'In the squares'), ('outside', 'Around the board'), ('none', 'Nowhere')], default='inside', max_length=8)),
                ('names', models.CharField(choices=[('own', 'As in each game'), ('algebraic', 'a1, b2, c3 …')], default='own', max_length=12)),
                ('motion', models.CharField(choices=[('on', "Before one's eyes"), ('off', 'At once')], default='on', max_length=4)),
                ('sound', models.CharField(choices=[('off', 'Off'), ('on', 'On')], default='off', max_length=4)),
                ('turned', models.CharField(choices=[('mine', 'My own side'), ('first', 'The side that moves first'), ('second', 'The other side')], default='mine', max_length=8)),
                ('entry', models.CharField(choices=[('any', 'By clicking or by dragging'), ('click', 'By clicking only'), ('drag', 'By dragging only')], default='any', max_length=8)),
                ('then', models.CharField(choices=[('stay', 'Stay with the game'), ('games', 'My games'), ('next', 'The next game that waits for me')], default='stay', max_length=8)),
                ('visibility', models.CharField(choices=[('everybody', 'Everybody'), ('members', 'Members only')], default='everybody', max_length=12)),
                ('show_here', models.BooleanField(default=True)),
            ],
        ),
        migrations.CreateModel(
            name='Profile',
            fields=[
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='profile', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('text', models.TextField(blank=True)),
                ('country', models.CharField(blank=True, max_length=2)),
            ],
        ),
        migrations.AddField(
            model_name='user',
            name='closed_at',
            field=models.DateTimeField(editable=False, null=True, verbose_name='closed'),
        ),
        migrations.AddField(
            model_name='user',
            name='folded',
            field=models.CharField(default='', editable=False, max_length=20),
            preserve_default=False,
        ),
        migrations.RunPython(fold_names, migrations.RunPython.noop),
        migrations.AlterField(
            model_name='user',
            name='folded',
            field=models.CharField(editable=False, max_length=20, unique=True),
        ),
        migrations.AddField(
            model_name='user',
            name='last_seen_at',
            field=models.DateTimeField(db_index=True, editable=False, null=True, verbose_name='last seen'),
        ),
        migrations.AlterField(
            model_name='user',
            name='email',
            field=models.EmailField(blank=True, db_index=True, max_length=254, verbose_name='e-mail address'),
        ),
        migrations.CreateModel(
            name='FormerName',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=20)),
                ('folded', models.CharField(db_index=True, max_length=20)),
                ('likeness', models.CharField(db_index=True, max_length=20)),
                ('kept_until', models.DateTimeField(db_index=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='former_names', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Buddy',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('note', models.CharField(blank=True, max_length=500)),
                ('created_at', models.DateTimeField()),
                ('buddy', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='buddies', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('user', 'buddy'), name='one_row_per_buddy'), models.CheckConstraint(condition=models.Q(('user', models.F('buddy')), _negated=True), name='nobody_his_own_buddy')],
            },
        ),
        migrations.CreateModel(
            name='Ignored',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField()),
                ('ignored', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='ignored', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('user', 'ignored'), name='one_row_per_ignored'), models.CheckConstraint(condition=models.Q(('user', models.F('ignored')), _negated=True), name='nobody_ignores_himself')],
            },
        ),
    ]
