# Made from _async/sandbox.py by `npm run generate`.
"""Moves orders in the sandbox."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from .._limits import Limits
from .._operation import Operation, path
from ..models import Order, SandboxStep, SandboxSteps, SandboxTarget
from .http import Http


class Sandbox:
    """Moves orders in the sandbox. In production each call raises NotFoundError."""

    def __init__(self, http: Http) -> None:
        self._http = http

    def advance(self, id: str, *, to: SandboxTarget | None = None, limits: Limits | None = None) -> Order:
        """Moves an order to a status through those before it, or by one step without `to`.

        A call with `to` is repeated like a read: a status that the order has reached changes nothing.
        """
        body = {} if to is None else {"to": to}
        return self._advance(id, body, to is not None, limits)

    def run_script(self, id: str, script: Sequence[SandboxStep], *, limits: Limits | None = None) -> Order:
        """Starts a run of 1 to 50 steps with delays, which replaces the order's run."""
        return self._advance(id, {"script": script}, False, limits)

    def steps(self, id: str, *, limits: Limits | None = None) -> SandboxSteps:
        """The steps that are possible now, and the state of the order's run."""
        steps = Operation("GET", path("sandbox/orders/{}/steps", id), repeatable=True)
        return cast(SandboxSteps, self._http.call(steps, limits))

    def _advance(
        self, id: str, body: Mapping[str, Any], repeatable: bool, limits: Limits | None
    ) -> Order:
        advance = path("sandbox/orders/{}/advance", id)
        operation = Operation("POST", advance, repeatable=repeatable, body=body)
        return cast(Order, self._http.call(operation, limits))
