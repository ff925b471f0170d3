# PORT=8080 WEBHOOK_SECRETS=whsec_… INBOX=inbox python3 receiver.py   (TLS ends in front of it)
import os, re, tempfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit
from verify import Refused, verify

SECRETS = os.environ["WEBHOOK_SECRETS"].split(",")
INBOX = os.environ.get("INBOX", "inbox")
BODY_MOST_BYTES = 65_536

class Receiver(BaseHTTPRequestHandler):
    timeout = 10

    def do_GET(self):
        self.answer(200, parse_qs(urlsplit(self.path).query).get("verification", [""])[0])

    def do_POST(self):
        length = max(0, int(self.headers["Content-Length"] or 0))
        raw_body = self.rfile.read(min(length, BODY_MOST_BYTES + 1))  # before anything parses it
        if len(raw_body) > BODY_MOST_BYTES:
            return self.answer(413)
        try:
            verify(raw_body, self.headers["X-Service-Signature"], SECRETS)
        except Refused as refused:
            return self.answer(401, refused.reason)
        delivery = self.headers["X-Service-Delivery"] or ""
        if not re.fullmatch("[0-9a-f-]{36}", delivery):
            return self.answer(400, "no delivery id")
        try:
            with tempfile.NamedTemporaryFile(dir=INBOX, prefix=".", delete=False) as part:
                part.write(raw_body)
            os.replace(part.name, os.path.join(INBOX, delivery))  # whole; the same file if it comes again
        except OSError:
            return self.answer(500)  # it comes again
        self.answer(204)  # it is kept: work on it from the inbox, not here

    def answer(self, status, text=""):
        self.send_response(status)
        self.send_header("Content-Type", "text/plain")
        self.end_headers()
        self.wfile.write(text.encode())

ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Receiver).serve_forever()
