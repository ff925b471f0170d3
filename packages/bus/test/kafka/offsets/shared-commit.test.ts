import { expect, test } from '@jest/globals';
import { sharedCommit } from '../../../src/kafka/offsets/shared-commit.ts';

test('commits of one moment share a request, and its error is that of each', async () => {
  const requests: unknown[] = [];
  let error: Error | undefined;
  const payload = {
    commitOffsetsIfNecessary: async (offsets?: unknown) => {
      requests.push(offsets);
      if (error) throw error;
    },
  };
  const commit = sharedCommit();
  const all = () =>
    Promise.allSettled([
      commit({ payload, topic: 't', partition: 0, offset: '5' }),
      commit({ payload, topic: 'u', partition: 0, offset: '6' }),
      commit({ payload, topic: 't', partition: 1, offset: '7' }),
    ]);
  expect((await all()).map(({ status }) => status)).toEqual(Array(3).fill('fulfilled'));
  expect(requests).toEqual([
    {
      topics: [
        {
          topic: 't',
          partitions: [
            { partition: 0, offset: '5' },
            { partition: 1, offset: '7' },
          ],
        },
        { topic: 'u', partitions: [{ partition: 0, offset: '6' }] },
      ],
    },
  ]);
  error = new Error('rebalance');
  expect(await all()).toEqual(Array(3).fill({ status: 'rejected', reason: error }));
});
