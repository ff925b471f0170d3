import { describe, expect, test } from '@jest/globals';
import { createByteBudgets } from '../../src/limits/byte-budget.ts';

const kib = 1024;
const bytesPerSecond = 100 * kib;
const burstBytes = 1000 * kib;
const halfLifeMs = 30_000;
const budgets = () => createByteBudgets(bytesPerSecond, burstBytes);

describe('a request may run beside others', () => {
  test('as many as are expected within the burst: 15 of 64 KiB in 1,000 KiB', () => {
    const { begin } = budgets();
    const allowed = Array.from({ length: 20 }, () => begin('a', 0));
    expect(allowed.filter(Boolean)).toHaveLength(15);
    expect(allowed.lastIndexOf(true)).toBe(14);
  });

  test('if together they are expected to cost the burst to the byte', () => {
    const exact = createByteBudgets(1, 128 * kib);
    exact.begin('a', 0);
    expect(exact.begin('a', 0)).toBe(true);
    const less = createByteBudgets(1, 128 * kib - 1);
    less.begin('a', 0);
    expect(less.begin('a', 0)).toBe(false);
  });

  test('if the largest recent request, charged twice, is within the burst', () => {
    const budget = budgets();
    budget.begin('a', 0);
    budget.end('a', 400 * kib, 0);
    budget.begin('a', 0);
    expect(budget.begin('a', 0)).toBe(false); // 400 charged, twice 400 expected
    budget.end('a', null, 0);
    budget.end('a', null, 0);
    // 10 s later 400 KiB are drained and less than 400 KiB are expected of each
    budget.begin('a', 10_000);
    expect(budget.begin('a', 10_000)).toBe(true);
  });

  test('again when a request has ended', () => {
    const { begin, end } = budgets();
    for (let n = 0; n < 15; n++) begin('a', 0);
    expect(begin('a', 0)).toBe(false);
    end('a', null, 0);
    end('a', null, 0);
    expect(begin('a', 0)).toBe(true);
  });
});

test('a request alone may run whatever it is expected to cost, up to the burst', () => {
  const { begin, end } = budgets();
  begin('a', 0);
  end('a', burstBytes, 0);
  expect(begin('a', 0)).toBe(true);
  end('a', 1, 0);
  expect(begin('a', 0)).toBe(false);
});

test('the expected cost halves in 30 s', () => {
  const budget = createByteBudgets(1e9, 1000 * kib);
  budget.begin('a', 0);
  budget.end('a', 800 * kib, 0);
  const pairRuns = (now: number): boolean => {
    budget.begin('a', now);
    const runs = budget.begin('a', now);
    budget.end('a', null, now);
    budget.end('a', null, now);
    return runs;
  };
  // two of 500 KiB are the burst: log2(800 / 500) half-lives
  const at = halfLifeMs * Math.log2(800 / 500);
  expect(pairRuns(at - 10)).toBe(false);
  expect(pairRuns(at + 10)).toBe(true);
});

test('a small request does not lower what is expected', () => {
  const budget = createByteBudgets(1e9, 1000 * kib);
  budget.begin('a', 0);
  budget.end('a', 800 * kib, 0);
  budget.begin('a', 1);
  budget.end('a', 1, 1);
  budget.begin('a', 2);
  expect(budget.begin('a', 2)).toBe(false);
});

test('a debt is paid at the rate of the budget', () => {
  const { begin, end, waitMs } = budgets();
  begin('a', 0);
  end('a', 1500 * kib, 0);
  expect(waitMs('a', 0)).toBe(5000);
  expect(waitMs('a', 1000)).toBe(4000);
  expect(begin('a', 4999)).toBe(false);
  end('a', null, 4999);
  expect(waitMs('a', 5000)).toBe(0);
  expect(begin('a', 5000)).toBe(true);
  expect(waitMs('a', 100_000)).toBe(0);
});

test('idle time is not saved up', () => {
  const { begin, end, waitMs } = budgets();
  begin('a', 0);
  end('a', 1, 0);
  end('a', 2000 * kib, 1_000_000);
  expect(waitMs('a', 1_000_000)).toBe(10_000);
});

test('a rejected request costs nothing', () => {
  const { begin, end, waitMs } = budgets();
  begin('a', 0);
  end('a', 1100 * kib, 0);
  begin('a', 0);
  end('a', null, 0);
  expect(waitMs('a', 0)).toBe(1000);
});

test('the budgets of two names are independent', () => {
  const { begin, end, waitMs } = budgets();
  begin('a', 0);
  end('a', 5000 * kib, 0);
  expect(waitMs('b', 0)).toBe(0);
  expect(begin('b', 0)).toBe(true);
});
