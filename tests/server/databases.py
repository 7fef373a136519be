"""Which tests ask something of the database itself: CI runs these on PostgreSQL, too; by night all run.

What is said of a file holds for all its tests; those with connections of their own (``transaction=True``)
belong to them wherever they are, unless the database has no part in what they ask.
"""

from __future__ import annotations

LOCKS = "several act at once: locks, conflicts, what is tried again"
CONSTRAINTS = "rows that the database refuses, or that only one of two may have"
SEARCHES = "looks for text, filters, orders, counts and pages"
BULK = "many rows are written, changed or recounted at once"
SWEEPS = "moments are compared by the database"
JSON = "keeps and reads JSON"
LISTENS = "PostgreSQL announces what happens on a channel"

ASKS_NOTHING = {"live/test_stream_safety.py"}  # hosts, schemes and headers, before anything is read

ON_POSTGRESQL = {
    "accounts/test_leaving.py": CONSTRAINTS,
    "accounts/test_contacts.py": CONSTRAINTS,
    "competitions/test_api.py": JSON,
    "competitions/test_at_once.py": LOCKS,
    "competitions/test_entering.py": CONSTRAINTS,
    "competitions/test_running.py": SWEEPS,
    "ladders/test_any_order.py": CONSTRAINTS,
    "ladders/test_at_once.py": LOCKS,
    "ladders/test_places.py": CONSTRAINTS,
    "ladders/test_time.py": SWEEPS,
    "live/test_hub.py": LISTENS,
    "live/test_outbox_order.py": LOCKS,
    "live/test_stream.py": LISTENS,
    "lobby/test_join.py": LOCKS,
    "lobby/test_waiting_room.py": SEARCHES,
    "notices/test_times.py": SWEEPS,
    "notices/test_workers.py": LOCKS,
    "people/test_closing.py": BULK,
    "people/test_players.py": SEARCHES,
    "people/test_data_export.py": JSON,
    "play/test_at_once.py": LOCKS,
    "play/test_leaving.py": BULK,
    "play/test_matches.py": CONSTRAINTS,
    "play/test_outages.py": LOCKS,
    "play/test_plans.py": CONSTRAINTS,
    "play/test_play_move.py": LOCKS,
    "play/test_rows.py": CONSTRAINTS,
    "play/test_terms.py": SEARCHES,
    "play/test_time.py": SWEEPS,
    "play/test_watching.py": SEARCHES,
    "ratings/test_at_once.py": LOCKS,
    "ratings/test_leaderboards.py": SEARCHES,
    "social/test_at_once.py": LOCKS,
    "social/test_bans.py": SWEEPS,
    "social/test_messages.py": SEARCHES,
    "social/test_news.py": SEARCHES,
    "social/test_reports.py": CONSTRAINTS,
    "teams/test_at_once.py": LOCKS,
    "teams/test_membership.py": CONSTRAINTS,
}
