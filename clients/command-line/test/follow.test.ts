import { expect, test } from '@jest/globals';
import { ApiError, type FeedEvent, TimedOutError } from '../../typescript/src/index.ts';
import { follow, sleepWatch } from '../src/listen/follow.ts';

/** A client whose calls give these events, and then fail. */
const clientOf = (...calls: readonly (readonly [numbers: readonly number[], error: Error])[]) => {
  const begun: (number | undefined)[] = [];
  return {
    begun,
    async *followEvents({ after }: { after?: number } = {}) {
      const [numbers, error] = calls[begun.length]!;
      begun.push(after);
      for (const number of numbers) yield { number } as FeedEvent;
      throw error;
    },
  };
};
const timedOut = new TimedOutError('no complete response within 50000 ms');
const read = async (client: ReturnType<typeof clientOf>, slept: boolean) => {
  const numbers: number[] = [];
  const { signal } = new AbortController();
  let sleeps = slept ? 1 : 0;
  const watch = { hasSlept: () => sleeps-- > 0 };
  try {
    for await (const { number } of follow(client, 0, signal, watch)) numbers.push(number);
  } catch (error) {
    return { numbers, error };
  }
  throw new Error('it must end by an error');
};

test('a request that failed after a sleep is made again, from the next event', async () => {
  const client = clientOf([[1, 2], timedOut], [[3], timedOut]);
  expect(await read(client, true)).toEqual({ numbers: [1, 2, 3], error: timedOut });
  expect(client.begun).toEqual([0, 2]);
});

test('without a sleep, and for a response, the command ends', async () => {
  expect(await read(clientOf([[1], timedOut]), false)).toEqual({ numbers: [1], error: timedOut });
  const revoked = new ApiError({ status: 401, code: 'API_KEY_REVOKED' } as never);
  expect(await read(clientOf([[1], revoked]), true)).toEqual({ numbers: [1], error: revoked });
});

test('a process that did not run for 11 s has slept, and says so once', () => {
  let time = 0;
  const watch = sleepWatch(() => time);
  time = 10_000;
  expect(watch.hasSlept()).toBe(false);
  time = 22_000;
  expect(watch.hasSlept()).toBe(true);
  expect(watch.hasSlept()).toBe(false);
  watch.stop();
});
