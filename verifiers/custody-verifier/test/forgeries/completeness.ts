import { genesisHash, orderKey, sha256Hex, toBase64, valueHash } from '../../src/index.ts';
import { vkeyOfSigner } from '../../src/note/sign-note.ts';
import {
  checkpointWith,
  completenessOf,
  completeProof,
  logPartOf,
  olderRoot,
  olderVersion,
  signedTime,
} from '../samples/a-complete-proof.ts';
import { entries, orderId } from '../samples/a-proof.ts';
import { logKey } from '../samples/a-signed-log.ts';
import { type Draft, lastCutOff } from './forge.ts';
import type { Vector } from './vector.ts';

const key = vkeyOfSigner(logKey);
const covered = 'Covers 3 entries up to 2026-01-15T11:02:59.001Z';
const proven = 'Proven: a trusted key signed the checkpoint that covers this history.';

const changed = (change: (draft: Draft) => void): unknown => {
  const draft = structuredClone(completeProof) as Draft;
  change(draft);
  return draft;
};
const inPart = (change: (part: Record<string, unknown>) => void) =>
  changed((draft) => change(draft.completeness));
const withCheckpoint = (note: string) =>
  changed((draft) => {
    draft.log.checkpoint = note;
    draft.completeness.checkpoint = note;
  });

const bad = (at: string, name: string, file: unknown, reason?: string): Vector => ({
  name,
  input: { file, trusted_keys: [key] },
  expect: { verdict: 'invalid', at, ...(reason !== undefined && { reason }) },
});
const badPart = (name: string, change: (part: Record<string, unknown>) => void): Vector =>
  bad('completeness', name, inPart(change));

/** A file of an order without entries, with what the index says of it. */
const withoutEntries = async (order: string): Promise<Draft> => {
  const head = genesisHash(order);
  const part = await completenessOf(order, { count: 0, head_hash: head });
  return {
    ...structuredClone(completeProof as Draft),
    order_id: order,
    genesis: { ...completeProof.genesis, hash: head },
    entries: [],
    count: 0,
    head_hash: head,
    log: null,
    completeness: structuredClone(part),
  };
};

/** Orders without entries: where another order's leaf stands in the index, and where none does. */
const absent = await Promise.all(
  Array.from({ length: 40 }, (_, n) =>
    withoutEntries(`00000000-0000-4000-8000-${String(n).padStart(12, '0')}`),
  ),
);
/** The complete proof of an order without entries. */
export const besideALeaf = absent.find(({ completeness }) => completeness.other_leaf !== null)!;
const inAnEmptyPlace = absent.find(({ completeness }) => completeness.other_leaf === null)!;
const elsewhere = absent.findLast(({ completeness }) => completeness.other_leaf !== null)!;

const draftProven = {
  verdict: 'proven',
  headline: 'Proven: a trusted key signed that the order has no custody entries.',
  limit: `The order had no entries as of ${signedTime} (checkpoint 57).`,
} as const;

const cutOff = (change: (draft: Draft) => void) =>
  changed((draft) => {
    lastCutOff(draft);
    change(draft);
  });
const earlierLog = await logPartOf(1);
const earlierHead = entries[1]!.event_hash;
const olderPart = await completenessOf(orderId, { count: 2, head_hash: earlierHead }, olderVersion);

/** Files with a completeness proof: what the signed order index says of the order (decision 52). */
export const completeness: Vector[] = [
  {
    name: 'a complete history, with a trusted key',
    input: { file: completeProof, trusted_keys: [key] },
    expect: {
      verdict: 'proven',
      headline: proven,
      limit: `${covered}; complete as of ${signedTime} (checkpoint 57).`,
    },
  },
  {
    name: 'a complete history, signed by a key that only the file brings',
    input: { file: completeProof },
    expect: { verdict: 'consistent' },
  },
  {
    name: 'a complete history under a checkpoint that states no time',
    input: {
      file: withCheckpoint(await checkpointWith(undefined, null)),
      trusted_keys: [key],
    },
    expect: { verdict: 'proven', limit: `${covered}; complete as of checkpoint 57.` },
  },
  {
    name: 'no completeness proof, though the checkpoint carries an index',
    input: {
      file: changed((draft) => {
        draft.completeness = null;
      }),
      trusted_keys: [key],
    },
    expect: {
      verdict: 'proven',
      limit: `${covered}; entries added after checkpoint 57 are not covered. The file alone does not show whether entries after entry 3 were cut off. The checkpoint carries an order index: ask for a file with a completeness proof.`,
    },
  },
  {
    name: 'an order without entries, shown by the leaf of another order',
    input: { file: besideALeaf, trusted_keys: [key] },
    expect: draftProven,
  },
  {
    name: 'an order without entries, shown by an empty place',
    input: { file: inAnEmptyPlace, trusted_keys: [key] },
    expect: draftProven,
  },
  {
    name: 'an order without entries, signed by a key that only the file brings',
    input: { file: besideALeaf },
    expect: {
      verdict: 'consistent',
      headline:
        'Consistent, but the signer is unknown: only a key that the file itself brings signed the checkpoint.',
      limit: 'Nothing shows whether entries were left out.',
    },
  },
  bad(
    'completeness',
    'the last entry left out, with the log proof of the entry before',
    cutOff((draft) => {
      draft.log = earlierLog;
    }),
    'the signed index says that the order has 3 entries, the file has 2',
  ),
  bad(
    'completeness',
    'the last entry left out, and the count and head of the completeness proof changed',
    cutOff((draft) => {
      draft.log = earlierLog;
      Object.assign(draft.completeness, { count: 2, head_hash: earlierHead });
    }),
  ),
  bad(
    'completeness',
    'the last entry left out, with the path of an older index',
    cutOff((draft) => {
      draft.log = earlierLog;
      draft.completeness = olderPart;
    }),
  ),
  bad(
    'log.checkpoint',
    'the last entry left out, with the root of an older index in the checkpoint',
    cutOff((draft) => {
      const note = earlierLog.checkpoint.replace(
        /order-index\/1 .*/,
        `order-index/1 ${toBase64(olderRoot)}`,
      );
      draft.log = { ...earlierLog, checkpoint: note };
      draft.completeness = { ...olderPart, checkpoint: note };
    }),
  ),
  bad(
    'completeness',
    'the checkpoint of another index than that of the log part',
    await (async () => {
      const note = await checkpointWith(olderRoot);
      return inPart((part) => {
        part.checkpoint = note;
      });
    })(),
    'its checkpoint is not the one of log',
  ),
  bad(
    'completeness',
    'a checkpoint that carries no index',
    withCheckpoint(await checkpointWith(null)),
    'the checkpoint carries no order index',
  ),
  bad(
    'completeness',
    'entries that are in no log',
    changed((draft) => {
      draft.log = null;
    }),
  ),
  bad(
    'completeness',
    'no entries of an order that the index has',
    changed((draft) => {
      const head = genesisHash(orderId);
      Object.assign(draft, { entries: [], count: 0, head_hash: head, log: null });
      Object.assign(draft.completeness, { count: 0, head_hash: head });
    }),
  ),
  bad(
    'completeness',
    'no entries of an order that the index has, shown by its own leaf',
    changed((draft) => {
      const head = genesisHash(orderId);
      const own = valueHash(3, draft.head_hash);
      Object.assign(draft, { entries: [], count: 0, head_hash: head, log: null });
      Object.assign(draft.completeness, {
        count: 0,
        head_hash: head,
        other_leaf: { order_key: toBase64(orderKey(orderId)), value_hash: toBase64(own) },
      });
    }),
  ),
  bad('completeness', 'the leaf of another order that is not on the way', {
    ...besideALeaf,
    completeness: {
      ...elsewhere.completeness,
      head_hash: besideALeaf.head_hash,
    },
  }),
  bad('completeness', 'no entries in the file, two in the index', {
    ...inAnEmptyPlace,
    completeness: { ...inAnEmptyPlace.completeness, count: 2 },
  }),
  bad('completeness', 'no entries, and another head', {
    ...inAnEmptyPlace,
    completeness: { ...inAnEmptyPlace.completeness, head_hash: sha256Hex('x') },
  }),
  {
    name: 'no entries, signed by a key after its use',
    input: {
      file: inAnEmptyPlace,
      trusted_keys: [{ vkey: key, valid_until: '2026-01-15T11:00:00.000Z' }],
    },
    expect: { verdict: 'invalid', at: 'trusted_keys' },
  },
  badPart('a path without its last hash', (part) => {
    part.path = completeProof.completeness!.path.slice(0, -1);
  }),
  badPart('a path with one more hash', (part) => {
    part.path = [...completeProof.completeness!.path, toBase64(new Uint8Array(32))];
  }),
  badPart('a path in another order', (part) => {
    part.path = completeProof.completeness!.path.toReversed();
  }),
  badPart('a path of 257 hashes', (part) => {
    part.path = Array.from({ length: 257 }, () => toBase64(new Uint8Array(32)));
  }),
  badPart('a path that is no array', (part) => {
    part.path = {};
  }),
  badPart('a hash of 31 bytes in the path', (part) => {
    part.path = [toBase64(new Uint8Array(31)), ...completeProof.completeness!.path.slice(1)];
  }),
  badPart('the leaf of another order beside entries', (part) => {
    part.other_leaf = elsewhere.completeness.other_leaf;
  }),
  badPart('a count that is no number', (part) => {
    part.count = { valueOf: 3 };
  }),
  badPart('a negative count', (part) => {
    part.count = -3;
  }),
  badPart('a head that is no hash', (part) => {
    part.head_hash = 'x';
  }),
  badPart('a leaf with an unknown member', (part) => {
    part.other_leaf = { ...elsewhere.completeness.other_leaf, extra: 1 };
  }),
  badPart('a checkpoint that is no text', (part) => {
    part.checkpoint = { toString: 1 };
  }),
  badPart('an unknown member', (part) => {
    part.extra = 1;
  }),
  badPart('a missing member', (part) => {
    delete part.path;
  }),
  bad(
    'completeness',
    'no object',
    changed((draft) => {
      draft.completeness = [];
    }),
  ),
  bad(
    'log.checkpoint',
    'a checkpoint with two index roots',
    withCheckpoint(
      await checkpointWith(undefined, signedTime, `order-index/1 ${toBase64(olderRoot)}\n`),
    ),
  ),
  bad(
    'log.checkpoint',
    'a checkpoint with a malformed time',
    withCheckpoint(await checkpointWith(undefined, null, 'time yesterday\n')),
  ),
];
