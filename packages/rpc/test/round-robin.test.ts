import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { roundRobin } from '../src/connect/round-robin.ts';

const restMs = 200;
const chosen = (turns: ReturnType<typeof roundRobin<string>>, count: number) =>
  Array.from({ length: count }, () => turns.choose()).join('');

test('replicas are chosen in turn', () => {
  expect(chosen(roundRobin(['a', 'b', 'c']), 6)).toBe('abcabc');
});

test('a silent replica rests, then one call tries it, and its response ends the rest', async () => {
  const turns = roundRobin(['a', 'b'], restMs);
  turns.silent('a');
  expect(chosen(turns, 4)).toBe('bbbb');
  await sleep(1.5 * restMs);
  expect([...chosen(turns, 6)].filter((one) => one === 'a')).toHaveLength(1);
  turns.responded('a');
  expect([...chosen(turns, 6)].filter((one) => one === 'a')).toHaveLength(3);
});

test('replicas that are all silent are chosen in turn', () => {
  const turns = roundRobin(['a', 'b']);
  turns.silent('a');
  turns.silent('b');
  expect(chosen(turns, 4)).toBe('abab');
});
