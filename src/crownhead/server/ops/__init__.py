"""Running a site: the commands, the background jobs and the health check."""
