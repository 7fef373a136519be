"""A second, slow and readable implementation of the laws, kept only to check the kernel.

It takes the rules of a variant from the table as data and shares no code with the product:
pieces stand in a dictionary of (file, rank), and every law is one small function.
"""

from __future__ import annotations
