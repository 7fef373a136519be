"""The processes and threads of a site: what serves pages, works in the background and keeps time."""
