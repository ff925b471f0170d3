import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createSlidingWindow } from '../../src/admission/sliding-window.ts';

const windowMs = 60_000;
const windowOf = (namesMax = 1000) => createSlidingWindow({ windowMs, namesMax });

/** Waits between requests: bursts, and pauses around the length of the window. */
const waits = fc.array(
  fc.oneof(fc.constant(0), fc.nat(3000), fc.integer({ min: 59_000, max: 61_000 })),
  { minLength: 1, maxLength: 120 },
);

test('no window of 60 s holds more than the limit, and none is rejected below it', () => {
  fc.assert(
    fc.property(waits, fc.integer({ min: 1, max: 9 }), (gaps, limit) => {
      const window = windowOf();
      const granted: number[] = [];
      let now = 1_000_000;
      for (const gap of gaps) {
        now += gap;
        const within = granted.filter((time) => time > now - windowMs).length;
        const usage = window.use('a', limit, 1, now);
        expect(usage.granted).toBe(within < limit);
        if (usage.granted) granted.push(now);
      }
      for (const end of granted) {
        const within = granted.filter((time) => time <= end && time > end - windowMs);
        expect(within.length).toBeLessThanOrEqual(limit);
      }
    }),
  );
});

test('the next request is granted at the time that a rejection names, and not 1 ms before', () => {
  fc.assert(
    fc.property(waits, fc.integer({ min: 1, max: 9 }), (gaps, limit) => {
      const window = windowOf();
      let now = 0;
      for (const gap of gaps) {
        now += gap;
        const { granted, nextInMs, fullInMs } = window.use('a', limit, 1, now);
        if (granted) continue;
        expect(nextInMs).toBeGreaterThan(0);
        expect(nextInMs).toBeLessThanOrEqual(windowMs);
        expect(fullInMs).toBeGreaterThanOrEqual(nextInMs);
        expect(window.use('a', limit, 1, now + nextInMs - 1).granted).toBe(false);
        now += nextInMs;
        expect(window.use('a', limit, 1, now).granted).toBe(true);
      }
    }),
  );
});

test('a look spends nothing, and a lowered limit holds for requests that were granted before', () => {
  const window = windowOf();
  for (const now of [0, 10, 20, 30]) expect(window.use('a', 4, 1, now).granted).toBe(true);
  expect(window.use('a', 4, 0, 30)).toMatchObject({ used: 4, nextInMs: windowMs - 30 });
  expect(window.use('a', 2, 1, 40)).toMatchObject({ granted: false, nextInMs: windowMs - 20 });
  expect(window.use('b', 4, 0, 40)).toMatchObject({ used: 0, nextInMs: 0, fullInMs: 0 });
});

test('memory is bounded: old names are dropped, and at most so many are stored', () => {
  const window = windowOf(100);
  for (let n = 0; n < 1000; n++) window.use(`a${n}`, 5, 1, n);
  expect(window.size()).toBeLessThanOrEqual(100);
  for (let n = 0; n < 60; n++) window.use('b', 100, 1, 2 * windowMs + n);
  expect(window.size()).toBe(1);
});

test('as many names are stored as the bound allows, and the longest unused one is dropped', () => {
  const window = windowOf(2);
  window.use('a', 5, 1, 0);
  window.use('b', 5, 1, 1);
  expect(window.size()).toBe(2);
  window.use('a', 5, 0, 2);
  window.use('c', 5, 1, 3);
  expect(window.size()).toBe(2);
  expect(window.use('a', 5, 0, 4).used).toBe(1);
  expect(window.use('b', 5, 0, 4).used).toBe(0);
});

test('one use removes at most two names, and a name whose last request is one window old', () => {
  const window = windowOf();
  for (const name of ['a', 'b', 'c', 'd']) window.use(name, 5, 1, 0);
  window.use('e', 5, 0, windowMs);
  expect(window.size()).toBe(2);
});

test('a name that was only looked at is not stored', () => {
  const window = windowOf();
  expect(window.use('a', 5, 0, 0)).toEqual({ granted: false, used: 0, nextInMs: 0, fullInMs: 0 });
  expect(window.size()).toBe(0);
});

test('the next request is granted at once as long as the limit is not reached', () => {
  const window = windowOf();
  expect(window.use('a', 2, 1, 0)).toEqual({
    granted: true,
    used: 1,
    nextInMs: 0,
    fullInMs: windowMs,
  });
  expect(window.use('a', 2, 1, 10).nextInMs).toBe(windowMs - 10);
});
