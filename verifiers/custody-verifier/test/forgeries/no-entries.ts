import { genesisHash } from '../../src/index.ts';
import { vkeyOfSigner } from '../../src/note/sign-note.ts';
import { orderId } from '../samples/a-proof.ts';
import { logKey } from '../samples/a-signed-log.ts';
import { bad, type Draft, forged } from './forge.ts';
import type { Vector } from './vector.ts';

/** What the service answers for an order in DRAFT: nothing happened yet. */
const emptied = (draft: Draft): void => {
  draft.entries = [];
  draft.count = 0;
  draft.head_hash = genesisHash(orderId);
  draft.log = null;
};

const expected = {
  verdict: 'consistent',
  headline: 'Consistent, but the signer is unknown: the order has no custody entries.',
  limit: 'Nothing shows whether entries were left out.',
} as const;

const badEmpty = (at: string, name: string, change: (draft: Draft) => void): Vector =>
  bad(at, name, (draft) => {
    const { log } = draft;
    emptied(draft);
    change(Object.assign(draft, { kept: log }));
    delete (draft as { kept?: unknown }).kept;
  });

/** Proof files of an order without entries. */
export const noEntries: Vector[] = [
  { name: 'an order without entries', input: { file: forged(emptied) }, expect: expected },
  {
    name: 'an order without entries, with a trusted key',
    input: { file: forged(emptied), trusted_keys: [vkeyOfSigner(logKey)] },
    expect: expected,
  },
  badEmpty('count', 'no entries, but a count of 1', (draft) => {
    draft.count = 1;
  }),
  badEmpty('head_hash', 'no entries, but a head that is not the genesis hash', (draft) => {
    draft.head_hash = '0'.repeat(64);
  }),
  badEmpty('genesis', 'no entries, and the genesis hash of another order', (draft) => {
    draft.genesis.hash = draft.head_hash = genesisHash('00000000-0000-4000-8000-000000000001');
  }),
  badEmpty('log', 'no entries, but the log proof of an entry', (draft) => {
    draft.log = (draft as { kept?: unknown }).kept;
  }),
];
