"""Simulates a month with two hundred members of different habits and checks their notifications."""
