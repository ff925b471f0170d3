import { describe, expect, test } from '@jest/globals';
import { RequestContext } from '../../src/admission/request-context.ts';

describe('a request context', () => {
  test('aborts its signal when it is closed', () => {
    const context = new RequestContext();
    const { closed } = context;
    expect(context.closed).toBe(closed);
    expect(closed.aborted).toBe(false);
    context.close();
    expect(closed.aborted).toBe(true);
  });

  test('has an aborted signal after it was closed', () => {
    const context = new RequestContext();
    context.close();
    expect(context.closed.aborted).toBe(true);
  });

  test.each(['before', 'after'])('releases a slot that was held %s its end', async (when) => {
    const context = new RequestContext();
    let isReleased = false;
    const hold = () =>
      context.holdSlot(() => {
        isReleased = true;
      });
    if (when === 'before') hold();
    await Promise.resolve();
    expect(isReleased).toBe(false);
    context.close();
    if (when === 'after') hold();
    await Promise.resolve();
    expect(isReleased).toBe(true);
  });

  test.each(['resolves', 'rejects'])(
    'releases a slot when its work %s, not before',
    async (how) => {
      const context = new RequestContext();
      const work = Promise.withResolvers<void>();
      context.work = work.promise;
      const called = new Promise<string>((resolve) => context.holdSlot(() => resolve('called')));
      context.close();
      const later = new Promise((resolve) => setImmediate(() => resolve('not called')));
      expect(await Promise.race([called, later])).toBe('not called');
      if (how === 'resolves') work.resolve();
      else work.reject(new Error('broken'));
      expect(await called).toBe('called');
    },
  );
});
