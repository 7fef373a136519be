"""Archives of a user's data: requested, made by the worker, downloaded within a week."""

from __future__ import annotations

import logging
import tempfile
import zipfile
from datetime import datetime, timedelta
from typing import IO

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.core import exports
from crownhead.server.core.background.throttling import throttled
from crownhead.server.core.events import emit
from crownhead.server.core.problems import Conflict
from crownhead.server.people.events import ArchiveRequested
from crownhead.server.people.models import Archive, Piece

log = logging.getLogger(__name__)

LASTS = timedelta(days=7)
PAUSE = timedelta(hours=1)  # between two archives of one person
STUCK_AFTER = timedelta(hours=2)
MOST_TRIES = 3  # of an archive whose worker died each time: another would die as well
_PIECE = 64 * 1024
_IN_MEMORY = 8 * 1024 * 1024


def ask(*, user: User, now: datetime) -> Archive:
    """Request an archive, or return the one that is being made. Raises ``Conflict`` if it is too soon."""
    latest = Archive.objects.filter(user=user).order_by("-asked_at").first()
    if latest is not None:
        if latest.ready_at is None and not latest.failed:
            return latest
        if now - latest.asked_at < PAUSE:
            raise Conflict(
                _("Your last archive couldn't be created. You can ask again an hour after you asked for it.")
                if latest.failed
                else _("Your latest archive is less than an hour old. Download that one, or try again later.")
            )
    try:
        with transaction.atomic():
            archive = Archive.objects.create(user=user, asked_at=now, expires_at=now + LASTS)
            emit(ArchiveRequested(archive_id=archive.pk))
    except IntegrityError:  # asked for in two windows at once
        return Archive.objects.get(user=user, ready_at=None, failed=False)
    return archive


def make(*, archive_id: int, now: datetime) -> None:
    """Write the file; safe to call twice and in several workers: only one makes it."""
    mine = Archive.objects.filter(pk=archive_id, begun_at=None, ready_at=None, failed=False)
    mine = mine.filter(user__closed_at=None)
    if not mine.update(begun_at=now, tries=F("tries") + 1):
        return
    archive = Archive.objects.select_related("user").get(pk=archive_id)
    try:
        with tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY) as file:
            write(file, archive.user, now)
            _keep(archive, file, now)
    except Exception:
        log.exception("the archive %s could not be made", archive.public_id)
        Archive.objects.filter(pk=archive_id, ready_at=None).update(failed=True)


def write(file: IO[bytes], user: User, now: datetime) -> None:
    """Write the archive: a zip of what each app knows about the user, with a read-me."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        stamp = now.timetuple()[:6]
        for name in exports.parts():
            entry = zipfile.ZipInfo(name, stamp)
            entry.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(entry, "w", force_zip64=True) as part:
                for piece in exports.pieces(name, user):
                    part.write(piece)
        words = render_to_string(
            "people/read_me.txt",
            {"user": user, "at": now, "parts": exports.parts(), "club_name": settings.CLUB_NAME},
        )
        archive.writestr(zipfile.ZipInfo("README.txt", stamp), words)


def tidy(*, now: datetime) -> list[int]:
    """Delete old archives and those of closed accounts; returns the keys of unfinished ones, to be made.

    Those that were begun too often are given up.
    """
    _delete(Archive.objects.filter(Q(expires_at__lte=now) | Q(user__closed_at__isnull=False)))
    stuck = Archive.objects.filter(ready_at=None, failed=False)
    lost = stuck.filter(begun_at__lt=now - STUCK_AFTER)
    given_up = lost.filter(tries__gte=MOST_TRIES)
    for public_id in given_up.values_list("public_id", flat=True):
        log.error("the archive %s could not be made: its worker died %d times", public_id, MOST_TRIES)
    given_up.update(failed=True)
    lost.update(begun_at=None, asked_at=now - STUCK_AFTER)
    return list(stuck.filter(begun_at=None, asked_at__lte=now - STUCK_AFTER).values_list("pk", flat=True))


def _keep(archive: Archive, file: IO[bytes], now: datetime) -> None:
    size = file.tell()
    file.seek(0)
    Piece.objects.filter(archive=archive).delete()
    for number in range(-(-size // _PIECE)):  # each in its own transaction, so that others can write
        Piece.objects.create(archive=archive, number=number, content=file.read(_PIECE))
    with transaction.atomic():
        ready = Archive.objects.filter(pk=archive.pk, ready_at=None)
        if ready.update(ready_at=now, size=size, expires_at=now + LASTS):
            older = Archive.objects.filter(user=archive.user_id, pk__lt=archive.pk, failed=False)
            older.update(expires_at=now)
    _delete(Archive.objects.filter(user=archive.user_id, expires_at__lte=now))


def _delete(archives: QuerySet[Archive]) -> None:
    """Delete archives, each piece in its own transaction, so that others can write."""
    for archive_id in list(archives.values_list("pk", flat=True)):
        pieces = Piece.objects.filter(archive=archive_id)
        for key in throttled(list(pieces.values_list("pk", flat=True))):
            pieces.filter(pk=key).delete()
        Archive.objects.filter(pk=archive_id).delete()
