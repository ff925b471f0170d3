import json, os
from urllib.error import HTTPError
from urllib.request import Request, urlopen

request = Request(
    f"{os.environ['API']}/orders/{os.environ['ORDER_ID']}/cancel",
    data=json.dumps({"reason": "The donor was not available."}).encode(),
    headers={"Authorization": "Bearer " + os.environ["KEY"], "Content-Type": "application/json"},
)
try:
    with urlopen(request) as response:
        print(json.load(response)["status"])
except HTTPError as error:
    body = json.load(error)
    if "detail" in body:
        for fault in body["detail"]:
            print(".".join(map(str, fault["loc"])), fault["msg"])
    elif body["error"]["code"] == "CANCEL_NOT_ALLOWED":
        print("not possible:", body["error"]["details"])
    else:
        print(body["error"]["code"], body["error"]["message"], error.headers["X-Request-Id"])
