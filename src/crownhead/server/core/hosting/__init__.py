"""What the host of a site has chosen: its data folder and its options."""
