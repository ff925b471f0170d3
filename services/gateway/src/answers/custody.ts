import { orderEvent } from './orders.ts';
import { choice, dateTime, described, integer, listOf, maybe, named, text, uuid } from './shape.ts';

const leafIndex = described(integer, "Where the chain's last entry stands in the log, from 0 on.");
const treeSize = described(integer, 'How many entries the checkpoint covers.');
const note = described(text, 'A signed note of a checkpoint (C2SP tlog-checkpoint).');

/** Where an order's chain stands, and the newest checkpoint that covers it. */
export const orderCustody = named('OrderCustody', {
  order_id: uuid,
  count: described(integer, 'How many entries the chain has.'),
  head_hash: described(text, '`event_hash` of the last entry; of an empty chain, the genesis.'),
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

/** The file `custody-proof/1`. */
export const custodyProof = named('CustodyProof', {
  v: choice(['custody-proof/1']),
  order_id: uuid,
  genesis: named('CustodyGenesis', { rule: text, hash: text }),
  entries: listOf(orderEvent),
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
          "The hashes beside the way from the last entry's leaf to the root, in base64 (RFC 6962).",
        ),
        checkpoint: note,
      }),
    ),
    'Null while no checkpoint covers the last entry: ask again a second later.',
  ),
  completeness: described(
    maybe(
      named('CompletenessProof', {
        count: described(integer, 'How many entries the signed index says the order has.'),
        head_hash: text,
        path: described(
          listOf(text),
          "The hashes beside the way from the order's leaf to the index's root, the deepest first, in base64.",
        ),
        other_leaf: described(
          maybe(named('OtherLeaf', { order_key: text, value_hash: text })),
          "Of an order without entries: another order's leaf in its place, in base64. Null for none.",
        ),
        checkpoint: described(
          text,
          "The signed note whose line `order-index/1` carries the index's root.",
        ),
      }),
    ),
    'Shows that no entry was left out. Null while no checkpoint covers the last entry.',
  ),
  keys: listOf(
    named('LogKey', {
      vkey: described(text, '`name+hash+key` (C2SP signed note); keep it, or get it elsewhere.'),
      valid_from: dateTime,
      valid_until: maybe(dateTime),
    }),
  ),
});
