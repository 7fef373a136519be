"""How passwords are hashed."""

from django.contrib.auth.hashers import Argon2PasswordHasher


class ClubHasher(Argon2PasswordHasher):
    """Argon2id with 19 MiB, two passes and one lane: OWASP's choice, some 30 ms on a small machine.

    Django's own choice needs 100 MiB and eight lanes, which on the two cores of a club's machine holds up
    every page.
    """

    time_cost = 2
    memory_cost = 19 * 1024
    parallelism = 1
