"""The commands of ``crownhead pdn``, one a file, and what they share."""
