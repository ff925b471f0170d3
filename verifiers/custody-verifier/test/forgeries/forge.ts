/** Changes to the good proof file. */
import type { ProofFile } from '../../src/index.ts';
import { chained, entries, proof, type Unlinked } from '../samples/a-proof.ts';
import type { Vector } from './vector.ts';

export type Draft = { -readonly [Member in keyof ProofFile]: Loose<ProofFile[Member]> };
// biome-ignore lint/suspicious/noExplicitAny: a forger writes what he likes
type Loose<T> = T extends readonly unknown[] ? any[] : any;

export const forged = (change: (draft: Draft) => void): unknown => {
  const draft = structuredClone(proof) as Draft;
  change(draft);
  return draft;
};

export const bad = (
  at: string,
  name: string,
  change: (draft: Draft) => void,
  more: Omit<Vector['expect'], 'verdict' | 'at'> = {},
): Vector => ({
  name,
  input: { file: forged(change) },
  expect: { verdict: 'invalid', at, ...more },
});

/** Entries from `from` on with other contents, their hashes recomputed. */
export const rewritten = (change: (unlinked: Unlinked[]) => void): ((draft: Draft) => void) => {
  const unlinked = structuredClone(entries) as Unlinked[];
  change(unlinked);
  return (draft) => {
    draft.entries = chained(draft.order_id, unlinked);
    draft.count = draft.entries.length;
    draft.head_hash = draft.entries.at(-1).event_hash;
  };
};

export const secondEdited = rewritten((unlinked) => {
  Object.assign(unlinked[1]!, { ts_utc: '2026-01-15T09:40:07.250Z' });
});
export const lastCutOff = rewritten((unlinked) => unlinked.pop());
