import { expect, test } from '@jest/globals';
import { Failure } from '@pto/errors';
import { repeatWhileHeld } from '../src/repeat-while-held.ts';

const held = () => new Failure('ORGANIZATION_HELD', 'The organization is moved.');
const late = () => new Failure('DEADLINE_EXCEEDED', 'This took too long.');

/** A call that ends in these ways one after the other; the last one stays. */
const callOf = (...outcomes: (Failure | 'done')[]) => {
  let calls = 0;
  return async () => {
    const outcome = outcomes[Math.min(calls++, outcomes.length - 1)]!;
    if (outcome !== 'done') throw outcome;
    return calls;
  };
};
const inMs = (ms: number) => performance.now() + ms;

test('a call that a move rejects is sent again until it is served', async () => {
  expect(await repeatWhileHeld(inMs(10_000), callOf(held(), held(), 'done'))).toBe(3);
});

test.each([
  ['before a call', [held()], 50],
  ['in a call after a rejected one', [held(), late()], 10_000],
])('the deadline ends a wait for a move as an unavailable service: %s', async (_, ends, ms) => {
  await expect(repeatWhileHeld(inMs(ms), callOf(...ends))).rejects.toMatchObject({
    kind: 'SERVICE_UNAVAILABLE',
    retryAfterSeconds: 5,
  });
});

test('a late call of an organization that is not moved stays a late call', async () => {
  await expect(repeatWhileHeld(inMs(10_000), callOf(late()))).rejects.toMatchObject({
    kind: 'DEADLINE_EXCEEDED',
  });
});
