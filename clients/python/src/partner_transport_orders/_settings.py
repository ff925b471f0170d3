"""What every request of a client has."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from ipaddress import ip_address

import httpx

from ._environment import proxy_hint
from ._errors import NotSentError
from ._limits import Limits
from ._operation import Operation
from ._version import VERSION


@dataclass(frozen=True)
class Settings:
    base_url: str
    api_key: str = field(repr=False)
    limits: Limits
    user_agent: str | None
    allow_insecure: bool = False

    def __post_init__(self) -> None:
        """Raises NotSentError for options with which no request can be sent."""
        _check_base_url(self.base_url, self.allow_insecure)
        if not isinstance(self.api_key, str) or not re.fullmatch("[!-~]+", self.api_key):
            raise NotSentError("api_key: expected svc_live_... or svc_test_...; is the setting missing?")
        if self.user_agent and not (
            isinstance(self.user_agent, str) and re.fullmatch("[ -~]*[!-~]", self.user_agent)
        ):
            raise NotSentError("user_agent: expected ASCII characters without a space at the end")

    def url(self, operation: Operation) -> str:
        return self.base_url.rstrip("/") + operation.path

    @property
    def is_loopback(self) -> bool:
        """Whether the API is on this machine."""
        return _is_loopback(httpx.URL(self.base_url).host)

    def connection_hint(self, error: Exception) -> str:
        """The end of the message of a failed connection: the setting that can be wrong."""
        if "CERTIFICATE_VERIFY_FAILED" in str(error):
            return "; SSL_CERT_FILE names a file with the authority of its certificate"
        return "" if self.is_loopback else proxy_hint(httpx.URL(self.base_url).scheme)

    def headers(self, operation: Operation) -> dict[str, str]:
        """Raises NotSentError for an idempotency key that the API does not read (decision 22), and for
        a header that HTTP cannot hold."""
        agent = f"partner-transport-orders-python/{VERSION}"
        headers = {
            "Authorization": f"Bearer {self.api_key}",
            "Accept": "application/json",
            "User-Agent": f"{agent} {self.user_agent}" if self.user_agent else agent,
        }
        if operation.body is not None:
            headers["Content-Type"] = "application/json"
        if operation.idempotency_key is not None:
            if not re.fullmatch("[!-~]{1,255}", operation.idempotency_key):
                raise NotSentError("idempotency_key: expected 1 to 255 visible ASCII characters")
            headers["Idempotency-Key"] = operation.idempotency_key
        for name, value in (operation.headers or {}).items():
            if value is None:
                continue
            if not isinstance(value, str) or not re.fullmatch("[!-~]+", value):
                raise NotSentError(f"{name}: expected visible ASCII characters")
            headers[name] = value
        return headers


def _check_base_url(base_url: str, allow_insecure: bool) -> None:
    """`http:` is for this machine alone, unless `allow_insecure` permits more."""
    try:
        url = httpx.URL(base_url)  # the parser that decides where requests go
    except (httpx.InvalidURL, TypeError, ValueError) as error:
        raise NotSentError(f"base_url: {error}") from error
    if url.scheme not in ("https", "http") or not url.host:
        raise NotSentError("base_url: not a URL that begins with https:")
    if url.userinfo or url.query or url.fragment or "?" in base_url or "#" in base_url:
        raise NotSentError("base_url: expected neither user, query nor fragment")
    if url.scheme == "http" and not allow_insecure and not _is_loopback(url.host):
        raise NotSentError(
            f"base_url: http: would send the key readable to {url.host}; use https:, or allow_insecure"
        )


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
