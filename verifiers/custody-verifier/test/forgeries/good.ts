import { vkeyOfSigner } from '../../src/note/sign-note.ts';
import { checkpoint, consistencyFrom, entries, log, proof } from '../samples/a-proof.ts';
import { logKey } from '../samples/a-signed-log.ts';
import { forged } from './forge.ts';
import type { Vector } from './vector.ts';

const withoutLog = forged((draft) => {
  draft.log = null;
});
const anyone =
  'Shows 3 entries up to 2026-01-15T11:02:59.001Z. Anyone could have made this file, and nothing shows whether later entries were cut off.';

/** Files of the service itself, as it makes them. */
export const good: Vector[] = [
  {
    name: 'three entries in the log, checked with the key that the file brings',
    input: { file: proof },
    expect: {
      verdict: 'consistent',
      headline:
        'Consistent, but the signer is unknown: only a key that the file itself brings signed the checkpoint.',
      limit: anyone,
    },
  },
  {
    name: 'the same file, checked with a trusted key',
    input: { file: proof, trusted_keys: [vkeyOfSigner(logKey)] },
    expect: {
      verdict: 'proven',
      headline: 'Proven: a trusted key signed the checkpoint that covers this history.',
      limit:
        'Covers 3 entries up to 2026-01-15T11:02:59.001Z; entries added after checkpoint 57 are not covered. The file alone does not show whether entries after entry 3 were cut off.',
    },
  },
  {
    name: 'no checkpoint covers the last entry yet',
    input: { file: withoutLog },
    expect: {
      verdict: 'consistent',
      headline: 'Consistent, but the signer is unknown: no checkpoint covers the last entry.',
      limit: anyone,
    },
  },
  {
    name: 'no checkpoint covers the last entry yet, with a trusted key',
    input: { file: withoutLog, trusted_keys: [vkeyOfSigner(logKey)] },
    expect: { verdict: 'consistent' },
  },
  {
    name: 'it contains the heads that were seen',
    input: { file: proof, seen: { head: { sequence: 2, hash: entries[1]!.event_hash } } },
    expect: { verdict: 'consistent' },
  },
  {
    name: 'its log is the one that was seen, at the same size',
    input: { file: proof, seen: { checkpoint } },
    expect: { verdict: 'consistent' },
  },
  {
    name: 'its log begins with the one that was seen',
    input: {
      file: proof,
      seen: { checkpoint: await log.checkpointAt(42), consistency: await consistencyFrom(42) },
    },
    expect: { verdict: 'consistent' },
  },
  {
    name: 'the log that was seen begins with its log',
    input: {
      file: proof,
      seen: { checkpoint: await log.checkpointAt(70), consistency: await consistencyFrom(57, 70) },
    },
    expect: { verdict: 'consistent' },
  },
  {
    name: 'the key was in use until three minutes before the time of the last entry',
    input: {
      file: forged((draft) => {
        draft.keys[0].valid_until = '2026-01-15T11:00:00.000Z';
      }),
    },
    expect: { verdict: 'consistent' },
  },
];
