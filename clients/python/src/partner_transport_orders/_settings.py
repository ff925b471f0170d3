"""What every request of a client has."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from ._limits import Limits
from ._operation import Operation
from ._version import VERSION


@dataclass(frozen=True)
class Settings:
    base_url: str
    api_key: str = field(repr=False)
    limits: Limits
    user_agent: str | None

    def __post_init__(self) -> None:
        if urlsplit(self.base_url).scheme not in ("https", "http"):
            raise ValueError(f"base_url: {self.base_url} begins neither with https: nor with http:")
        if not isinstance(self.api_key, str) or not re.fullmatch("[!-~]+", self.api_key):
            raise ValueError("api_key: expected svc_live_... or svc_test_...; is the setting missing?")

    def url(self, operation: Operation) -> str:
        return self.base_url.rstrip("/") + operation.path

    def headers(self, operation: Operation) -> dict[str, str]:
        agent = f"partner-transport-orders-python/{VERSION}"
        headers = {
            "Authorization": f"Bearer {self.api_key}",
            "Accept": "application/json",
            "User-Agent": f"{agent} {self.user_agent}" if self.user_agent else agent,
        }
        if operation.idempotency_key is not None:
            headers["Idempotency-Key"] = operation.idempotency_key
        return headers
