"""Proxies and certificates of the environment; run by a test of the repository with the installed wheel."""

import os
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from unittest import mock

import anyio
from partner_transport_orders import (
    AsyncClient,
    Client,
    ConnectionFailedError,
    Limits,
    NotSentError,
    TransportOrdersError,
)

KEY = "svc_test_canary"


class Answers(BaseHTTPRequestHandler):
    """An API, and a proxy before it: the target of a request by a proxy is a URL."""

    seen: "list[str]" = []

    def do_GET(self) -> None:
        self.seen.append(self.path)
        body = b'{"status": "ok", "organization": "Demo", "environment": "test"}'
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


class Environment(unittest.TestCase):
    def setUp(self) -> None:
        Answers.seen = []
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.port = self.server.server_address[1]
        kept = {n: v for n, v in os.environ.items() if not n.lower().endswith("_proxy") and n[:4] != "SSL_"}
        patched = mock.patch.dict(os.environ, kept, clear=True)
        patched.start()
        self.addCleanup(patched.stop)

    def test_a_request_to_this_machine_takes_no_proxy(self) -> None:
        os.environ.update(HTTP_PROXY="http://127.0.0.1:9", ALL_PROXY="http://127.0.0.1:9")
        for host in ("127.0.0.1", "localhost"):
            with Client(f"http://{host}:{self.port}/api", KEY, limits=Limits(attempts_max=1)) as client:
                self.assertEqual(client.ping()["organization"], "Demo")

        async def ping() -> str:
            async with AsyncClient(f"http://127.0.0.1:{self.port}/api", KEY) as client:
                return (await client.ping())["organization"]

        self.assertEqual(anyio.run(ping), "Demo")
        self.assertEqual(Answers.seen, ["/api/ping"] * 3)

    def test_a_request_to_another_host_takes_the_proxy(self) -> None:
        os.environ["HTTP_PROXY"] = f"http://127.0.0.1:{self.port}"
        with Client("http://api.example/api", KEY, allow_insecure=True) as client:
            self.assertEqual(client.ping()["organization"], "Demo")
        self.assertEqual(Answers.seen, ["http://api.example/api/ping"])

    def test_a_setting_that_cannot_be_read_is_named_without_its_value(self) -> None:
        wrong = (
            ("NO_PROXY", "localhost,fe80::/10"),
            ("ALL_PROXY", "socks5://user:canary@proxy.example:1080"),
            ("HTTPS_PROXY", "ftp://user:canary@proxy.example"),
            ("https_proxy", "::canary"),
            ("SSL_CERT_FILE", "/no/such/canary"),
        )
        for name, value in wrong:
            for kind in (Client, AsyncClient):
                with self.subTest(name=name, kind=kind), mock.patch.dict(os.environ, {name: value}):
                    with self.assertRaisesRegex(NotSentError, f"^{name.upper()}: ") as caught:
                        kind("https://api.example/api", KEY)
                    self.assertNotIn("canary", str(caught.exception))

    def test_a_proxy_that_is_not_there_is_named(self) -> None:
        os.environ["HTTPS_PROXY"] = "http://127.0.0.1:9"
        with Client("https://api.example/api", KEY, limits=Limits(attempts_max=1)) as client:
            with self.assertRaisesRegex(ConnectionFailedError, "check HTTPS_PROXY and NO_PROXY$"):
                client.ping()

    def test_every_wrong_option_is_an_error_of_this_package(self) -> None:
        wrong: "list[dict[str, Any]]" = [{"user_agent": 1}, {"base_url": None}, {"api_key": None}]
        for options in wrong:
            with self.assertRaises(TransportOrdersError):
                Client(**{"base_url": "https://api.example/api", "api_key": KEY, **options})
        for value in (0, -1, float("nan"), 2**31, "x", None):
            with self.assertRaisesRegex(TransportOrdersError, "attempts_max"):
                Limits(attempts_max=value)  # type: ignore[arg-type]


if __name__ == "__main__":
    unittest.main()
