import { expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { organizationSlots } from '../../src/orders/organization-slots.ts';

const never = new AbortController().signal;
const limited = { kind: 'RATE_LIMITED', retryAfterSeconds: 1 };

/** Work that ends by hand, and how much of it runs now. */
const works = () => {
  const ends: (() => void)[] = [];
  const state = { running: 0, most: 0 };
  const work = async () => {
    state.most = Math.max(state.most, ++state.running);
    await new Promise<void>((resolve) => ends.push(resolve));
    state.running--;
  };
  return { work, state, ends };
};

test('one organization runs so many calls at once, another one is not concerned', async () => {
  const slots = organizationSlots({ inFlightMax: 2, waitingMax: 10, waitMs: 60_000 });
  const [hostile, calm] = [works(), works()];
  const calls = Array.from({ length: 6 }, () => slots('hostile', never, hostile.work));
  const other = slots('calm', never, calm.work);
  await until(() => hostile.state.running === 2 && calm.state.running === 1, { what: 'both' });
  for (let n = 0; n < 6; n++) {
    await until(() => hostile.ends.length > n, { what: 'the next call' });
    hostile.ends[n]!();
  }
  await Promise.all(calls);
  expect(hostile.state).toEqual({ running: 0, most: 2 });
  calm.ends[0]!();
  await other;
});

test('a call beyond the bound is rejected at once, one that waits too long later', async () => {
  const slots = organizationSlots({ inFlightMax: 1, waitingMax: 1, waitMs: 50 });
  const { work, ends } = works();
  const first = slots('o', never, work);
  const second = slots('o', never, work);
  await expect(slots('o', never, work)).rejects.toMatchObject(limited);
  await expect(second).rejects.toMatchObject(limited);
  ends[0]!();
  await first;
  const third = slots('o', never, work);
  await until(() => ends.length === 2, { what: 'the slot to be free again' });
  ends[1]!();
  await third;
});

test('a caller that has gone gives its place up, and failed work its slot', async () => {
  const slots = organizationSlots({ inFlightMax: 1, waitingMax: 1, waitMs: 60_000 });
  const gone = new AbortController();
  const { work, ends } = works();
  const first = slots('o', never, work);
  const second = slots('o', gone.signal, work);
  gone.abort();
  await expect(second).rejects.toMatchObject(limited);
  const third = slots('o', never, () => Promise.reject(new Error('failed')));
  ends[0]!();
  await first;
  await expect(third).rejects.toThrow('failed');
  expect(await slots('o', never, async () => 'ran')).toBe('ran');
});
