"""Verifies a webhook of Partner Transport Orders. Python 3.8 or newer, standard library only: copy it.

    event = verify(request.get_data(), request.headers.get("X-Service-Signature"), [secret])
"""
import hashlib, hmac, json, re, time

KNOWN = {"order." + name for name in (
    "submitted assigned accepted driver_assigned pickup_started sealed in_transit delivered closed "
    "cancelled updated incident_reported escalated test").split()}

class Refused(Exception):
    """Do not believe it: answer 401. `reason` is one of: no_header, malformed_header, no_v1,
    no_signature_matches, stale, from_the_future, not_an_event."""
    def __init__(self, reason):
        super().__init__(reason)
        self.reason = reason

def verify(raw_body, header, secrets, now=None, tolerance_seconds=300):
    """The event as a dict. raw_body: the bytes that came, before anything parsed them. secrets: the
    endpoint's, two while one is being replaced. now: Unix seconds. Raises Refused, or, where the call
    itself is wrong, TypeError."""
    if not isinstance(raw_body, (bytes, bytearray)):
        raise TypeError("raw_body: expected the bytes that came; the signature covers them as they were sent")
    if isinstance(secrets, str) or not secrets or not all(isinstance(s, str) and s for s in secrets):
        raise TypeError("secrets: expected a list of whsec_...; is the setting missing?")
    if not header:
        raise Refused("no_header")
    t, signatures = read_header(header)
    if not signatures:
        raise Refused("no_v1")
    message = t.encode() + b"." + bytes(raw_body)
    expected = [hmac.new(secret.encode(), message, hashlib.sha256).hexdigest() for secret in secrets]
    if not any([hmac.compare_digest(a, b) for a in expected for b in signatures]):
        raise Refused("no_signature_matches")
    age = (time.time() if now is None else now) - int(t)
    if age > tolerance_seconds:
        raise Refused("stale")
    if not age >= -tolerance_seconds:
        raise Refused("from_the_future")
    return read_event(bytes(raw_body))

def read_header(header):
    parts = [re.fullmatch(r"([a-z0-9_]+)=([!-~]*)", part) for part in header.split(",")]
    if len(header) > 4096 or not all(parts):
        raise Refused("malformed_header")
    times = [part[2] for part in parts if part[1] == "t"]
    signatures = [part[2] for part in parts if part[1] == "v1"]
    good = (len(times) == 1 and re.fullmatch(r"0|[1-9][0-9]{0,11}", times[0]) and len(signatures) <= 16
            and all(re.fullmatch(r"[0-9a-f]{64}", signature) for signature in signatures))
    if not good:
        raise Refused("malformed_header")
    return times[0], signatures

def read_event(raw_body):
    def no_number(word):
        raise ValueError(word)
    try:
        event = json.loads(raw_body.decode("utf-8"), parse_constant=no_number)
        texts = [event["event"], event["occurred_at"]]
        if event["event"] in KNOWN:
            order = event["data"]["order"]
            texts += [order["id"], order["status"], event["links"]["order"]]
            if order["external_id"] is not None:
                texts.append(order["external_id"])
    except (ValueError, KeyError, TypeError, IndexError, RecursionError):
        raise Refused("not_an_event") from None
    if not all(isinstance(text, str) for text in texts):
        raise Refused("not_an_event")
    return event
