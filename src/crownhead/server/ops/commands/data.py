"""The commands that look after the data of a site: `crownhead backup`, `restore`, `check` and `demo`."""

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from crownhead.server.core import clock
from crownhead.server.core.hosting.data_folder import VARIABLE, data_folder
from crownhead.server.ops.starting.first_start import FAILED, WRONG_USAGE, CommandError

DEMO_MEMBERS = 32
_BACKUP = """
Write one file with everything that makes up the club: the database, its keys, settings, house variants,
problems and texts. The site may keep running. Keep the file where nobody else can read it.
"""
_RESTORE = """
Verify a backup, then restore it into the data folder, or into the PostgreSQL database that the settings
name. A folder or database that is in use is refused unless you add --replace.
"""
_CHECK = """
Read the whole club and print a sentence about everything that doesn't fit together. The exit status is 0 if
everything fits or was repaired, else 1.
"""
_DEMO = """
Fill an empty data folder with a sample club: members, games, ratings, ladders, tournaments, teams and
messages. Everybody in it has the same password, which is printed at the end.
"""
Command = Callable[[argparse.Namespace], None]


def register(
    subparsers: Any,
    *,
    add_data: Callable[[argparse.ArgumentParser], None],
    with_exit_status: Callable[[Command], Callable[[argparse.Namespace], int]],
    open_folder: Callable[[Path | None], None],
) -> None:
    """Add the commands to the parser of `crownhead`."""

    def opened(command: Command) -> Callable[[argparse.Namespace], int]:
        def run(options: argparse.Namespace) -> None:
            open_folder(options.data)
            command(options)

        return with_exit_status(run)

    backup = subparsers.add_parser(
        "backup", help="write a backup of the site to a file, also while it runs", description=_BACKUP
    )
    backup.add_argument(
        "target", type=Path, nargs="?", default=Path(), help="file or folder (default: the current folder)"
    )
    add_data(backup)
    backup.set_defaults(run=opened(_back_up))

    restore = subparsers.add_parser(
        "restore", help="restore a backup into a data folder", description=_RESTORE
    )
    restore.add_argument("backup", type=Path, help="file that 'crownhead backup' wrote")
    restore.add_argument(
        "--replace", action="store_true", help="replace the club that is there; it is moved aside"
    )
    add_data(restore)
    restore.set_defaults(run=with_exit_status(_restore))

    check = subparsers.add_parser(
        "check", help="check that everything the site stores fits together", description=_CHECK
    )
    check.add_argument("--repair", action="store_true", help="correct whatever follows from other records")
    add_data(check)
    check.set_defaults(run=opened(_check))

    demo = subparsers.add_parser(
        "demo", help="fill an empty data folder with a sample club to look around in", description=_DEMO
    )
    demo.add_argument(
        "--members", type=int, default=DEMO_MEMBERS, help="how many members it has (default: %(default)s)"
    )
    add_data(demo)
    demo.set_defaults(run=opened(_fill_demo))


def _back_up(options: argparse.Namespace) -> None:
    from django.conf import settings

    from crownhead.server.ops.backup import services
    from crownhead.server.ops.backup.sqlite import COUNTED

    database = settings.DATABASE_DIRECT or settings.DATABASES["default"]
    path, manifest = services.back_up(
        folder=settings.DATA, database=database, target=options.target, now=clock.now()
    )
    rows = ", ".join(f"{COUNTED[name]}: {count}" for name, count in manifest.rows.items())
    sys.stdout.write(f"Backup written and verified: {path}{f' ({rows})' if rows else ''}\n")
    sys.stdout.write("It holds the keys of the site: keep it where nobody else can read it.\n")


def _restore(options: argparse.Namespace) -> None:
    from crownhead.server.ops.backup import services

    os.umask(0o077)
    if options.data is not None:
        os.environ[VARIABLE] = str(options.data.expanduser().absolute())
    folder = data_folder()
    try:
        manifest = services.restore(
            path=options.backup, folder=folder, replace=options.replace, now=clock.now()
        )
    except OSError as error:
        raise CommandError(f"The backup cannot be restored: {error}") from error
    sys.stdout.write(
        f"Restored into {folder}: the club of {manifest.made_at}, Crownhead {manifest.version}.\n"
    )
    sys.stdout.write(f"Check it with: crownhead check --data {folder}\n")


def _check(options: argparse.Namespace) -> None:
    from crownhead.server.ops import checking

    wrong = 0
    for finding in checking.findings(repair=options.repair):
        wrong += not finding.is_repaired
        sys.stdout.write(f"{finding}\n")
        sys.stdout.flush()
    if wrong:
        raise CommandError(f"{wrong} things do not fit together.", status=FAILED)
    sys.stdout.write("Everything fits together.\n")


def _fill_demo(options: argparse.Namespace) -> None:
    from django.conf import settings

    from crownhead.server.ops.demo import club
    from crownhead.server.ops.starting import upkeep

    if not club.FEWEST <= options.members <= club.MOST:
        raise CommandError(
            f"A sample club has {club.FEWEST} to {club.MOST} members, not {options.members}.",
            status=WRONG_USAGE,
        )
    upkeep.migrate()
    club.hurry()
    filled = club.fill(members=options.members, now=clock.now())
    sys.stdout.write(
        f"A sample club is in {settings.DATA}. Look around with: crownhead serve --data {settings.DATA}\n"
        f"Sign in as a member ({filled.member}) or as the host ({filled.host}).\n"
        f"Everybody's password: {filled.password}\n"
        "Everybody may know it: do not open this club to the internet.\n"
    )
