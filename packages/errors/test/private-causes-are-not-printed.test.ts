import { inspect } from 'node:util';
import { expect, test } from '@jest/globals';
import { Failure, kinds, privateCause, rpcCodes, toFailure } from '../src/index.ts';

const failure = new Failure('NOT_FOUND', 'There is no such order.', {
  details: { resource: 'order' },
  cause: new Error('CANARY'),
});

test('not by JSON, inspection, spreading, its stack or its text', () => {
  const printed = [
    JSON.stringify(failure),
    inspect(failure, { depth: 9, showHidden: true }),
    inspect({ ...failure }, { depth: 9 }),
    String(failure),
    failure.stack,
    JSON.stringify(Object.getOwnPropertyDescriptors(failure)),
  ];
  expect(printed.join('\n')).not.toContain('CANARY');
  expect((privateCause(failure) as Error).message).toBe('CANARY');
});

test('an unforeseen error becomes INTERNAL with a fixed text', () => {
  const unforeseen = toFailure(new Error('CANARY'));
  expect(unforeseen.kind).toBe('INTERNAL');
  expect(unforeseen.message).not.toContain('CANARY');
  expect(toFailure(failure)).toBe(failure);
});

test('every kind has a place on both wires', () => {
  for (const [name, row] of Object.entries(kinds)) {
    expect(name).toMatch(/^[A-Z_]+$/);
    expect(rpcCodes[row.rpc]).toBeGreaterThan(0);
    expect(row.http).toBeGreaterThanOrEqual(400);
  }
});
