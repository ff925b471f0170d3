"""What a success must be. A captive portal or a proxy can respond 200 with a page of its own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ._errors import foreign_response

BYTES_MAX = 256 * 1024 * 1024
"""Maximum size of a body. The largest page of the API has less."""


@dataclass(frozen=True)
class Success:
    """A response with a 2xx status, and its complete body."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        """The JSON. Raises ServerError for anything but an object or a list."""
        try:
            value = json.loads(self.body.decode("utf-8-sig"))
        except (ValueError, RecursionError) as error:
            raise foreign_response(self.status, self.headers) from error
        if not isinstance(value, (dict, list)):
            raise foreign_response(self.status, self.headers)
        return value

    def page(self) -> dict[str, Any]:
        """A page of a list. Raises ServerError for anything else."""
        value = self.json()
        if not isinstance(value, dict) or not isinstance(value.get("data"), list):
            raise foreign_response(self.status, self.headers, "the response has no list; check the base URL")
        return value

    def document(self) -> bytes:
        """A JSON document as it came. Raises as `json`."""
        self.json()
        return self.body

    def file(self) -> bytes:
        """A file. Raises ServerError for HTML: no file of the API is a page."""
        if self.headers.get("content-type", "").lower().startswith("text/html"):
            raise foreign_response(self.status, self.headers)
        return self.body
