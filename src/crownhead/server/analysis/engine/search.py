"""Searches for members: each in its own thread, its reports published as they come.

Only the thread that took the task uses the database; there it sees when the work is no longer wanted.
"""

from __future__ import annotations

import queue
import random
import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

from django.db.models import Q

import crownhead
from crownhead.engine import Engine, Report
from crownhead.engine.levels import choose
from crownhead.server.analysis.choices import Progress
from crownhead.server.analysis.engine import reports
from crownhead.server.analysis.engine.measures import Work, searching
from crownhead.server.analysis.engine.pool import come_last, engine_for, think
from crownhead.server.analysis.engine.selectors import with_official_draws
from crownhead.server.analysis.models import Study
from crownhead.server.core import clock
from crownhead.server.live import services as live

LEFT_AFTER = timedelta(seconds=5)  # since the last who followed it went; a page loaded again takes less
BEAT = 0.4  # seconds between two looks for news, and between two reports


def search_study(*, study_id: int) -> None:
    """Search the position of a study; done once, even if several workers have the task."""
    mine = Study.objects.filter(pk=study_id, progress=Progress.WAITING)
    if not mine.update(progress=Progress.THINKING, begun_at=clock.now()):
        return
    study = Study.objects.get(pk=study_id)
    try:
        progress = _search(study)
    except Exception:
        _store(study, progress=Progress.FAILED, ended_at=clock.now())
        raise
    _store(study, progress=progress, ended_at=clock.now())


def _search(study: Study) -> Progress:
    if not _is_wanted(study):
        return Progress.STOPPED
    replay = with_official_draws(study.replay())
    if study.level is not None:
        engine, level, dice = engine_for(study.variant), study.level, random.Random(study.public_id)
        answer = think(lambda: choose(engine, replay, level=level, dice=dice), work=Work.ANALYSIS)
        study.report = {"reply": replay.position.notation(answer)}
        study.save(update_fields=["report"])
        return Progress.DONE
    search = _Search(engine_for(study.variant), replay, lines=study.lines, seconds=study.seconds)
    for report in search.reports():
        if report is not None:
            _store(study, report=reports.as_dict(report))
        if search.is_running and not _is_wanted(study):
            search.stop()
            return Progress.STOPPED
    return Progress.DONE


def _is_wanted(study: Study) -> bool:
    """Nobody has stopped it, and it was not left alone."""
    alone = Q(left_at__lte=clock.now() - LEFT_AFTER)
    return not Study.objects.filter(Q(stop_asked=True) | alone, pk=study.pk).exists()


def _store(study: Study, **changes: Any) -> None:
    """Store the changes and publish them."""
    for name, value in changes.items():
        setattr(study, name, value)
    study.save(update_fields=list(changes))
    publish(study.public_id, {"id": study.public_id, "status": study.progress, "report": study.report})


def publish(public_id: str, payload: dict[str, Any]) -> None:
    """Publish the progress of a study or a review."""
    live.publish(topic=f"game:{public_id}", kind="analysis", payload=payload)


class _Search:
    """A search in its own thread; the newest report is published once a beat."""

    def __init__(self, engine: Engine, replay: crownhead.Game, *, lines: int, seconds: float) -> None:
        self._engine = engine
        self._news: queue.SimpleQueue[Report] = queue.SimpleQueue()
        self._failure: Exception | None = None

        def search() -> Report:
            come_last()
            on_report = self._news.put
            return engine.analyse(
                replay, lines=lines, seconds=seconds, to_the_letter=True, on_report=on_report
            )

        self._thread = threading.Thread(target=self._run, args=(search,), name="search", daemon=True)

    def reports(self) -> Iterator[Report | None]:
        """The newest report of each beat, and the last; raises what the search failed by."""
        self._thread.start()
        try:
            going = True
            while going:
                self._thread.join(BEAT)
                going = self.is_running
                yield self._newest()
        finally:
            self.stop()
        if self._failure is not None:
            raise self._failure

    @property
    def is_running(self) -> bool:
        """It thinks."""
        return self._thread.is_alive()

    def stop(self) -> None:
        """End the search, and wait until it has ended."""
        while self._thread.is_alive():
            self._engine.stop()
            self._thread.join(0.02)

    def _run(self, search: Callable[[], Report]) -> None:
        try:
            with searching(Work.ANALYSIS):
                self._news.put(search())
        except Exception as error:  # raised in the thread that waits
            self._failure = error

    def _newest(self) -> Report | None:
        newest = None
        while not self._news.empty():
            newest = self._news.get()
        return newest
