"""Tests of the problems to solve."""
