"""Tests of problems: judging, solving, mining, the collection of the package."""
