"""The queues of long work. Each is worked off by itself: nothing short waits behind something long."""

from django.dispatch import Signal

GENERAL = "default"
REPLIES = "replies"  # a second or two each: what the computer answers in its games
STUDIES = "studies"  # up to minutes: analyses and reviews
ALL = (GENERAL, REPLIES, STUDIES)

# Somebody looks at a page on which he will ask for some: a worker that has yet to start may do so now.
work_expected = Signal()
