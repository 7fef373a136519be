"""The Hub protocol, which draughts programs and their windows speak."""
