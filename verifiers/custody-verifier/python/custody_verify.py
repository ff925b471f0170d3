"""Judges a proof file (custody-proof/1) offline: proven, consistent or invalid.

    python3 custody_verify.py proof.json [--key VKEY]... [--keys keys.json] [--witness VKEY]... [--quorum N]
                              [--seen-head N:HASH]

Exit code: 0 proven, 3 consistent, 1 invalid, 2 wrong usage or a verdict that cannot be printed.
Needs the package rfc8785, and cryptography for signatures: without cryptography nothing is ever proven."""
import argparse, base64, hashlib, json, os, re, sys
from datetime import datetime, timedelta
from decimal import Decimal
try:
    import rfc8785
except ImportError:
    if __name__ != "__main__":
        raise
    print("Not judged: install the package rfc8785, and cryptography for signatures.", file=sys.stderr)
    sys.exit(2)

RULE = 'hex(SHA-256(JCS({"v":"custody-genesis/1","order_id":order_id})))'
ENTRY = "id type internal_type ts_utc gps_lat gps_lng payload prev_event_hash event_hash"
COMPLETE = "count head_hash path other_leaf checkpoint"
UNCONFIRMED = "Too few witnesses confirm that the log shows everyone the same entries."
UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
# not \s, which has other characters in each language: the spaces of Unicode, and the plus sign
NAME = "[^\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000+]+"
TIME = "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}Z"
sha = lambda data: hashlib.sha256(data).digest()
jcs_hash = lambda value: sha(rfc8785.dumps(value)).hex()

def fault(error):
    """What is wrong with the file; another kind of exception is named."""
    if isinstance(error, json.JSONDecodeError):
        return f"the file is not complete JSON: {error}"
    return str(error) if type(error) is ValueError else f"{type(error).__name__} {error}"

def check(what, holds):
    if not holds:
        raise ValueError(what)

# ---- The form of the file: one JSON text must mean the same to every reader.

def number(text):
    check("a number has more than 400 characters", len(text) <= 400)
    value = float(text)
    kept = Decimal(repr(value)) == Decimal(text) if value else not re.search("[1-9]", re.split("[eE]", text)[0])
    check(f"the number {text} loses digits", kept)
    check("-0 is written as 0", value != 0 or text[0] != "-")
    return int(value) if value.is_integer() and abs(value) < 2**53 else value

def parse(file):
    """The value of a JSON text, which a byte order mark may precede (RFC 8259, 8.1)."""
    value = json.loads(file.removeprefix("\ufeff"), parse_int=number, parse_float=number, parse_constant=number, object_pairs_hook=unique)
    plain(value, 40)
    return value

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

def read_key(vkey, valid_until=None, algorithm=1):
    """(name, key id) and (public key, end of validity) of a vkey: name+id+base64(algorithm ‖ key)."""
    name, key_id, encoded = text(vkey, NAME + r"\+[0-9a-f]{8}\+.+").split("+", 2)
    key = unbase64(encoded, 33)
    check("not an Ed25519 key of this kind, or another key's id", key[0] == algorithm and sha(name.encode() + b"\n" + key)[:4].hex() == key_id)
    return (name, key_id), (key[1:], None if valid_until is None else time(valid_until))

def keys_of_file(keys):
    read = []
    for key in listed(keys, 100):
        members(key, "vkey valid_from valid_until")
        until = None if key["valid_until"] is None else time(key["valid_until"])
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

def witness_keys(witnesses, quorum=None):
    """Public keys of the witnesses (algorithm 0x04), and how many of them must have cosigned."""
    keys = dict(read_key(vkey, algorithm=4) for vkey in listed(list(witnesses), 100))
    quorum = len(keys) if quorum is None else whole(quorum)
    check("the key of a witness stands there twice", len({key for key, _ in keys.values()}) == len(witnesses))
    check("the quorum is not a number from 1 to the number of witnesses", 1 <= quorum <= len(keys))
    return keys, quorum

def cosigned_by(keys, signed, lines):
    """How many witnesses cosigned (C2SP tlog-cosignature). A broken cosignature of a known witness is an error."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    cosigned = set()
    for name, signature in lines:
        key, _ = keys.get((name, signature[:4].hex()), (None, None))
        if key:
            seconds = int.from_bytes(signature[4:12], "big")
            check("a cosignature of 72 bytes with its time", len(signature) == 76 and 0 < seconds <= 253402300799)
            Ed25519PublicKey.from_public_bytes(key).verify(signature[12:], f"cosignature/v1\ntime {seconds}\n".encode() + signed)
            cosigned.add(name)
    return len(cosigned)

# ---- The verdict.

def verify(file, trusted=(), witnesses=None, quorum=None, seen_head=None):
    """The verdict, its headline and its limit. Raises an exception if the file is invalid, or does
    not contain an earlier head: a number of entries, and the hash of the last of them."""
    verdict, headline, bound, entries, signed = judge(file, trusted, witnesses, quorum, seen_head)
    erased, named = personal(entries)
    return verdict, f"{headline}{erased}.", f"{bound}{named}{signed}"

def judge(file, trusted, witnesses, quorum, seen_head):
    """The verdict, its headline without a period, its limit, the entries, and sentences about devices."""
    proof = parse(file)
    check("not an object", isinstance(proof, dict))
    complete = proof.setdefault("completeness", None)
    members(proof, "v order_id genesis entries count head_hash log keys completeness")
    order, entries, log = text(proof["order_id"], UUID), listed(proof["entries"], 10**6), proof["log"]
    head = jcs_hash({"v": "custody-genesis/1", "order_id": order})
    check("genesis", proof["v"] == "custody-proof/1" and proof["genesis"] == {"rule": RULE, "hash": head})
    brought, trusted = keys_of_file(proof["keys"]), trusted_keys(trusted)
    witnesses, quorum = (None, 0) if witnesses is None else witness_keys(witnesses, quorum)
    for n, entry in enumerate(entries, 1):
        check_entry(entry)
        check(f"entry {n} does not follow the entry before", entry["prev_event_hash"] == head)
        head = entry["event_hash"]
        hashed = {name: entry[name] for name in entry if name not in ("event_hash", "disclosed")}
        check(f"entry {n} was changed", head == jcs_hash({**hashed, "v": "custody-event/1", "order_id": order}))
    check("an id twice", len(entries) == len({entry["id"] for entry in entries}))
    check("count", whole(proof["count"]) == len(entries))
    check("head_hash", proof["head_hash"] == head)
    signed_on = devices(order, entries)
    if seen_head:
        count, seen = seen_head
        check(f"a head of {count} entries was seen, the chain has {len(entries)}", whole(count) <= len(entries))
        held = entries[count - 1]["event_hash"] if count else proof["genesis"]["hash"]
        check(f"entry {count}, counted from 1, is not the one that was seen", text(seen, "[0-9a-f]{64}") == held)
    unknown = "Consistent, but the signer is unknown: "
    if log is None and complete is None:
        why = "no checkpoint covers the last entry" if entries else "the order has no custody entries"
        return "consistent", f"{unknown}{why}", limit(entries), entries, signed_on
    check("log: an order without entries is in no log", log is None or entries)
    check("completeness: entries that are in no log", log is not None or not entries)
    note = open_note(log["checkpoint"] if log else members(complete, COMPLETE)["checkpoint"])
    if log:
        check_log(log, head, note)
    if complete is not None:
        check("completeness: another checkpoint", log is None or complete["checkpoint"] == log["checkpoint"])
        check_completeness(complete, order, len(entries), head, note)
    origin, signed, lines = note["origin"], note["signed"], note["lines"]
    try:
        ends, known = signed_by(trusted, origin, signed, lines), "trusted"
        if not ends:
            ends, known = signed_by(brought, origin, signed, lines), "brought"
        cosigned = cosigned_by(witnesses or {}, signed, lines)
    except ImportError:
        return "consistent", f"{unknown}this program cannot check signatures", limit(entries), entries, signed_on
    check("log.checkpoint: no signature by a known key of this log", ends)
    last = time(entries[-1]["ts_utc"]) if entries else note["time"] and time(note["time"])
    check("the key was out of use before the last entry was made", any(
        until is None or last is None or last <= until or last - until <= timedelta(minutes=5) for until in ends))
    if known == "brought":
        return "consistent", f"{unknown}only a key that the file itself brings signed the checkpoint", limit(entries), entries, signed_on
    signed_what = "the checkpoint that covers this history" if entries else "that the order has no custody entries"
    bound, count = limit(entries, note, complete is not None), f"{cosigned} of {len(witnesses or ())} witnesses cosigned"
    if cosigned < quorum:
        return "consistent", f"Consistent, but {count} the checkpoint, and {quorum} must", f"{bound} {UNCONFIRMED}", entries, signed_on
    return "proven", f"Proven: a trusted key signed {signed_what}" + (f", and {count} it" if witnesses else ""), bound, entries, signed_on

def limit(entries, proven_by=None, complete=False):
    """What the verdict does not show."""
    size = proven_by and f"checkpoint {proven_by['size']}"
    as_of = f"{proven_by['time']} ({size})" if proven_by and proven_by["time"] else size
    if not entries:
        return f"The order had no entries as of {as_of}." if complete else "Nothing shows whether entries were left out."
    count = len(entries)
    covered = f"{count} {'entry' if count == 1 else 'entries'} up to {entries[-1]['ts_utc']}"
    if not proven_by:
        return f"Shows {covered}. Anyone could have made this file, and nothing shows whether later entries were cut off."
    if complete:
        return f"Covers {covered}; complete as of {as_of}."
    ask = " The checkpoint carries an order index: ask for a file with a completeness proof." if proven_by["index"] else ""
    return (f"Covers {covered}; entries added after {size} are not covered. "
            f"The file alone does not show whether entries after entry {count} were cut off.{ask}")

def check_entry(entry):
    members(entry, ENTRY + (" disclosed" if isinstance(entry, dict) and "disclosed" in entry else ""))
    text(entry["id"], UUID), time(entry["ts_utc"])
    text(entry["type"], "(?s:.*)"), text(entry["internal_type"], "(?s:.*)")
    degrees(entry["gps_lat"], 90), degrees(entry["gps_lng"], 180)
    check("payload is neither an object nor null", entry["payload"] is None or isinstance(entry["payload"], dict))
    plain(entry["payload"], 32)
    committed, disclosed = commitments(entry["payload"]), entry.get("disclosed", {})
    check("disclosed is not an object", isinstance(disclosed, dict))
    for field, one in disclosed.items():
        check(f"disclosed {field!r}: the payload has no commitment to it", field in committed)
        members(one, "value salt"), text(one["salt"], "[0-9a-f]{64}"), plain(one["value"], 32)
        check(f"disclosed {field!r}: the value does not match its commitment",
              jcs_hash({"v": "commitment/1", "field": field, **one}) == committed[field])

# ---- Personal fields: the payload commits to them, and their values can be erased (decision 70).

def commitments(payload):
    """The commitments of a payload by field: members of the form {"commitment": 64 hex digits}."""
    return {name: one["commitment"] for name, one in (payload or {}).items()
            if re.fullmatch("[a-z][a-z0-9_]{0,63}", name) and isinstance(one, dict) and set(one) == {"commitment"}
            and isinstance(one["commitment"], str) and re.fullmatch("[0-9a-f]{64}", one["commitment"])}

def personal(entries):
    """The end of the headline, about erased fields, and sentences that name the others."""
    recomputed, days, withheld, times = [], [], [], {}
    for n, entry in enumerate(entries):
        erased = (entry["payload"] or {}).get("erased") if entry["internal_type"] == "PERSONAL_DATA_ERASED" else None
        for field, numbers in erased.items() if isinstance(erased, dict) else ():
            for number in numbers if isinstance(numbers, list) else ():
                if type(number) in (int, float) and number <= n:
                    times.setdefault((number, field), entry["ts_utc"])
    for n, entry in enumerate(entries, 1):
        for field in commitments(entry["payload"]):
            if field in entry.get("disclosed", {}):
                recomputed.append(f"{field} (entry {n})")
            elif (n, field) in times:
                days.append(times[n, field][:10])
            else:
                withheld.append(f"{field} (entry {n})")
    named = lambda what, fields: f" {what}: {', '.join(fields[:20])}{f' and {len(fields) - 20} more' if len(fields) > 20 else ''}." if fields else ""
    first, last = min(days, default=""), max(days, default="")
    when = f"on {first}" if first == last else f"from {first} to {last}"
    clause = f"; {len(days)} {'field' if len(days) == 1 else 'fields'} erased {when}" if days else ""
    return clause, named("Recomputed", recomputed) + named("Not disclosed", withheld)

# ---- Records of drivers' devices (decision 85).

def url64(encoded, length):
    """The bytes of a base64url text without padding."""
    text(encoded, "[A-Za-z0-9_-]{1,100}")
    return unbase64(encoded.replace("-", "+").replace("_", "/") + "=" * (-len(encoded) % 4), length)

def devices(order, entries):
    """Sentences about the records that devices signed. A record that its device did not sign is an error."""
    revoked, signed, unchecked, kept_ones, late, unseen = {}, [], [], [], [], []
    for entry in entries:
        payload = entry["payload"] or {}
        if entry["internal_type"] == "DEVICE_REVOKED" and all(isinstance(payload.get(name), str) for name in ("key", "from")):
            revoked[payload["key"]] = min(payload["from"], revoked.get(payload["key"], payload["from"]))
    for n, entry in enumerate(entries, 1):
        payload = dict(entry["payload"] or {})
        device, kept = payload.pop("device", None), payload.pop("kept", None)
        if not isinstance(device, dict) or device.get("v") != "device/1":
            continue
        members(device, "v key driver_id carrier_id command_id at seen signature"), time(device["at"])
        for name in ("driver_id", "carrier_id", "command_id"):
            text(device[name], UUID)
        key, signature, seen = url64(device["key"], 65), url64(device["signature"], 64), device["seen"]
        if seen is not None:
            members(seen, "entry hash"), text(seen["hash"], "[0-9a-f]{64}")
            check("seen is not the number of an entry", type(seen["entry"]) is int and seen["entry"] >= 1)
        if kept is not None:
            members(kept, "internal_type reason"), text(kept["internal_type"], "(?s:.*)"), text(kept["reason"], "(?s:.*)")
        if isinstance(payload.get("artifact"), dict):
            payload["artifact"] = {name: one for name, one in payload["artifact"].items() if name != "kept_until"}
        step = entry["internal_type"] if kept is None else kept["internal_type"]
        if step == "CONDITION_RECORDED":  # the summary follows from the file
            file = payload.get("readings") if isinstance(payload.get("readings"), dict) else {}
            payload = {"device_id": payload.get("device_id"), "unit": payload.get("unit"),
                       "readings": {name: file.get(name) for name in ("sha256", "media_type", "size")}}
        statement = rfc8785.dumps({
            "v": "device-record/1", "order_id": order, "payload": payload, "internal_type": step,
            "gps_lat": entry["gps_lat"], "gps_lng": entry["gps_lng"],
            "device": {name: device[name] for name in device if name != "signature"}})
        name = hashlib.sha256(device["key"].encode()).hexdigest()[:8]
        try:
            check(f"entry {n} was not signed by the device that it names", signed_on_device(key, signature, statement))
            signed.append(f"entry {n} (key {name}, {device['at']} by its clock)")
        except ImportError:
            unchecked.append(f"entry {n}")
        if kept is not None:
            kept_ones.append(f"entry {n}")
        if device["key"] in revoked and max(device["at"], entry["ts_utc"]) >= revoked[device["key"]]:
            late.append(f"entry {n} (from {revoked[device['key']]} on)")
        if seen is not None and (seen["entry"] > len(entries) or entries[seen["entry"] - 1]["event_hash"] != seen["hash"]):
            unseen.append(f"entry {n}")
    named = lambda what, of: f" {what}: {', '.join(of[:20])}{f' and {len(of) - 20} more' if len(of) > 20 else ''}." if of else ""
    return (named("Signed on devices", signed) + named("Signatures of devices that this program cannot check", unchecked)
            + named("Not applied, and kept as recorded", kept_ones) + named("Recorded when the device was revoked", late)
            + named("Recorded after an entry that this history does not have", unseen))

def signed_on_device(key, signature, statement):
    """Whether ECDSA over P-256 with SHA-256 holds: r and s of 32 bytes each."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec, utils
    numbers = [int.from_bytes(half, "big") for half in (signature[:32], signature[32:])]
    try:
        point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), key)
        point.verify(utils.encode_dss_signature(*numbers), statement, ec.ECDSA(hashes.SHA256()))
        return True
    except (InvalidSignature, ValueError):
        return False

def open_note(note):
    """The parts of a checkpoint: a signed note (C2SP tlog-checkpoint) with our extension lines."""
    note = text(note, "[^\0-\x09\x0b-\x1f]*")
    check("longer than 65,536 UTF-16 units", len(note.encode("utf-16-le")) <= 2 * 65536)
    body, signatures = note.rsplit("\n\n", 1)
    origin, size, root, *extensions = body.split("\n")
    check("log.checkpoint: an empty line", origin and "" not in extensions)
    check("log.checkpoint: signatures", signatures.endswith("\n") and signatures.count("\n") <= 100)
    lines = [text(line, f"— {NAME} [^ ]+").split(" ") for line in signatures[:-1].split("\n")]
    lines = [(name, unbase64(signature)) for _, name, signature in lines]
    check("log.checkpoint: a signature is too short", all(len(signature) > 4 for _, signature in lines))
    def extension(name):
        found = [line[len(name) + 1:] for line in extensions if line.startswith(name + " ")]
        check(f"log.checkpoint: two lines {name}", len(found) < 2)
        return found[0] if found else None
    check("the size is 2^53 or more", int(text(size, "0|[1-9][0-9]{0,15}")) < 2**53)
    index, signed_at = extension("order-index/1"), extension("time")
    return {"origin": origin, "size": size, "root": unbase64(root, 32), "lines": lines,
            "signed": (body + "\n").encode(), "index": None if index is None else unbase64(index, 32),
            "time": signed_at if signed_at is None or time(signed_at) else None}

def check_log(log, head, note):
    """The head is a leaf under the checkpoint (RFC 9162, 2.1.3.2)."""
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
    check("log.inclusion: another root", last == 0 and note["root"] == root)
    check("log.checkpoint: another log", [note["origin"], note["size"]] == [log["origin"], str(log["tree_size"])])

def check_completeness(said, order, entries, head, note):
    """The signed index has the order with these entries, or does not have it (decision 52)."""
    members(said, COMPLETE)
    count, path = whole(said["count"]), [unbase64(item, 32) for item in listed(said["path"], 256)]
    key, bits = sha(order.encode()), lambda data: format(int.from_bytes(data, "big"), "0256b")
    leaf = lambda key, value: sha(b"order-index/1 leaf\n" + key + value)
    other = said["other_leaf"]
    text(said["head_hash"], "[0-9a-f]{64}")
    if other is not None:
        members(other, "order_key value_hash")
        other_key, value = unbase64(other["order_key"], 32), unbase64(other["value_hash"], 32)
        check("the other leaf is this order's, or not on its way", count == 0 and other_key != key
              and bits(other_key)[:len(path)] == bits(key)[:len(path)])
        node = leaf(other_key, value)
    elif count == 0:
        node = sha(b"order-index/1 empty\n")
    else:
        node = leaf(key, sha(b"order-index/1 value\n" + count.to_bytes(8, "big") + bytes.fromhex(said["head_hash"])))
    for depth, beside in zip(range(len(path) - 1, -1, -1), path):
        pair = (beside, node) if bits(key)[depth] == "1" else (node, beside)
        node = sha(b"order-index/1 node\n" + pair[0] + pair[1])
    check("completeness: another root", node == note["index"])
    check(f"completeness: the signed index says that the order has {count} entries", count == entries)
    check("completeness: another head", said["head_hash"] == head)

def read_head(given):
    count, _, seen = text(given, "[0-9]{1,9}:[0-9a-f]{64}").partition(":")
    return int(count), seen

def printable(line):
    return line[:1000].encode("unicode_escape").decode()  # a hostile file must not control the terminal

def main():
    usage = argparse.ArgumentParser(description="Judges a proof file. Exit code: 0 proven, 3 consistent, 1 invalid, 2 wrong usage or a verdict that cannot be printed.")
    usage.add_argument("file")
    usage.add_argument("--key", action="append", default=[], metavar="VKEY", help="trust this key of the log; repeatable")
    usage.add_argument("--keys", metavar="PATH", help="trust the keys in this copy of /custody/keys.json")
    usage.add_argument("--witness", action="append", metavar="VKEY", help="demand the cosignature of this witness; repeatable")
    usage.add_argument("--quorum", type=int, metavar="N", help="N of the witnesses are enough; all of them by default")
    usage.add_argument("--seen-head", type=read_head, metavar="N:HASH", help="an earlier head: the hash of the N-th entry")
    asked = usage.parse_args()
    try:
        trusted = asked.key + (listed(parse(open(asked.keys, "rb").read().decode())["keys"], 10**6) if asked.keys else [])
        trusted_keys(trusted)
        check("--quorum needs --witness", asked.witness or asked.quorum is None)
        asked.witness and witness_keys(asked.witness, asked.quorum)
        file = open(asked.file, "rb").read()
    except Exception as error:
        usage.error(printable(f"{type(error).__name__} {error}"))
    try:
        verdict, headline, bound = verify(file.decode(), trusted, asked.witness, asked.quorum, asked.seen_head)
        lines, code = [headline, bound], {"proven": 0, "consistent": 3}[verdict]
    except Exception as error:
        lines, code = [printable(f"Invalid: {fault(error)}")], 1
    try:
        print(*lines, sep="\n", flush=True)
    except OSError as error:
        if not isinstance(error, BrokenPipeError):
            print(f"The verdict cannot be printed: {error}", file=sys.stderr)
        os._exit(2)  # sys.exit would write the rest again, fail, and exit with 120
    return code

if __name__ == "__main__":
    sys.exit(main())
