import { expect, test } from '@jest/globals';
import { Rejection } from '../src/index.ts';
import { at } from '../src/rejection.ts';

const thrownBy = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

test('a rejection has a reason, a name, and no place unless given', () => {
  const { name, message, at: place } = new Rejection('why');
  expect([name, message, place]).toEqual(['Rejection', 'why', '']);
  expect(new Rejection('why', 'log').at).toBe('log');
});

test('the innermost place is the one that a rejection has', () => {
  const found = thrownBy(() =>
    at('log', () =>
      at('log.inclusion', () => {
        throw new Rejection('why');
      }),
    ),
  );
  expect(found).toMatchObject({ message: 'why', at: 'log.inclusion' });
});

test('a promise that rejects gets the place, too', async () => {
  await expect(at('log', async () => Promise.reject(new Rejection('why')))).rejects.toMatchObject({
    at: 'log',
  });
});

test('another error gets no place', () => {
  const error = new TypeError('a bug');
  const thrown = thrownBy(() =>
    at('log', () => {
      throw error;
    }),
  );
  expect(thrown).toBe(error);
});
