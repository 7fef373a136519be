"""A database backend: Django's for PostgreSQL, with a pool that gives up soon what is lost."""
