import { describe, expect, test } from '@jest/globals';
import { Exchange } from '../../src/admission/exchange.ts';

describe('an exchange', () => {
  test('aborts its signal when it is closed', () => {
    const exchange = new Exchange();
    const { closed } = exchange;
    expect(exchange.closed).toBe(closed);
    expect(closed.aborted).toBe(false);
    exchange.close();
    expect(closed.aborted).toBe(true);
  });

  test('has an aborted signal after it was closed', () => {
    const exchange = new Exchange();
    exchange.close();
    expect(exchange.closed.aborted).toBe(true);
  });

  test.each(['before', 'after'])('releases a slot that was held %s its end', async (when) => {
    const exchange = new Exchange();
    let isReleased = false;
    const hold = () =>
      exchange.holdSlot(() => {
        isReleased = true;
      });
    if (when === 'before') hold();
    await Promise.resolve();
    expect(isReleased).toBe(false);
    exchange.close();
    if (when === 'after') hold();
    await Promise.resolve();
    expect(isReleased).toBe(true);
  });

  test.each(['resolves', 'rejects'])(
    'releases a slot when its work %s, not before',
    async (how) => {
      const exchange = new Exchange();
      const work = Promise.withResolvers<void>();
      exchange.work = work.promise;
      const called = new Promise<string>((resolve) => exchange.holdSlot(() => resolve('called')));
      exchange.close();
      const later = new Promise((resolve) => setImmediate(() => resolve('not called')));
      expect(await Promise.race([called, later])).toBe('not called');
      if (how === 'resolves') work.resolve();
      else work.reject(new Error('broken'));
      expect(await called).toBe('called');
    },
  );
});
