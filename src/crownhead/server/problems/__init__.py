"""Problems to solve: the problem of the day, solving ratings, streaks."""
