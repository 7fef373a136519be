"""Players who leave live games and live offers, and come back."""
