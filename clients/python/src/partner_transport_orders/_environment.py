"""Which settings of the environment httpx reads, and which of them is wrong."""

from __future__ import annotations

import os
import ssl
from urllib.parse import urlsplit

from ._errors import NotSentError

_SCHEMES = ("http", "https", "socks5", "socks5h")


def wrong_setting(error: Exception) -> NotSentError:
    """The error of a client that httpx cannot make. It names the setting, never its value: the URL of
    a proxy can have a password."""
    if isinstance(error, (OSError, ssl.SSLError)):
        names = _given("SSL_CERT_FILE", "SSL_CERT_DIR") or "SSL_CERT_FILE"
        return NotSentError(f"{names}: the certificates cannot be read; correct or unset it")
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        value = _value(name)
        if isinstance(error, ImportError) and value.startswith("socks"):
            return NotSentError(f"{name}: a SOCKS proxy needs pip install 'httpx[socks]'")
        if value and not _is_proxy(value):
            return NotSentError(f"{name}: expected a URL such as http://proxy.example:3128")
    return NotSentError(
        f"{_given('NO_PROXY') or 'HTTP_PROXY'}: httpx cannot read it; NO_PROXY takes host names and "
        "addresses separated by commas, and no networks of IPv6"
    )


def proxy_hint(scheme: str) -> str:
    """The end of the message of a failed connection, where a proxy can be the reason."""
    names = [name for name in (f"{scheme.upper()}_PROXY", "ALL_PROXY") if _value(name)]
    return f"; check {names[0]} and NO_PROXY" if names else ""


def _value(name: str) -> str:
    return os.environ.get(name.lower()) or os.environ.get(name) or ""


def _given(*names: str) -> str:
    return " or ".join(name for name in names if _value(name))


def _is_proxy(value: str) -> bool:
    try:
        parts = urlsplit(value if "://" in value else f"http://{value}")
        return parts.scheme in _SCHEMES and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
