"""Lists that anybody may follow by the event stream, under names where games have their ids."""

WAITING_ROOM, RUNNING = "waiting-room", "watch"
LISTS = frozenset({WAITING_ROOM, RUNNING})
