/**
 * Looks at PostgreSQL's own plan of the read that the auditor repeats for each page of chains:
 * `QUEUED=1000000 SHOW_PLANS=1 npm test -- queue-look-ups` does so with a halted log's million queued
 * entries, and prints the plan.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Sql } from '@pto/database';
import { Client } from 'pg';
import { storedChains } from '../../src/verification/check-chain.ts';
import { startLog } from '../order-index/a-log.ts';

const queuedCount = Number(process.env.QUEUED ?? 50_000);

let log: Awaited<ReturnType<typeof startLog>>;
let reader: Client;
let orderIds: string[];
/** Each order has an entry with a leaf, and behind it one that is queued. */
beforeAll(async () => {
  log = await startLog();
  orderIds = log.newOrders(256);
  reader = new Client({ connectionString: log.serviceUrl });
  await reader.connect();
  await log.append(orderIds);
  await log.owner.query(
    `update chains set sequence = 2, head_hash = 'head' where order_id = any ($1::uuid[])`,
    [orderIds],
  );
  await log.owner.query(
    `insert into entries (order_id, sequence, id, type, internal_type, ts_utc, prev_event_hash,
       event_hash, canonical_text)
     select id, n, gen_random_uuid(), '', '', '', n, n, '' from unnest($1::uuid[]) id,
       generate_series(1, 2) n`,
    [orderIds],
  );
  await queue(`select id, 2, '2' from unnest($1::uuid[]) id`, [orderIds]);
}, 120_000);
afterAll(async () => {
  await reader.end();
  await log.stop();
});

const queue = (rows: string, values: readonly unknown[]) =>
  log.owner.query(`insert into log_queue (order_id, sequence, event_hash) ${rows}`, values);

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly Plan[];
}
const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** Returns how the read of these chains accesses the queue. */
const accessesToQueue = async (): Promise<Plan[]> => {
  const found: Plan[] = [];
  const explaining: Sql = {
    query: async (text, values) => {
      const explained = (options: string) =>
        reader.query(`explain (${options}) ${text}`, [...(values ?? [])]);
      const { rows } = await explained('analyze, format json');
      found.push(...nodesOf(rows[0]['QUERY PLAN'][0].Plan as Plan));
      if (process.env.SHOW_PLANS)
        for (const row of (await explained('analyze, buffers')).rows)
          process.stdout.write(`  ${row['QUERY PLAN']}\n`);
      return [];
    },
  };
  await storedChains(explaining, orderIds);
  return found.filter((node) => node['Relation Name'] === 'log_queue');
};

const expectLookUps = async (): Promise<void> => {
  const accesses = await accessesToQueue();
  // one look-up for each entry without a leaf, none for an entry with one
  expect(accesses.map((node) => [node['Node Type'], node['Actual Loops']])).toEqual([
    ['Index Scan', orderIds.length],
  ]);
};

test('an entry with a leaf is not queued, and one without is found in the queue', async () => {
  const chains = await storedChains(log.db, orderIds);
  for (const { entries } of chains)
    expect(entries.map(({ leaf_hash, queued }) => [leaf_hash !== null, queued])).toEqual([
      [true, false],
      [false, true],
    ]);
});

test('looks up only entries without a leaf, by an index, in a long queue', async () => {
  await queue(`select gen_random_uuid(), 1, '1' from generate_series(1, $1::int)`, [queuedCount]);
  await log.owner.query('vacuum analyze log_queue, log_leaves, entries, chains');
  await expectLookUps();
}, 120_000);

test('looks up by an index in a queue that is short again but whose pages are left', async () => {
  await log.owner.query("delete from log_queue where event_hash = '1'");
  await log.owner.query('analyze log_queue');
  await expectLookUps();
}, 120_000);
