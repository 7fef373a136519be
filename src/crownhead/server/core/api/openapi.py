"""What an operation of the API declares besides its schemas: refusals, and answers that are not JSON."""

from collections.abc import Callable
from typing import Any, TypeVar

from ninja.operation import Operation
from ninja.utils import contribute_operation_callback

PROBLEMS = {
    400: "The request could not be read.",
    401: "You are not signed in, or the token is no longer valid.",
    403: "You don't have permission to do this.",
    404: "There is no such thing, or you may not see it.",
    409: "This conflicts with the present state; `type` and `detail` say how.",
    413: "The body is too large.",
    415: "The body is not JSON.",
    422: "A value is not acceptable; `detail` says why, and `errors` lists the fields.",
    429: "Too many requests; `Retry-After` says how many seconds to wait.",
}

View = TypeVar("View", bound=Callable[..., Any])


def problem(status: int) -> dict[str, str]:
    """A reference to the description of that problem."""
    return {"$ref": f"#/components/responses/Problem{status}"}


def problems(*statuses: int) -> Callable[[View], View]:
    """Declare the problems of an operation that its sign-in, parameters and body don't imply."""
    return _declares({status: problem(status) for status in statuses})


def sends(media_type: str) -> Callable[[View], View]:
    """Declare that an operation answers 200 with this media type rather than with JSON."""
    is_text = media_type.startswith("text/") or media_type.endswith("+xml")
    content = {media_type: {"schema": {"type": "string"}} if is_text else {}}
    return _declares({200: {"content": content}})


def _declares(responses: dict[int, Any]) -> Callable[[View], View]:
    def note(operation: Operation) -> None:
        extra = operation.openapi_extra or {}
        operation.openapi_extra = extra | {"responses": extra.get("responses", {}) | responses}

    def decorator(view: View) -> View:
        contribute_operation_callback(view, note)
        return view

    return decorator
