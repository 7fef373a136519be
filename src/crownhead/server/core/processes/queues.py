"""The queues of background tasks, one per kind of work, so that nothing short waits for something long."""

from django.dispatch import Signal

GENERAL = "default"
REPLIES = "replies"  # a second or two each: the moves of the computer
STUDIES = "studies"  # up to minutes: analyses and reviews
ALL = (GENERAL, REPLIES, STUDIES)

# Sent when somebody opens a page that is likely to need a worker, so that one can start in time.
work_expected = Signal()
