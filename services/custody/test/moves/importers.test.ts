import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { migrate } from '@pto/database';
import { Level, OrganizationMoveService } from '@pto/proto/moves/v1/moves';
import { connectClient } from '@pto/rpc';
import { freePort, testDatabase, until } from '@pto/testing';
import { migrations } from '../../migrations/index.ts';
import { anOrganization, operatorsWire } from '../custody-service.ts';
import { open } from '../feed/a-feed.ts';
import { sequencers } from '../order-index/a-sequencer.ts';
import { startWriters } from '../writers.ts';
import { type Cell, copy, finish, ordersOf, placed, startCell, type Try } from './cells.ts';

let north: Cell;
let south: Cell;
/** Stops what a test has started. */
const stopping: (() => unknown)[] = [];
beforeAll(async () => {
  [north, south] = await Promise.all([startCell('north', 21), startCell('south', 22)]);
}, 60_000);
afterEach(() => Promise.all(stopping.splice(0).map((stop) => stop())));
afterAll(() => Promise.all([north.stop(), south.stop()]));

/** An organization of the source with entries, and all pages of its copy. */
const anArrival = async (orders: number, each: number) => {
  const organizationId = anOrganization();
  await north.produce(ordersOf(organizationId, orders, each));
  await placed(north, organizationId, orders * each);
  const pages: Uint8Array[] = [];
  for (let page = ''; pages.length === 0 || page !== ''; ) {
    const until = `${orders * each}`;
    const { rows, nextPage } = await north.moves.export({ organizationId, until, page });
    pages.push(rows);
    page = nextPage;
  }
  return { organizationId, pages };
};

test('several importers at once store each entry once, in order', async () => {
  const { organizationId, pages } = await anArrival(120, 10);
  expect(pages.length).toBeGreaterThan(1);
  const attempt: Try = { organizationId, token: 1n };
  const others = startWriters(south);
  await south.moves.hold({ ...attempt, level: Level.ARRIVING });
  const run = async (client: Cell['moves']) => {
    for (const rows of pages) await client.import({ ...attempt, rows });
  };
  await Promise.all([south.moves, south.secondMoves, south.moves, south.secondMoves].map(run));
  expect(await others.stop()).toBeGreaterThan(0);
  await finish(north, south, attempt);
  expect(await south.feedOf(organizationId)).toEqual(await north.feedOf(organizationId));
  expect(await south.verify()).toEqual([]);
}, 60_000);

test('an import that is killed is repeated from the first page', async () => {
  const { organizationId, pages } = await anArrival(300, 10);
  expect(pages.length).toBeGreaterThan(2);
  const attempt: Try = { organizationId, token: 1n };
  const database = await testDatabase('custody');
  await migrate(database.ownerUrl, migrations);
  const processes = await sequencers(database.serviceUrl);
  const db = await open(database.ownerUrl);
  stopping.push(processes.stop, db.close);
  const count = async () => {
    const [row] = await db.query<{ count: number }>('select count(*)::int as count from entries');
    return row!.count;
  };
  const seen: number[] = [];
  for (let kill = 0; kill <= pages.length; kill++) {
    const connectPort = await freePort();
    const process = await processes.start({ CONNECT_PORT: `${connectPort}` });
    const client = connectClient(OrganizationMoveService, operatorsWire({ connectPort }));
    await client.hold({ ...attempt, level: Level.ARRIVING });
    // the last process is not killed in the middle
    const isLast = kill === pages.length;
    for (const [n, rows] of pages.entries()) {
      const importing = client.import({ ...attempt, rows }).catch(() => null);
      if (!isLast && n === kill) {
        await process.kill();
        await importing;
        break;
      }
      expect(await importing).not.toBeNull();
    }
    seen.push(await count());
    if (isLast) {
      const { length } = await north.feedOf(organizationId);
      await until(
        async () => {
          const [row] = await db.query<{ size: number }>('select size::int from log_state');
          return row!.size === length;
        },
        { what: 'all leaves' },
      );
      await process.kill();
    }
  }
  // pages are stored completely or not at all
  expect(seen.every((entries) => entries % 1000 === 0)).toBe(true);
  const columns = 'l.number, l.event_hash as leaf_hash, e.*';
  const feed = await db.query(
    `select ${columns} from log_leaves l left join entries e using (order_id, sequence)
     order by l.leaf_index`,
  );
  expect(feed).toEqual(await north.feedOf(organizationId));
}, 120_000);

test('a try with an older token changes nothing', async () => {
  const { organizationId, pages } = await anArrival(1, 3);
  const [older, newer] = [
    { organizationId, token: 4n },
    { organizationId, token: 5n },
  ];
  const rejected = { kind: 'ILLEGAL_TRANSITION' };
  const rows = pages[0]!;
  await expect(south.moves.import({ ...older, rows })).rejects.toMatchObject(rejected);
  await south.moves.hold({ ...older, level: Level.WRITES });
  await expect(south.moves.import({ ...older, rows })).rejects.toMatchObject(rejected);
  await south.moves.hold({ ...newer, level: Level.ARRIVING });
  await expect(south.moves.import({ ...older, rows })).rejects.toMatchObject(rejected);
  await expect(south.moves.release(older)).rejects.toMatchObject(rejected);
  await expect(south.moves.hold({ ...older, level: Level.ARRIVING })).rejects.toMatchObject(
    rejected,
  );
  expect(await south.moves.count({ organizationId })).toMatchObject({ rows: { entries: 0n } });
  expect(await south.moves.import({ ...newer, rows })).toMatchObject({ rows: 3 });
  await south.moves.release(newer);
  await expect(south.moves.import({ ...newer, rows })).rejects.toMatchObject(rejected);
  for (const delayed of [older, newer])
    await expect(south.moves.hold({ ...delayed, level: Level.ARRIVING })).rejects.toMatchObject(
      rejected,
    );
}, 30_000);

test('a halted log takes no entries, and takes them when it is no longer halted', async () => {
  const { organizationId, pages } = await anArrival(2, 2);
  const attempt: Try = { organizationId, token: 1n };
  await south.moves.hold({ ...attempt, level: Level.ARRIVING });
  await south.db.query(`update log_state set halted = 'by the test'`);
  await expect(south.moves.import({ ...attempt, rows: pages[0]! })).rejects.toMatchObject({
    kind: 'SERVICE_UNAVAILABLE',
  });
  expect(await south.moves.count({ organizationId })).toMatchObject({ rows: { entries: 0n } });
  await south.db.query('update log_state set halted = null');
  await copy(north, south, attempt);
  await finish(north, south, attempt);
  expect(await south.feedOf(organizationId)).toEqual(await north.feedOf(organizationId));
}, 30_000);
