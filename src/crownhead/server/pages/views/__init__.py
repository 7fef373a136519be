"""The views of these pages: each reads a request, asks, and renders."""
