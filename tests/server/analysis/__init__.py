"""The engine at the club."""
