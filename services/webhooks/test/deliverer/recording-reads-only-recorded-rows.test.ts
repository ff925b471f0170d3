import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Database, migrate } from '@pto/database';
import { migrations } from '../../migrations/index.ts';
import { record } from '../../src/deliverer/record.ts';
import type { Verdict } from '../../src/deliverer/retry-schedule.ts';
import { queueBacklog } from '../backlog.ts';
import { claimNow } from '../claim-now.ts';
import { type Explained, explained } from '../explained.ts';
import { anOrganization, type ServiceDatabase, startDatabase } from '../webhooks-service.ts';

let stores: ServiceDatabase;

beforeAll(async () => {
  stores = await startDatabase();
  await migrate(stores.database.ownerUrl, migrations);
  const queue = (deliveriesEach: number) =>
    queueBacklog(stores, {
      organizationId: anOrganization(),
      url: 'https://hooks.example.com/',
      endpoints: 10,
      deliveriesEach,
    });
  // what statistics are like in a burst: of a moment when there was next to nothing
  await queue(1);
  await stores.superuser.query('analyze');
  await queue(500);
}, 60_000);
afterAll(() => stores.stop());

const verdicts: Verdict[] = [
  { state: 'DELIVERED' },
  { state: 'PENDING', waitMs: 1000 },
  { state: 'EXHAUSTED' },
];

test.each(verdicts)('of 5,000 that are queued: $state', async (verdict) => {
  const owner = randomUUID();
  const claimed = await claimNow(stores.superuser, { owner, most: 40 });
  expect(claimed).toHaveLength(40);
  const now = new Date();
  const attempt = { at: now, endedAt: now, statusCode: 200, error: null, durationMs: 1 };
  let written: Explained | undefined;
  const explaining = {
    ...stores.superuser,
    query: async (text: string, parameters: readonly unknown[]) => {
      written = await explained(stores.superuser, text, parameters);
      return [];
    },
  } as Database;
  const finished = claimed.map((one) => ({
    ...one,
    attempt: { ...attempt, counts: true },
    verdict,
  }));
  await record(explaining, owner, finished);
  expect(written!.rows('pending_deliveries')).toBe(2 * 40); // by its key, and where it lies
  expect(written!.rows('deliveries')).toBe(verdict.state === 'EXHAUSTED' ? 40 : 0);
});
