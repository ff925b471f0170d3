import { eventNames } from '@pto/proto/vocabulary';
import {
  anyObject,
  anyValue,
  count,
  literal,
  mapOf,
  number,
  openEnum,
  timestamp,
} from '../validation/response-only.ts';
import { described, list, maybe, model, optional } from '../validation/schema.ts';
import { string, uuid } from '../validation/texts.ts';

/** Type of a custody entry (decision 28). */
const custodyEntryType = openEnum(
  'CustodyEntryType',
  eventNames.filter((name) => name !== 'order.test'),
  'Type of a custody entry.',
);

/**
 * One entry of an order's custody history (contract 2.4); `internal_type` is open (decision 29).
 * `entryJson` in routes/custody.ts writes the JSON.
 */
export const custodyEntry = model('CustodyEntry', {
  id: uuid(),
  type: custodyEntryType,
  internal_type: described(
    string(),
    'Specific type of the entry, such as `SEAL_APPLIED`. Values may be added.',
  ),
  ts_utc: timestamp(),
  gps_lat: maybe(number()),
  gps_lng: maybe(number()),
  payload: described(
    maybe(anyObject()),
    'Details of the event; its members depend on `internal_type`. A personal field is a commitment, `{"commitment": HASH}`; its value stands in `disclosed`.',
  ),
  prev_event_hash: described(
    string(),
    '`event_hash` of the previous entry; the genesis hash for the first entry.',
  ),
  event_hash: described(
    string(),
    'hex(SHA-256) of the RFC 8785 form of `v` ("custody-event/1"), `order_id` and all other members of the entry but `disclosed`.',
  ),
  disclosed: described(
    optional(
      mapOf(
        model('Disclosure', {
          value: described(anyValue(), "The field's value."),
          salt: described(string(), '32 random bytes as hexadecimal digits.'),
        }),
      ),
    ),
    'Values of the personal fields of `payload`, by field. The commitment is hex(SHA-256) of the RFC 8785 form of `v` ("commitment/1"), `field`, `value` and `salt`. An erased field is absent.',
  ),
});

const leafIndex = described(count(), "Index of the chain's last entry in the log, from 0.");
const treeSize = described(count(), 'Number of entries that the checkpoint covers.');
const note = described(string(), 'The signed checkpoint (C2SP tlog-checkpoint).');

/** The head of an order's chain, and a signed checkpoint that covers it. */
export const orderCustody = model('OrderCustody', {
  order_id: uuid(),
  count: described(count(), 'Number of entries of the chain.'),
  head_hash: described(
    string(),
    '`event_hash` of the last entry; the genesis hash for an empty chain.',
  ),
  checkpoint: maybe(
    model('CoveringCheckpoint', {
      origin: string(),
      leaf_index: leafIndex,
      tree_size: treeSize,
      signed_at: timestamp(),
      note,
    }),
  ),
});

/** The proof file `custody-proof/1`. */
export const custodyProof = model('CustodyProof', {
  v: literal('custody-proof/1'),
  order_id: uuid(),
  genesis: model('CustodyGenesis', { rule: string(), hash: string() }),
  entries: list(custodyEntry),
  count: count(),
  head_hash: string(),
  log: described(
    maybe(
      model('LogProof', {
        origin: string(),
        leaf_index: leafIndex,
        tree_size: treeSize,
        inclusion: described(
          list(string()),
          "Inclusion proof of the last entry's leaf, in base64 (RFC 6962).",
        ),
        checkpoint: note,
      }),
    ),
    'Null while no checkpoint covers the last entry: repeat the request after 1 s.',
  ),
  completeness: described(
    maybe(
      model('CompletenessProof', {
        count: described(count(), "Number of the order's entries in the signed index."),
        head_hash: string(),
        path: described(
          list(string()),
          "Sibling hashes from the order's leaf to the root of the index, deepest first, in base64.",
        ),
        other_leaf: described(
          maybe(model('OtherLeaf', { order_key: string(), value_hash: string() })),
          'For an order without entries: the leaf at its position, in base64; null if there is none.',
        ),
        checkpoint: described(
          string(),
          'The signed checkpoint whose line `order-index/1` has the root of the index.',
        ),
      }),
    ),
    'Proves that no entry is missing. Null while no checkpoint covers the last entry.',
  ),
  keys: list(
    model('LogKey', {
      vkey: described(
        string(),
        '`name+hash+key` (C2SP signed note). Trust it only if you have it from another source, too.',
      ),
      valid_from: timestamp(),
      valid_until: maybe(timestamp()),
    }),
  ),
});
