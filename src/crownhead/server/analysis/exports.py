"""What the archive of somebody's data holds of this app: nothing yet is kept of a person."""
