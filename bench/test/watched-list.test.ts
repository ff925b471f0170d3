import { expect, test } from '@jest/globals';
import { createWatch } from '../live/watched-list.ts';

const watched = (shown: readonly (readonly [string, number])[], at: number) => {
  const watch = createWatch();
  watch.changed({ id: 'a', rank: 0, at: 0 });
  watch.changed({ id: 'a', rank: 1, at: 1000 });
  watch.saw(at, new Map(shown));
  return watch.result();
};

test('an order that the list does not show after 4 s is missed', () => {
  expect(watched([], 4001)).toMatchObject({ missed: 1, latestMs: 4001 });
});

test('a status that the list does not show after 4 s is missed', () => {
  expect(watched([['a', 0]], 5001)).toMatchObject({ missed: 1, latestMs: 4001 });
});

test('a status that was changed just now may be missing', () => {
  expect(watched([['a', 0]], 4999)).toMatchObject({ missed: 0, latestMs: 3999 });
});

test('a later status than the known one is no miss', () => {
  expect(watched([['a', 2]], 60_000)).toMatchObject({ missed: 0, latestMs: 0 });
});
