import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { migrate } from '@pto/database';
import { custody } from '../../migrations/20261126090000_custody.ts';
import { migrations } from '../../migrations/index.ts';
import { startFeed } from './a-feed.ts';

test('the migration numbers the leaves that are there, and later ones follow', async () => {
  const feed = await startFeed([custody]);
  const [a, b] = [randomUUID(), randomUUID()];
  const before = await feed.append(feed.owner, [a, b, a, a, b]);
  // as the sequencer of the version before
  await feed.owner.query(
    `insert into log_leaves (leaf_index, order_id, sequence, event_hash)
     select row_number() over (order by id) - 1, order_id, sequence, event_hash from log_queue`,
  );
  await feed.owner.query('delete from log_queue');
  const queued = await feed.append(feed.owner, [b]);
  await feed.owner.query('update log_state set size = 5');
  await feed.owner.query(
    `insert into log_tiles (level, tile_index, hashes) values (0, 0, repeat('x', 160)::bytea)`,
  );
  expect(await migrate(feed.database.ownerUrl, migrations)).toEqual([
    '20261127090000_feed',
    '20261128050000_moves',
    '20261128120000_topic_partitions',
    '20261128130000_move_fences',
  ]);
  expect(await feed.ordersOf(a)).toEqual([before[0], before[2], before[3]]);
  expect(await feed.ordersOf(b)).toEqual([before[1], before[4]]);
  await feed.place();
  const after = await feed.append(feed.db, [a]);
  await feed.place();
  expect(await feed.ordersOf(b)).toEqual([before[1], before[4], ...queued]);
  expect(await feed.ordersOf(a)).toEqual([before[0], before[2], before[3], ...after]);
  // leaves are append-only again, also for the owner
  await expect(feed.owner.query('update log_leaves set number = 9')).rejects.toThrow(
    'custody entries are never changed or removed',
  );
  await feed.stop();
});
