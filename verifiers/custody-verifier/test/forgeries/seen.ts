import { forkedCheckpoint } from '../samples/a-forked-log.ts';
import { checkpoint, consistencyFrom, entries, log, proof } from '../samples/a-proof.ts';
import { otherKey } from '../samples/a-signed-log.ts';
import { type Draft, forged, lastCutOff, secondEdited } from './forge.ts';
import type { Vector } from './vector.ts';

const unlogged = (change: (draft: Draft) => void) =>
  forged((draft) => {
    change(draft);
    draft.log = null;
  });

const notSeen = (n: number) => `entry ${n}, counted from 1, is not the one that was seen`;
const head = (sequence: number) => ({ sequence, hash: entries[sequence - 1]!.event_hash });

/** What only those find who have kept something. */
const aheadOf42 = await log.checkpointAt(42);
export const seen: Vector[] = [
  {
    name: 'edited and every later hash recomputed, without a log: the seen head tells',
    input: { file: unlogged(secondEdited), seen: { head: head(2) } },
    expect: { verdict: 'invalid', at: 'seen.head', index: 1, reason: notSeen(2) },
  },
  {
    name: 'cut off, without a log: the seen head tells',
    input: { file: unlogged(lastCutOff), seen: { head: head(3) } },
    expect: {
      verdict: 'invalid',
      at: 'seen.head',
      index: 2,
      reason: 'a head of 3 entries was seen, the chain has 2',
    },
  },
  {
    name: 'a seen head that is no hash',
    input: { file: proof, seen: { head: { sequence: 1, hash: 'A' } } },
    expect: { verdict: 'invalid', at: 'seen.head' },
  },
  {
    name: 'another root at the same size',
    input: {
      file: proof,
      seen: { checkpoint: await forkedCheckpoint(57) },
    },
    expect: {
      verdict: 'invalid',
      at: 'seen.checkpoint',
      reason: 'logs of the same size have different roots (sizes 57 and 57)',
    },
  },
  {
    name: 'a seen checkpoint of another size, and no path',
    input: { file: proof, seen: { checkpoint: aheadOf42 } },
    expect: {
      verdict: 'invalid',
      at: 'seen.checkpoint',
      reason: 'cannot be checked offline: it needs a consistency proof from 42 to 57',
    },
  },
  {
    name: 'a seen checkpoint of a log that forked, with the path of the honest one',
    input: {
      file: proof,
      seen: {
        checkpoint: await forkedCheckpoint(42),
        consistency: await consistencyFrom(42),
      },
    },
    expect: { verdict: 'invalid', at: 'seen.checkpoint' },
  },
  {
    name: 'a path that is too short',
    input: {
      file: proof,
      seen: { checkpoint: aheadOf42, consistency: (await consistencyFrom(42)).slice(0, -1) },
    },
    expect: {
      verdict: 'invalid',
      at: 'seen.checkpoint',
      reason: 'the consistency path is too short (sizes 42 and 57)',
    },
  },
  {
    name: 'a seen checkpoint that somebody else has signed',
    input: { file: proof, seen: { checkpoint: await log.checkpointAt(57, otherKey) } },
    expect: {
      verdict: 'invalid',
      at: 'seen.checkpoint',
      reason: 'it has no signature by a known key',
    },
  },
  {
    name: 'a seen checkpoint, and a file without a log',
    input: { file: unlogged(() => {}), seen: { checkpoint } },
    expect: { verdict: 'invalid', at: 'seen.checkpoint' },
  },
];
