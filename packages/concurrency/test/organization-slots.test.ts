import { expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { organizationSlots } from '../src/organization-slots.ts';

const never = new AbortController().signal;
const late = { kind: 'DEADLINE_EXCEEDED', retryAfterSeconds: 1 };

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

test('the slots of one organization do not limit another', async () => {
  const slots = organizationSlots(2);
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

test('a call waits for its slot until its signal is aborted', async () => {
  const slots = organizationSlots(1);
  const { work, ends } = works();
  const first = slots('o', never, work);
  const waiting = Array.from({ length: 200 }, () => slots('o', never, async () => 'ran'));
  await until(() => ends.length === 1, { what: 'the first call' });
  ends[0]!();
  await first;
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['ran']));
});

test('an aborted caller leaves the queue, and failed work releases its slot', async () => {
  const slots = organizationSlots(1);
  const gone = new AbortController();
  const { work, ends } = works();
  const first = slots('o', never, work);
  const second = slots('o', gone.signal, work);
  gone.abort();
  await expect(second).rejects.toMatchObject(late);
  const third = slots('o', never, () => Promise.reject(new Error('failed')));
  ends[0]!();
  await first;
  await expect(third).rejects.toThrow('failed');
  expect(await slots('o', never, async () => 'ran')).toBe('ran');
});
