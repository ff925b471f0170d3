import { entryHash, genesisHash } from '../../src/index.ts';
import { chained, entries, orderId, type Unlinked } from '../samples/a-proof.ts';
import { bad, lastCutOff, rewritten, secondEdited } from './forge.ts';
import type { Vector } from './vector.ts';

const otherOrder = '00000000-0000-4000-8000-000000000001';

/** What can be done to the entries. */
export const chain: Vector[] = [
  ...Object.entries({
    id: 'b7d0d3c4-0a55-4c3e-8a1f-5f1f7b2f9dff',
    type: 'order.closed',
    internal_type: 'ORDER_CLOSED',
    ts_utc: '2026-01-15T09:41:07.251Z',
    gps_lat: 0,
    gps_lng: 0,
    payload: {},
    event_hash: '0'.repeat(64),
  }).map(([member, value]) =>
    bad(
      'entries',
      `edited: ${member} of the second entry`,
      (draft) => {
        draft.entries[1][member] = value;
      },
      { index: 1, reason: 'event_hash does not match what the entry says' },
    ),
  ),
  bad(
    'entries',
    'edited, and its own hash recomputed: the next entry does not follow',
    (draft) => {
      draft.entries[1].type = 'order.closed';
      draft.entries[1].event_hash = entryHash(orderId, draft.entries[1]);
    },
    { index: 2, reason: 'prev_event_hash is not the hash of the entry before' },
  ),
  bad('entries', 'inserted: an entry twice', (draft) => draft.entries.splice(1, 0, entries[1]), {
    index: 2,
    reason: 'prev_event_hash is not the hash of the entry before',
  }),
  bad(
    'entries',
    'inserted: an id twice in a chain that is linked again',
    rewritten((unlinked) => unlinked.push(unlinked[0]!)),
    { index: 3, reason: 'its id is that of an earlier entry' },
  ),
  bad('entries', 'swapped: the first and the last', (draft) => draft.entries.reverse(), {
    index: 0,
  }),
  bad('entries', 'left out: the first', (draft) => draft.entries.shift(), {
    index: 0,
    reason: "prev_event_hash is not the order's genesis hash",
  }),
  bad(
    'entries',
    'forked: a second entry behind the first',
    (draft) => {
      const [, , fork] = chained(orderId, [
        entries[0] as Unlinked,
        entries[1] as Unlinked,
        { ...(entries[2] as Unlinked), type: 'order.closed' },
      ]);
      draft.entries.push(fork);
    },
    { index: 3, reason: 'prev_event_hash is not the hash of the entry before' },
  ),
  bad(
    'entries',
    'copied to another order',
    (draft) => {
      draft.order_id = otherOrder;
      draft.genesis.hash = genesisHash(otherOrder);
    },
    { index: 0, reason: "prev_event_hash is not the order's genesis hash" },
  ),
  bad('genesis', 'copied to another order, with the genesis of the first', (draft) => {
    draft.order_id = otherOrder;
  }),
  bad('genesis', 'another genesis hash', (draft) => {
    draft.genesis.hash = '0'.repeat(64);
  }),
  bad('genesis', 'another genesis rule', (draft) => {
    draft.genesis.rule = draft.genesis.rule.replace('/1', '/2');
  }),
  bad('count', 'cut off: the last entry', (draft) => draft.entries.pop()),
  bad('head_hash', 'cut off: the last entry, and the count set back', (draft) => {
    draft.entries.pop();
    draft.count = 2;
  }),
  bad('log.inclusion', 'cut off: the last entry, count and head set back', lastCutOff),
  bad('log.inclusion', 'edited, and every later hash recomputed', secondEdited),
];
