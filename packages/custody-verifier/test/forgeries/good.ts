import { vkeyOfSigner } from '../../src/note/sign-note.ts';
import { checkpoint, consistencyFrom, entries, log, proof } from '../a-proof.ts';
import { logKey } from '../a-signed-log.ts';
import { forged } from './forge.ts';
import type { Vector } from './vector.ts';

/** What must be believed. */
export const good: Vector[] = [
  {
    name: 'three entries in the log, checked with the key that the file brings',
    input: { file: proof },
    expect: {
      valid: true,
      remarks: ['the checkpoint is signed by a key that the file itself brings'],
    },
  },
  {
    name: 'the same, checked with a key got elsewhere',
    input: { file: proof, trusted_keys: [vkeyOfSigner(logKey)] },
    expect: { valid: true, remarks: [] },
  },
  {
    name: 'no checkpoint covers the last entry yet',
    input: {
      file: forged((draft) => {
        draft.log = null;
      }),
    },
    expect: {
      valid: true,
      remarks: ['the chain is valid, and not yet in the log: no checkpoint covers it'],
    },
  },
  {
    name: 'it contains the heads that were seen',
    input: { file: proof, seen: { head: { sequence: 2, hash: entries[1]!.event_hash } } },
    expect: { valid: true },
  },
  {
    name: 'its log is the one that was seen, at the same size',
    input: { file: proof, seen: { checkpoint } },
    expect: { valid: true },
  },
  {
    name: 'its log begins with the one that was seen',
    input: {
      file: proof,
      seen: { checkpoint: await log.checkpointAt(42), consistency: await consistencyFrom(42) },
    },
    expect: { valid: true },
  },
  {
    name: 'the log that was seen begins with its log',
    input: {
      file: proof,
      seen: { checkpoint: await log.checkpointAt(70), consistency: await consistencyFrom(57, 70) },
    },
    expect: { valid: true },
  },
  {
    name: 'the key was in use until three minutes before the time of the last entry',
    input: {
      file: forged((draft) => {
        draft.keys[0].valid_until = '2026-01-15T11:00:00.000Z';
      }),
    },
    expect: { valid: true },
  },
];
