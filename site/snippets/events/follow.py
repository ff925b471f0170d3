import json, os, sys, time
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import Request, urlopen

STATE_FILE = Path("last-event.txt")
after = (STATE_FILE.read_text() if STATE_FILE.exists() else "") or "0"


def page():
    """Returns the events after a number; waits up to 25 s for one."""
    url = os.environ["API"] + "/events?" + urlencode({"after": after, "limit": 100, "wait": 25})
    request = Request(url, headers={"Authorization": "Bearer " + os.environ["KEY"]})
    with urlopen(request, timeout=50) as response:
        return json.load(response)


while True:
    try:
        current = page()
        for event in current["data"]:
            order = event["data"]["order"]
            print(event["number"], event["event"], order["id"], order["status"], flush=True)
        after = str(current["next_after"])
        NEXT_FILE = STATE_FILE.with_suffix(".next")
        NEXT_FILE.write_text(after)  # only after every event was processed
        NEXT_FILE.replace(STATE_FILE)  # complete or not at all
        if current["data"]:
            continue
    except OSError as error:  # no connection, or an error of the API
        print(error, file=sys.stderr)
    time.sleep(1)
