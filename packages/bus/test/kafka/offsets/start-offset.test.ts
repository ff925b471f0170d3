import { expect, test } from '@jest/globals';
import { type Known, type Start, startOffset } from '../../../src/kafka/offsets/message-loss.ts';

const none = undefined;

test.each<[string, Partial<Known>, Start]>([
  ['a new group', { committed: none, handled: none }, { next: 2n }],
  ['a group that goes on', { committed: 5n, handled: 5n }, { next: 5n }],
  ['a group without stored positions', { committed: 5n, handled: none }, { next: 5n }],
  ['offsets that were reset to the earliest', { committed: 2n, handled: 5n }, { next: 2n }],
  ['a reset beyond the oldest message', { committed: 0n, handled: 5n }, { next: 2n }],
  [
    'offsets that were reset to the latest',
    { committed: 9n, handled: 5n },
    { next: 5n, skipped: true },
  ],
  ['offsets that have expired', { committed: none, handled: 5n }, { next: 2n }],
  ['deleted messages', { committed: 1n, handled: 1n }, { next: 2n, lost: { from: 1n, to: 2n } }],
  ['deleted messages that were handled', { committed: 1n, handled: 2n }, { next: 2n }],
  [
    'deleted messages behind the committed offset',
    { committed: 9n, handled: 0n },
    { next: 2n, lost: { from: 0n, to: 2n } },
  ],
  [
    'a topic that was created again',
    { committed: none, handled: 12n },
    { next: 2n, restarted: true },
  ],
  ['a topic that lost its end', { committed: 12n, handled: none }, { next: 2n, restarted: true }],
])('%s: %o reads on at %o', (_, known, start) => {
  expect(startOffset({ committed: none, handled: none, low: 2n, high: 10n, ...known })).toEqual(
    start,
  );
});
