import { expect, test } from '@jest/globals';
import {
  busyMicrosIn,
  cpuMicrosWithEnded,
  nameIn,
  parentIn,
  shareOfOthers,
} from '../measuring/process-cpu.ts';

test('the time of others is what the machine worked without the own processes', () => {
  const before = { at: 0, busy: 1_000_000, own: 400_000 };
  const now = { at: 1000, busy: 2_500_000, own: 900_000 };
  expect(shareOfOthers(before, now, 2)).toBe(0.5);
});

test('own processes that were counted a tick later take no negative share of others', () => {
  const before = { at: 0, busy: 0, own: 0 };
  expect(shareOfOthers(before, { at: 1000, busy: 10_000, own: 20_000 }, 2)).toBe(0);
});

test('idle time, waiting for disks and guests are no work of the machine', () => {
  const line = 'cpu  1 2 4 1000 1000 8 16 32 1000 1000\ncpu0 9 9 9 9 9 9 9 9 9 9\n';
  expect(busyMicrosIn(line)).toBe(63 * 10_000);
});

test('a name with blanks and parentheses does not move the fields', () => {
  const stat = `42 (a (b) c) S 7 ${Array.from({ length: 9 }, () => '0').join(' ')} 1 2 4 8 0`;
  expect(nameIn(stat)).toBe('a (b) c');
  expect(parentIn(stat)).toBe(7);
  expect(cpuMicrosWithEnded(stat)).toBe(15 * 10_000);
});
