"""Judges the vectors on its input; answers [[valid, event or reason or fault], ...]."""
import base64, json, pathlib, sys
sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "python"))
from webhook_verify import Refused, verify

def judge(call):
    try:
        body = base64.b64decode(call["body"])
        return True, verify(body, call["header"], call["secrets"], call["now"])["event"]
    except Refused as refused:
        return False, refused.reason
    except TypeError as wrong:
        return False, str(wrong)

json.dump([judge(call) for call in json.load(sys.stdin)], sys.stdout)
