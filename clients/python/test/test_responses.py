"""Responses of a captive portal, of a proxy or of another server; run with the installed wheel."""

import threading
import unittest
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast

import httpx
from partner_transport_orders import (
    Client,
    ConnectionFailedError,
    Limits,
    NotFoundError,
    ServerError,
    TransportOrdersError,
)
from partner_transport_orders.models import OrderCreate

ID = "01900000-0000-7000-8000-00000000000a"
HTML = "<!doctype html><title>Welcome to the hospital</title>"
PAGE = {"content-type": "text/html"}
ORDER = cast(OrderCreate, {})


def client(*replies: httpx.Response) -> "tuple[Client, list[str]]":
    """A client whose requests get the next reply; the last one is repeated."""
    seen: "list[str]" = []

    def respond(request: httpx.Request) -> httpx.Response:
        seen.append(request.method)
        found = replies[min(len(seen), len(replies)) - 1]
        return httpx.Response(found.status_code, headers=found.headers, content=found.content)

    http = httpx.Client(transport=httpx.MockTransport(respond))
    return Client("https://a.example/api", "svc_test_canary", http_client=http), seen


class ForeignResponses(unittest.TestCase):
    def test_a_response_that_is_not_the_apis_is_a_server_error_and_is_not_repeated(self) -> None:
        replies = (
            httpx.Response(200, text=HTML, headers=PAGE),
            httpx.Response(201, text=HTML, headers=PAGE),
            httpx.Response(200, text=HTML),
            httpx.Response(200, text='{"id": "o1", "status"'),
            httpx.Response(200),
            httpx.Response(204),
            httpx.Response(200, text='"ok"'),
            httpx.Response(200, text="null"),
            httpx.Response(200, content=b'{"id": "\xfc"}'),
            httpx.Response(404, text=HTML, headers=PAGE),
            httpx.Response(401, text=HTML, headers=PAGE),
        )
        calls: "list[Callable[[Client], object]]" = [
            lambda api: api.orders.create(ORDER),
            lambda api: api.orders.get(ID),
            lambda api: api.orders.custody_proof(ID),
            lambda api: list(api.orders.list()),
            lambda api: api.webhooks.list(),
            lambda api: api.ping(),
        ]
        for reply in replies:
            for call in calls:
                api, seen = client(reply)
                with self.subTest(reply=reply, call=call), self.assertRaises(ServerError) as caught:
                    call(api)
                self.assertEqual((caught.exception.code, len(seen)), ("UNEXPECTED_RESPONSE", 1))

    def test_a_page_in_place_of_a_file_or_of_the_204_of_a_deletion_is_a_server_error(self) -> None:
        calls: "list[Callable[[Client], object]]" = [
            lambda api: api.orders.certificate(ID),
            lambda api: api.orders.artifact(ID, "ab" * 32),
            lambda api: api.webhooks.delete(ID),
        ]
        for call in calls:
            with self.assertRaises(ServerError):
                call(client(httpx.Response(200, text=HTML, headers={"content-type": "text/html; charset=utf-8"}))[0])

    def test_a_list_without_items_is_a_server_error(self) -> None:
        api, _ = client(httpx.Response(200, json={"error": "none"}))
        for listed in (api.orders.list(), api.list_requests(), api.follow_events()):
            with self.assertRaisesRegex(ServerError, "the response has no list"):
                next(iter(cast(Any, listed)))
        with self.assertRaisesRegex(ServerError, "the response has no list"):
            api.list_events()

    def test_errors_of_the_api_and_files_are_as_they_were(self) -> None:
        envelope = {"error": {"code": "NOT_FOUND", "message": "because"}}
        pdf = httpx.Response(200, content=b"%PDF-1.7", headers={"content-type": "application/pdf"})
        large = httpx.Response(200, json={"id": "x" * 20_000_000})
        api, _ = client(httpx.Response(404, json=envelope), pdf, large, httpx.Response(204))
        with self.assertRaises(NotFoundError):
            api.orders.get(ID)
        self.assertEqual(api.orders.certificate(ID), b"%PDF-1.7")
        self.assertEqual(len(api.orders.get(ID)["id"]), 20_000_000)
        api.webhooks.delete(ID)


class Streams(BaseHTTPRequestHandler):
    """Ends early below /short, and never elsewhere."""

    def do_GET(self) -> None:
        self.send_response(200)
        if self.path.startswith("/short"):
            self.send_header("Content-Length", "100")
            self.end_headers()
            self.wfile.write(b'{"organization": "De')
            return
        self.end_headers()
        try:
            while True:
                self.wfile.write(b" " * 1024 * 1024)
        except OSError:
            pass

    def log_message(self, format: str, *args: Any) -> None:
        pass


class EndlessResponses(unittest.TestCase):
    def ping(self, path: str) -> None:
        server = ThreadingHTTPServer(("127.0.0.1", 0), Streams)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            url = f"http://127.0.0.1:{server.server_address[1]}{path}"
            with Client(url, "svc_test_canary", limits=Limits(attempts_max=1)) as api:
                api.ping()
        finally:
            server.shutdown()
            server.server_close()

    def test_a_body_that_ends_early_is_a_failed_connection(self) -> None:
        with self.assertRaises(ConnectionFailedError):
            self.ping("/short")

    def test_a_body_without_an_end_is_a_server_error(self) -> None:
        with self.assertRaisesRegex(ServerError, "larger than 268435456 bytes"):
            self.ping("/endless")


if __name__ == "__main__":
    unittest.main()
