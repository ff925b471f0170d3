import { expect, test } from '@jest/globals';
import { foldedStacks } from '../suite/fold-profiles.ts';

const node = (id: number, functionName: string, url: string, children?: number[]) => ({
  id,
  callFrame: { functionName, url, lineNumber: id },
  ...(children && { children }),
});

test('the samples of a stack become one line with their sum, the longest first', () => {
  const profile = {
    nodes: [
      node(1, '(root)', '', [2, 3]),
      node(2, 'read', 'file:///a/orders.mjs', [4]),
      node(3, '', 'file:///a/gateway.mjs'),
      node(4, '(garbage collector)', ''),
    ],
    samples: [3, 4, 4, 2],
    timeDeltas: [10, 20, 30, 5],
  };
  expect(foldedStacks(profile)).toBe(
    [
      '(root);read orders.mjs:3;(garbage collector) 50',
      '(root);(anonymous) gateway.mjs:4 10',
      '(root);read orders.mjs:3 5',
      '',
    ].join('\n'),
  );
});
