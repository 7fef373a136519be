"""The views of the pages: each reads a request, calls services or selectors, and renders."""
