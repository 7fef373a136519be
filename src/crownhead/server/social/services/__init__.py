"""Messages, reports, moderation and news."""
