import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { checkpointAges } from '../../src/checkpoints/stored-checkpoints.ts';
import { startFeed } from '../feed/a-feed.ts';

let ledger: Awaited<ReturnType<typeof startFeed>>;
beforeAll(async () => {
  ledger = await startFeed();
});
afterAll(() => ledger.stop());

test('the newest checkpoint and the newest anchored one have ages of their own', async () => {
  expect(await checkpointAges(ledger.db)).toEqual({ newest: null, anchored: null });
  await ledger.owner.query(
    `insert into log_checkpoints (size, root, note, signed_at)
     select n, '', '', clock_timestamp() - (30 - 10 * n) * interval '1 minute'
     from generate_series(1, 3) n`,
  );
  const { newest, anchored } = await checkpointAges(ledger.db);
  expect([Math.floor(newest! / 60), anchored]).toEqual([0, null]);
  await ledger.owner.query('update log_state set anchored_size = 2');
  expect(Math.floor((await checkpointAges(ledger.db)).anchored! / 60)).toBe(10);
});
