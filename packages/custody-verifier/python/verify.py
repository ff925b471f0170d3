"""Judges a proof file (custody-proof/1) offline: proven, consistent or invalid.

    python3 verify.py proof.json [--key VKEY]... [--keys keys.json]

Exit code: 0 proven, 3 consistent, 1 invalid, 2 wrong usage. Needs the package rfc8785, and
cryptography for signatures: without cryptography nothing is ever proven."""
import argparse, base64, hashlib, json, re, sys
from datetime import datetime, timedelta
from decimal import Decimal
import rfc8785

RULE = 'hex(SHA-256(JCS({"v":"custody-genesis/1","order_id":order_id})))'
ENTRY = "id type internal_type ts_utc gps_lat gps_lng payload prev_event_hash event_hash"
UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
TIME = "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}Z"
sha = lambda data: hashlib.sha256(data).digest()
jcs_hash = lambda value: sha(rfc8785.dumps(value)).hex()

def check(what, holds):
    if not holds:
        raise ValueError(what)

# ---- The form of the file: one JSON text must mean the same to every reader.

def number(text):
    check("a number has more than 400 characters", len(text) <= 400)
    value = float(text)
    check(f"the number {text} loses digits", Decimal(repr(value)) == Decimal(text))
    check("-0 is written as 0", value != 0 or text[0] != "-")
    return int(value) if value.is_integer() and abs(value) < 2**53 else value

def unique(pairs):
    check("a member name stands twice in one object", len(dict(pairs)) == len(pairs))
    return dict(pairs)

def plain(value, depth):
    """Text can be encoded as UTF-8, and arrays and objects have a bounded depth."""
    if isinstance(value, str):
        value.encode()
    elif isinstance(value, (list, dict)):
        check("nested too deeply", depth > 0)
        for item in value.values() if isinstance(value, dict) else value:
            plain(item, depth - 1)
        for name in value if isinstance(value, dict) else ():
            name.encode()

def members(value, names):
    check(f"not an object with the members {names}", isinstance(value, dict) and set(value) == set(names.split()))
    return value

def whole(value):
    check("not a whole number", type(value) is int and value >= 0)
    return value

def listed(value, most):
    check(f"not an array of at most {most}", isinstance(value, list) and len(value) <= most)
    return value

def text(value, form):
    check(f"not a text of the form {form}", isinstance(value, str) and re.fullmatch(form, value))
    return value

def time(value):
    return datetime.strptime(text(value, TIME), "%Y-%m-%dT%H:%M:%S.%fZ")

def degrees(value, most):
    check("not degrees with at most 6 decimals", value is None or type(value) in (int, float)
          and abs(value) <= most and -Decimal(repr(value)).as_tuple().exponent <= 6)

def unbase64(encoded, length=None):
    data = base64.b64decode(text(encoded, "[A-Za-z0-9+/=]{0,4096}"), validate=True)
    check("base64 in another spelling", base64.b64encode(data).decode() == encoded)
    check("another number of bytes", length in (None, len(data)))
    return data

# ---- Keys and signatures (C2SP signed-note).

def read_key(vkey, valid_until=None):
    """(name, key id) and (public key, end of validity) of a vkey: name+id+base64(0x01 ‖ key)."""
    name, key_id, encoded = text(vkey, r"[^\s+]+\+[0-9a-f]{8}\+.+").split("+", 2)
    key = unbase64(encoded, 33)
    check("not an Ed25519 key, or another key's id", key[0] == 1 and sha(name.encode() + b"\n" + key)[:4].hex() == key_id)
    return (name, key_id), (key[1:], valid_until and time(valid_until))

def keys_of_file(keys):
    read = []
    for key in listed(keys, 100):
        members(key, "vkey valid_from valid_until")
        until = key["valid_until"] and time(key["valid_until"])
        check("valid_until is neither null nor a time", key["valid_until"] != "" and (until or key["valid_until"] is None))
        check("the use of a key ends before it begins", time(key["valid_from"]) <= (until or datetime.max))
        read.append(read_key(key["vkey"], key["valid_until"]))
    check("a key stands there twice", len(dict(read)) == len(read))
    return dict(read)

def trusted_keys(trusted):
    """Trusted keys are vkeys, or elements of `keys` in keys.json; of a key given twice, the earlier end counts."""
    keys = {}
    for one in trusted:
        one = {"vkey": one} if isinstance(one, str) else one
        name, (key, until) = read_key(one["vkey"], one.get("valid_until"))
        known, before = keys.get(name, (key, None))
        check("another key with the same id", known == key)
        keys[name] = (key, min((end for end in (before, until) if end), default=None))
    return keys

def signed_by(keys, origin, signed, lines):
    """The ends of validity of the keys of this log that signed. A broken signature of a known key is an error."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    ends = []
    for name, signature in lines:
        key, until = keys.get((name, signature[:4].hex()), (None, None))
        if key:
            Ed25519PublicKey.from_public_bytes(key).verify(signature[4:], signed)
            ends += [until] if name == origin else []
    return ends

# ---- The verdict.

def verify(file, trusted=()):
    """The verdict, its headline and its limit. Raises an exception if the file is invalid."""
    proof = json.loads(file, parse_int=number, parse_float=number, parse_constant=number, object_pairs_hook=unique)
    plain(proof, 40)
    members(proof, "v order_id genesis entries count head_hash log keys")
    order, entries, log = text(proof["order_id"], UUID), listed(proof["entries"], 10**6), proof["log"]
    head = jcs_hash({"v": "custody-genesis/1", "order_id": order})
    check("genesis", proof["v"] == "custody-proof/1" and proof["genesis"] == {"rule": RULE, "hash": head})
    brought, trusted = keys_of_file(proof["keys"]), trusted_keys(trusted)
    for n, entry in enumerate(entries, 1):
        check_entry(entry)
        check(f"entry {n} does not follow the entry before", entry["prev_event_hash"] == head)
        head = entry["event_hash"]
        hashed = {name: entry[name] for name in entry if name != "event_hash"}
        check(f"entry {n} was changed", head == jcs_hash({**hashed, "v": "custody-event/1", "order_id": order}))
    check("an id twice", len(entries) == len({entry["id"] for entry in entries}))
    check("count", whole(proof["count"]) == len(entries))
    check("head_hash", proof["head_hash"] == head)
    unknown = "Consistent, but the signer is unknown: "
    if log is None:
        why = "no checkpoint covers the last entry" if entries else "the order has no custody entries"
        return "consistent", f"{unknown}{why}.", limit(entries)
    check("log: an order without entries is in no log", entries)
    origin, signed, lines = check_log(log, head)
    try:
        ends, known = signed_by(trusted, origin, signed, lines), "trusted"
        if not ends:
            ends, known = signed_by(brought, origin, signed, lines), "brought"
    except ImportError:
        return "consistent", f"{unknown}this program cannot check signatures.", limit(entries)
    check("log.checkpoint: no signature by a known key of this log", ends)
    last = time(entries[-1]["ts_utc"])
    check("the key was out of use before the last entry was made", any(
        until is None or last <= until + timedelta(minutes=5) for until in ends))
    if known == "brought":
        return "consistent", f"{unknown}only a key that the file itself brings signed the checkpoint.", limit(entries)
    return "proven", "Proven: a trusted key signed the checkpoint that covers this history.", limit(entries, log)

def limit(entries, proven_by=None):
    """What the verdict does not show."""
    if not entries:
        return "Nothing shows whether entries were left out."
    count = len(entries)
    covered = f"{count} {'entry' if count == 1 else 'entries'} up to {entries[-1]['ts_utc']}"
    if not proven_by:
        return f"Shows {covered}. Anyone could have made this file, and nothing shows whether later entries were cut off."
    return (f"Covers {covered}; entries added after checkpoint {proven_by['tree_size']} are not covered. "
            f"The file alone does not show whether entries after entry {count} were cut off.")

def check_entry(entry):
    members(entry, ENTRY)
    text(entry["id"], UUID), time(entry["ts_utc"])
    text(entry["type"], "(?s:.*)"), text(entry["internal_type"], "(?s:.*)")
    degrees(entry["gps_lat"], 90), degrees(entry["gps_lng"], 180)
    check("payload is neither an object nor null", entry["payload"] is None or isinstance(entry["payload"], dict))
    plain(entry["payload"], 32)

def check_log(log, head):
    """Origin, signed text and signatures of a checkpoint that covers the head (RFC 9162, 2.1.3.2)."""
    members(log, "origin leaf_index tree_size inclusion checkpoint")
    node, last, root = whole(log["leaf_index"]), whole(log["tree_size"]) - 1, sha(b"\0" + bytes.fromhex(head))
    check("log.inclusion: no such leaf", node <= last)
    for beside in [unbase64(item, 32) for item in listed(log["inclusion"], 64)]:
        check("log.inclusion: too long", last > 0)
        left = node % 2 == 1 or node == last
        root = sha(b"\1" + beside + root) if left else sha(b"\1" + root + beside)
        while left and node % 2 == 0 and node > 0:
            node, last = node // 2, last // 2
        node, last = node // 2, last // 2
    note = text(log["checkpoint"], "[^\0-\x09\x0b-\x1f]{0,65536}")
    body, signatures = note.rsplit("\n\n", 1)
    origin, size, signed_root, *extensions = body.split("\n")
    check("log.checkpoint: an empty line", origin and "" not in extensions)
    check("log.inclusion: another root", last == 0 and unbase64(signed_root, 32) == root)
    check("log.checkpoint: another log", [origin, size] == [log["origin"], str(log["tree_size"])])
    check("log.checkpoint: signatures", signatures.endswith("\n") and signatures.count("\n") <= 100)
    lines = [text(line, r"— [^\s+]+ [^ ]+").split(" ") for line in signatures[:-1].split("\n")]
    lines = [(name, unbase64(signature)) for _, name, signature in lines]
    check("log.checkpoint: a signature is too short", all(len(signature) > 4 for _, signature in lines))
    return origin, (body + "\n").encode(), lines

def main():
    usage = argparse.ArgumentParser(description="Judges a proof file. Exit code: 0 proven, 3 consistent, 1 invalid, 2 wrong usage.")
    usage.add_argument("file")
    usage.add_argument("--key", action="append", default=[], metavar="VKEY", help="trust this key of the log; repeatable")
    usage.add_argument("--keys", metavar="PATH", help="trust the keys in this copy of /custody/keys.json")
    asked = usage.parse_args()
    try:
        trusted = asked.key + (json.load(open(asked.keys, encoding="utf-8"))["keys"] if asked.keys else [])
        trusted_keys(trusted)
        file = open(asked.file, "rb").read()
    except Exception as error:
        usage.error(f"{type(error).__name__} {error}")
    try:
        verdict, headline, bound = verify(file.decode(), trusted)
        print(headline, bound, sep="\n")
        return {"proven": 0, "consistent": 3}[verdict]
    except Exception as error:
        print(f"Invalid: {type(error).__name__} {error}"[:1000].encode("ascii", "replace").decode())
        return 1

if __name__ == "__main__":
    sys.exit(main())
