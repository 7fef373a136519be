"""The queues of long work. Each is worked off by itself: nothing short waits behind something long."""

GENERAL = "default"
REPLIES = "replies"  # a second or two each: what the computer answers in its games
STUDIES = "studies"  # up to minutes: analyses and reviews
ALL = (GENERAL, REPLIES, STUDIES)
