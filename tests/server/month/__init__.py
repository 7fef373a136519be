"""Two hundred members of different habits live a month in the club on a moved clock."""
