import json, os, random, time
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import Request, urlopen

ATTEMPTS_MAX = 5
RETRYABLE = {408, 429, 502, 503, 504}


def code_of(error):
    """Returns the error code of a response, or None if the response is not the API's."""
    try:
        return json.load(error)["error"]["code"]
    except (ValueError, KeyError, TypeError):
        return None


def create_order(order, key):
    """Creates an order. Give the same key to every attempt for the same order."""
    request = Request(
        os.environ["API"] + "/orders",
        data=json.dumps(order).encode(),
        headers={
            "Authorization": "Bearer " + os.environ["KEY"],
            "Content-Type": "application/json",
            "Idempotency-Key": key,
        },
    )
    for attempt in range(1, ATTEMPTS_MAX + 1):
        delay = random.random() * 0.5 * 2**attempt  # full jitter
        try:
            with urlopen(request, timeout=10) as response:
                return json.load(response)
        except HTTPError as error:
            can_retry = error.code in RETRYABLE or code_of(error) == "IDEMPOTENCY_IN_PROGRESS"
            if not can_retry or attempt == ATTEMPTS_MAX:
                raise
            delay = max(delay, int(error.headers.get("Retry-After", 0)))
        except (OSError, HTTPException, ValueError):
            # no complete response: the order may exist, and the same key makes the next attempt safe
            if attempt == ATTEMPTS_MAX:
                raise
        time.sleep(delay)


order = {
    "pickup": {"address_text": "Charitéplatz 1, 10117 Berlin"},
    "dropoff": {"address_text": "Marienplatz 1, 80331 München"},
    "pickup_window_start": "2030-01-01T08:00:00Z",
}
print(create_order(order, "transport-4712")["id"])
