import { expect, test } from '@jest/globals';
import { loadIn } from '../http/wrk.ts';
import { requireStatus, VoidRun } from '../measuring/void-run.ts';

test('load with a wrong status, a failed connection or no response is void', () => {
  expect(loadIn('wrk\nRESULT 9 0 0 1500 2000\n', '/orders')).toEqual({
    requests: 9,
    p50Ms: 1.5,
    p99Ms: 2,
  });
  for (const output of ['RESULT 9 503 0 1 1', 'RESULT 9 0 1 1 1', 'RESULT 0 0 0 0 0', 'killed'])
    expect(() => loadIn(output, '/orders')).toThrow(VoidRun);
});

test('a single response with another status is void', () => {
  expect(() => requireStatus('GET /ping', 429, 200)).toThrow(VoidRun);
  expect(() => requireStatus('GET /ping', 429, 429)).not.toThrow();
});
