/** Many browsers with links of one key: their live pages share its budget of reads. */
import { expect, test } from '@jest/globals';
import { slowedBy } from '../../../console/src/portal/pace.ts';
import {
  budgetWindowMs,
  createSlidingWindow,
} from '../../../services/gateway/src/admission/sliding-window.ts';

/** Contract 8. */
const readsPerMinute = 600;
const lastsMs = 15 * 60_000;

/** Runs browsers on a clock of the test. @returns how many reads the budget grants and rejects. */
const run = (browsers: number, reads: readonly { everyMs: number; requests: number }[]) => {
  const window = createSlidingWindow({ windowMs: budgetWindowMs, namesMax: 1 });
  const pages = Array.from({ length: browsers }, (_, n) =>
    reads.map((one) => ({ ...one, at: (one.everyMs * n) / browsers })),
  ).flat();
  const counts = { granted: 0, rejected: 0, slowestMs: 0 };
  for (;;) {
    const next = pages.reduce((a, b) => (b.at < a.at ? b : a));
    if (next.at > lastsMs) return counts;
    let left = 0;
    for (let n = 0; n < next.requests; n++) {
      const { granted, used } = window.use('key', readsPerMinute, 1, next.at);
      counts[granted ? 'granted' : 'rejected']++;
      left = readsPerMinute - used;
    }
    const pauseMs = next.everyMs * slowedBy(left / readsPerMinute);
    counts.slowestMs = Math.max(counts.slowestMs, pauseMs);
    next.at += pauseMs;
  }
};
const orders = [{ everyMs: 5000, requests: 1 }];
/** The order, and its deliveries to two endpoints. */
const order = [...orders, { everyMs: 15_000, requests: 3 }];

test.each([
  ['the list of orders', orders],
  ['an order', order],
])('60 browsers that show %s are rejected nothing', (_, reads) => {
  const { granted, rejected } = run(60, reads);
  expect(rejected).toBe(0);
  expect(granted).toBeGreaterThan(60 * 15); // each page reads more than once a minute
});

test('ten browsers that show an order are not slowed', () => {
  expect(run(10, order)).toMatchObject({ rejected: 0, slowestMs: 15_000 });
});
