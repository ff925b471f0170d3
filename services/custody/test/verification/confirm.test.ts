import { expect, test } from '@jest/globals';
import { confirmed, type Violation } from '../../src/verification/violation.ts';

const one: Violation = { orderId: 'a', entryId: '1', reason: 'seen twice' };
const other: Violation = { orderId: 'b', entryId: '', reason: 'seen once' };

test('reports a violation that a second read shows again, and only that one', async () => {
  const unconfirmed: Violation[] = [];
  const reads = [
    { violations: [one, other], read: 7 },
    { violations: [{ ...one }], read: 8 },
  ];
  const result = await confirmed(
    { unconfirmed: (violation) => unconfirmed.push(violation) },
    async () => reads.shift()!,
  );
  expect(result).toEqual({ violations: [one], read: 7 });
  expect(unconfirmed).toEqual([other]);
});

test('reads once where there is no violation', async () => {
  const reads: { violations: Violation[] }[] = [{ violations: [] }];
  const check = async () => reads.shift()!;
  expect(await confirmed({ unconfirmed: () => {} }, check)).toEqual({ violations: [] });
});
