import { custodyEntryType } from './enumerations.ts';
import {
  anyObject,
  dateTime,
  described,
  integer,
  listOf,
  literal,
  maybe,
  named,
  number,
  text,
  uuid,
} from './shape.ts';

/**
 * One entry of an order's custody history (contract 2.4); `internal_type` is open (decision 29).
 * `entryJson` in routes/entry-json.ts writes the JSON.
 */
export const custodyEntry = named('CustodyEntry', {
  id: uuid,
  type: custodyEntryType,
  internal_type: described(
    text,
    'Specific type of the entry, such as `SEAL_APPLIED`. Values may be added.',
  ),
  ts_utc: dateTime,
  gps_lat: maybe(number),
  gps_lng: maybe(number),
  payload: described(maybe(anyObject), 'Details of the event; its members depend on `type`.'),
  prev_event_hash: described(
    text,
    '`event_hash` of the previous entry; the genesis hash for the first entry.',
  ),
  event_hash: described(
    text,
    'hex(SHA-256) of the RFC 8785 form of `v` ("custody-event/1"), `order_id` and all other members of the entry.',
  ),
});

const leafIndex = described(integer, "Index of the chain's last entry in the log, from 0.");
const treeSize = described(integer, 'Number of entries that the checkpoint covers.');
const note = described(text, 'The signed checkpoint (C2SP tlog-checkpoint).');

/** The head of an order's chain, and a signed checkpoint that covers it. */
export const orderCustody = named('OrderCustody', {
  order_id: uuid,
  count: described(integer, 'Number of entries of the chain.'),
  head_hash: described(
    text,
    '`event_hash` of the last entry; the genesis hash for an empty chain.',
  ),
  checkpoint: maybe(
    named('CoveringCheckpoint', {
      origin: text,
      leaf_index: leafIndex,
      tree_size: treeSize,
      signed_at: dateTime,
      note,
    }),
  ),
});

/** The proof file `custody-proof/1`. */
export const custodyProof = named('CustodyProof', {
  v: literal('custody-proof/1'),
  order_id: uuid,
  genesis: named('CustodyGenesis', { rule: text, hash: text }),
  entries: listOf(custodyEntry),
  count: integer,
  head_hash: text,
  log: described(
    maybe(
      named('LogProof', {
        origin: text,
        leaf_index: leafIndex,
        tree_size: treeSize,
        inclusion: described(
          listOf(text),
          "Inclusion proof of the last entry's leaf, in base64 (RFC 6962).",
        ),
        checkpoint: note,
      }),
    ),
    'Null while no checkpoint covers the last entry: repeat the request after 1 s.',
  ),
  completeness: described(
    maybe(
      named('CompletenessProof', {
        count: described(integer, "Number of the order's entries in the signed index."),
        head_hash: text,
        path: described(
          listOf(text),
          "Sibling hashes from the order's leaf to the root of the index, deepest first, in base64.",
        ),
        other_leaf: described(
          maybe(named('OtherLeaf', { order_key: text, value_hash: text })),
          'For an order without entries: the leaf at its position, in base64; null if there is none.',
        ),
        checkpoint: described(
          text,
          'The signed checkpoint whose line `order-index/1` has the root of the index.',
        ),
      }),
    ),
    'Proves that no entry is missing. Null while no checkpoint covers the last entry.',
  ),
  keys: listOf(
    named('LogKey', {
      vkey: described(
        text,
        '`name+hash+key` (C2SP signed note). Trust it only if you have it from another source, too.',
      ),
      valid_from: dateTime,
      valid_until: maybe(dateTime),
    }),
  ),
});
