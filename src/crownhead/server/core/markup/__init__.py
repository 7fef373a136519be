"""Markdown written by members: made into safe HTML of bounded size, once, and kept beside the text."""
