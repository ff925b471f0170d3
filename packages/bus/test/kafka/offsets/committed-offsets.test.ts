import { expect, test } from '@jest/globals';
import { committedOffsets } from '../../../src/kafka/offsets/committed-offsets.ts';

const of = { group: 'g', topic: 't' };
/** What kafkajs returns; `conformance.ts` meets the empty responses on a busy machine only. */
const adminOf = (response: object[]) => ({ fetchOffsets: async () => response as never });

test.each([[[]], [[{ topic: 't', partitions: [] }]]])(
  'a response without partitions is an error, not a group without offsets: %j',
  async (response) => {
    await expect(committedOffsets(adminOf(response), of)).rejects.toThrow('of t were read');
  },
);

test('a group that has committed nothing has the offset -1', async () => {
  const partitions = [{ partition: 0, offset: '-1', metadata: null }];
  const offsets = await committedOffsets(adminOf([{ topic: 't', partitions }]), of);
  expect(offsets).toEqual(new Map([[0, -1n]]));
});
