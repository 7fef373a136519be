"""Fair play: what the staff can see of ratings that were farmed and of help in running games."""
