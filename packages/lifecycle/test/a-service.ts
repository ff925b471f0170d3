/** A process for the test beside it: a service that says what becomes of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { integer } from '@pto/config';
import { main } from '../src/index.ts';

await main('sample', { limit: integer('LIMIT') }, async (settings, { log }) => {
  // biome-ignore lint/suspicious/noConsole: a library does
  console.error('printed by a library', new Error('with whsec_abcdefghijklmnop'));
  if (settings.limit === 13) throw new Error('the store is unavailable');
  return {
    checks: {
      store: async () => {
        if (settings.limit === 7) throw new Error('away');
      },
    },
    crashed: new Promise((resolve) => {
      if (settings.limit === 99) setTimeout(() => resolve(new Error('consumer crashed')), 100);
    }),
    stop: async () => {
      log.info('finishing what is in flight');
      await sleep(200);
    },
  };
});
