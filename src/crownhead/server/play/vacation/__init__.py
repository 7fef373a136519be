"""Vacation: a yearly budget of hours, and vacations set in advance."""
