"""The pages of the waiting room, of new games and of invitations."""
