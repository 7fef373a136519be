"""E-mail addresses: changing one, with the consent of its owner, and taking a change back."""
