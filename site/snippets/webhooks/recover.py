import json, os
from datetime import datetime, timedelta, timezone
from urllib.request import Request, urlopen

url = f"{os.environ['API']}/webhooks/{os.environ['ENDPOINT_ID']}/recover"
headers = {"Authorization": "Bearer " + os.environ["KEY"], "Content-Type": "application/json"}
since = (datetime.now(timezone.utc) - timedelta(days=1)).isoformat()  # begin before the outage
queued = 0
while since is not None:
    with urlopen(Request(url, data=json.dumps({"since": since}).encode(), headers=headers)) as response:
        body = json.load(response)
    queued += body["queued"]
    since = body["next_since"]
print(f"{queued} events are sent again")
