import { expect, test } from '@jest/globals';
import { Failure } from '@pto/errors';
import { publicReason } from '../../src/consume/reason.ts';

test.each([
  [new Failure('VALIDATION', 'It is bad.'), 'VALIDATION: It is bad.'],
  [new Error('event 5 cannot follow entry 3'), 'The handler failed: event 5 cannot follow entry 3'],
  [
    new Failure('INTERNAL', 'Something went wrong on our side.', {
      cause: new Error('no such key'),
    }),
    'The handler failed: no such key',
  ],
  [
    Object.assign(new Error('duplicate key'), { code: '23505', constraint: 'entries_pkey' }),
    'The database rejected the effect: SQLSTATE 23505, constraint entries_pkey',
  ],
  [
    Object.assign(new Error('value of a row'), { code: '22P02' }),
    'The database rejected the effect: SQLSTATE 22P02',
  ],
  ['a text', 'The handler failed: a text'],
  [new Error('the key svc_live_abc123'), 'The handler failed: the key svc_live_***'],
])('the reason of %s is in words', (error, words) => {
  expect(publicReason(error)).toBe(words);
});
