"""What all bodies of answers have in common."""

from pydantic import BaseModel, ConfigDict


class Out(BaseModel):
    """The body of an answer, or a part of it, made from a row or from what has its names.

    Not ninja's own ``Schema``, which asks Python for each of a row's values: it takes ten times as long. What
    that has for Django alone, such as resolvers and managers of related rows, our answers don't use.
    """

    model_config = ConfigDict(from_attributes=True)
