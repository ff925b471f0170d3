import { expect, test } from '@jest/globals';
import { storeFailure } from '../src/sql-state.ts';

const errorWith = (code: string) => Object.assign(new Error('write failed'), { code });

test.each([
  'EPIPE',
  'ECONNRESET',
  'ETIMEDOUT',
  '57P01',
  '08006',
  '25006',
  '25P03',
  '3D000',
  '53300',
  '28P01',
])('an error %s is SERVICE_UNAVAILABLE', (code) => {
  expect(storeFailure(errorWith(code))).toMatchObject({ kind: 'SERVICE_UNAVAILABLE' });
});

test.each(['57014', '55P03'])('an error %s is DEADLINE_EXCEEDED', (code) => {
  expect(storeFailure(errorWith(code))).toMatchObject({ kind: 'DEADLINE_EXCEEDED' });
});

test.each(['23505', '08P01', 'EACCES'])('an error %s stays what it is', (code) => {
  const error = errorWith(code);
  expect(storeFailure(error)).toBe(error);
});
