"""Running a club: the serve and admin commands, the sweeper, health, mail."""
