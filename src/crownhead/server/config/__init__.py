"""Composition of the server: settings, urls, the API's routers, the ASGI door."""
