"""Lists that anybody may follow by the event stream, under names where games have their ids."""

WAITING_ROOM, RUNNING, TOURNAMENTS = "waiting-room", "watch", "tournaments"
LISTS = frozenset({WAITING_ROOM, RUNNING, TOURNAMENTS})
