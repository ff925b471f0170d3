import { describe, expect, test } from '@jest/globals';
import { Exchange } from '../../src/http/exchange.ts';

describe('an exchange', () => {
  test('aborts its signal when it is closed', () => {
    const exchange = new Exchange(0);
    const { closed } = exchange;
    expect(exchange.closed).toBe(closed);
    expect([closed.aborted, exchange.isClosed]).toEqual([false, false]);
    exchange.close();
    expect([closed.aborted, exchange.isClosed]).toEqual([true, true]);
  });

  test('has an aborted signal after it was closed', () => {
    const exchange = new Exchange(0);
    exchange.close();
    expect(exchange.closed.aborted).toBe(true);
  });

  test.each(['before', 'after'])('calls a task that was added %s its end, once', async (when) => {
    const exchange = new Exchange(0);
    let calls = 0;
    const add = () => exchange.afterwards(() => calls++);
    if (when === 'before') add();
    await Promise.resolve();
    expect(calls).toBe(0);
    exchange.close();
    if (when === 'after') add();
    await Promise.resolve();
    expect(calls).toBe(1);
  });

  test.each(['resolves', 'rejects'])('calls a task when its work %s, not before', async (how) => {
    const exchange = new Exchange(0);
    const work = Promise.withResolvers<void>();
    exchange.work = work.promise;
    const called = new Promise<string>((resolve) => exchange.afterwards(() => resolve('called')));
    exchange.close();
    const later = new Promise((resolve) => setImmediate(() => resolve('not called')));
    expect(await Promise.race([called, later])).toBe('not called');
    if (how === 'resolves') work.resolve();
    else work.reject(new Error('broken'));
    expect(await called).toBe('called');
  });
});
