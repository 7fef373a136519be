"""Taking moves back by consent."""
