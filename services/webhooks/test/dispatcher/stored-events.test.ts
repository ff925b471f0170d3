import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '@pto/database';
import { keepEvents } from '../../src/dispatcher/dispatch.ts';
import {
  anOrganization,
  openServiceDatabase,
  type ServiceDatabase,
  startDatabase,
} from '../webhooks-service.ts';

let stores: ServiceDatabase;
let db: Database;
beforeAll(async () => {
  stores = await startDatabase();
  db = await openServiceDatabase(stores);
});
afterAll(async () => {
  await db.close();
  await stores.stop();
});

const clock = Date.now;
afterAll(() => {
  Date.now = clock;
});

test('ids follow the clock of the database and the given order, whatever the clock of the process', async () => {
  const organizationId = anOrganization();
  const given: string[] = [];
  for (const aheadMs of [0, -3_600_000, 3_600_000]) {
    const events = Array.from({ length: 5000 }, () => randomUUID()).map((eventId) => ({
      organizationId,
      orderId: randomUUID(),
      eventId,
      event: 'order.sealed',
      body: '{}',
    }));
    Date.now = () => clock() + aheadMs;
    await db.transaction((tx) => keepEvents(tx, events));
    Date.now = clock;
    given.push(...events.map(({ eventId }) => eventId));
  }
  const rows = await stores.superuser.query<{ id: string; event_id: string; at: string }>(
    `select id, event_id, floor(extract(epoch from created_at) * 1000)::bigint as at
     from events order by id`,
  );
  expect(rows.map((row) => row.event_id)).toEqual(given);
  const late = rows.map(
    ({ id, at }) => Number(`0x${id.replace('-', '').slice(0, 12)}`) - Number(at),
  );
  expect([Math.min(...late), Math.max(...late)]).toEqual([0, 1]); // 4,096 in a millisecond
});
