"""House variants: the club remembers by which rules their games are played."""
