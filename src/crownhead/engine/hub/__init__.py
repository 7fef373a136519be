"""The Hub protocol between draughts engines and graphical interfaces."""
