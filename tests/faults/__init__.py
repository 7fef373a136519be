"""Faults from outside: killed processes, databases that go away, full disks. `make faults` has more."""
