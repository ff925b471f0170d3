# PORT=8080 WEBHOOK_SECRETS=whsec_… INBOX=inbox python3 receiver.py
# Start it without WEBHOOK_SECRETS to register the endpoint, and with the secret afterwards.
# It speaks HTTP to a TLS proxy; with TLS_CERT=cert.pem TLS_KEY=key.pem it speaks HTTPS.
import os, re, ssl, tempfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit
from webhook_verify import Refused, verify

SECRETS = [secret for secret in os.environ.get("WEBHOOK_SECRETS", "").split(",") if secret]
INBOX = os.environ.get("INBOX", "inbox")
BODY_MOST_BYTES = 65_536
os.makedirs(INBOX, exist_ok=True)

class Receiver(BaseHTTPRequestHandler):
    timeout = 10

    def do_GET(self):
        self.answer(200, parse_qs(urlsplit(self.path).query).get("verification", [""])[0])

    def do_POST(self):
        length = max(0, int(self.headers["Content-Length"] or 0))
        raw_body = self.rfile.read(min(length, BODY_MOST_BYTES + 1))  # before anything parses it
        if len(raw_body) > BODY_MOST_BYTES:
            return self.answer(413, "body too large")
        if not SECRETS:
            return self.answer(401, "no secret: set WEBHOOK_SECRETS")
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
            os.replace(part.name, os.path.join(INBOX, delivery))  # atomic; a repeated delivery replaces the same file
        except OSError as error:
            return self.answer(500, f"not stored: {error.strerror}")  # it is retried
        self.answer(204)  # stored: process it from the inbox, not here

    def answer(self, status, text=""):
        if status >= 400:
            self.log_message("rejected with %d: %s", status, text)
        self.send_response(status)
        self.send_header("Content-Type", "text/plain")
        self.end_headers()
        self.wfile.write(text.encode())

server = ThreadingHTTPServer((os.environ.get("HOST", "127.0.0.1"), int(os.environ.get("PORT", "8080"))), Receiver)
if "TLS_CERT" in os.environ:
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(os.environ["TLS_CERT"], os.environ["TLS_KEY"])
    # each connection's own thread does the handshake
    server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
server.serve_forever()
