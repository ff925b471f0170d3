import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import type { Client } from 'pg';
import {
  anOrderId,
  anOrganization,
  type CustodyUnderTest,
  connectAttacker,
  eventsOf,
  startCustodyService,
} from './custody-service.ts';

let under: CustodyUnderTest;
let attacker: Client;
beforeAll(async () => {
  under = await startCustodyService();
  attacker = await connectAttacker(under);
});
afterAll(async () => {
  await attacker.end();
  await under.stop();
});

const organizationId = anOrganization();

const proofOf = (orderId: string, atLeastSequence: number) =>
  under.custody.getProof({ orderId, organizationId, atLeastSequence, whole: true });

const covered = (orderId: string, count: number) =>
  until(
    async () => {
      const proof = await proofOf(orderId, count);
      return proof.count === count && proof.log;
    },
    { what: 'a checkpoint over the entry' },
  );

const haltedFor = (reason: RegExp) =>
  until(
    async () => {
      const { rows } = await attacker.query('select halted from log_state');
      return reason.test(rows[0].halted ?? '');
    },
    { what: `the log to halt for ${reason}` },
  );

const checkpointNow = async () => (await under.log.getCheckpoint({})).note;

/** Damages the database, expects that appends and signatures stop and reads go on, and repairs it. */
const halts = async (harm: string, repair: string, reason: RegExp): Promise<void> => {
  const orderId = anOrderId();
  const events = eventsOf(orderId, organizationId, 2);
  await under.publish(events.slice(0, 1));
  await covered(orderId, 1);
  const before = await checkpointNow();
  await attacker.query(harm);
  await haltedFor(reason);
  await under.publish(events.slice(1));
  const asked = { orderId, organizationId, atLeastSequence: 2 };
  expect((await under.custody.listEvents(asked)).entries).toHaveLength(1); // after its 2 s
  const signed = await attacker.query(
    'select note from log_checkpoints order by size desc limit 1',
  );
  expect([undefined, before]).toContain(signed.rows[0]?.note);
  await attacker.query(repair);
  // what was fixed goes on only when the database's owner says so
  await attacker.query('update log_state set halted = null');
  await covered(orderId, 2);
};

test('a leaf that was rewritten stops the ledger, until it is what was signed', async () => {
  await halts(
    'update log_tiles set hashes = set_byte(hashes, 5, get_byte(hashes, 5) # 1) where level = 0',
    'update log_tiles set hashes = set_byte(hashes, 5, get_byte(hashes, 5) # 1) where level = 0',
    /not those that were signed/,
  );
}, 60_000);

test('a database from an older dump stops the ledger: the anchor knows of more', async () => {
  await halts(
    `create table spared as select * from log_checkpoints;
     delete from log_checkpoints;
     update log_state set size = size - 1`,
    `insert into log_checkpoints select * from spared;
     drop table spared;
     update log_state set size = size + 1`,
    /a checkpoint over \d+ was signed before/,
  );
}, 60_000);

test('the last leaf that was removed stops the ledger, also while new entries cannot take its place', async () => {
  await halts(
    `create table spared as select * from log_leaves order by leaf_index desc limit 1;
     delete from log_leaves l using spared s where l.leaf_index = s.leaf_index;
     update log_state set size = size - 1;
     insert into log_queue (order_id, sequence, event_hash)
       select order_id, 1000, repeat('f', 64) from spared`,
    `delete from log_queue where sequence = 1000;
     insert into log_leaves select * from spared;
     drop table spared;
     update log_state set size = size + 1`,
    /a checkpoint over \d+ was signed before/,
  );
}, 60_000);

test('the last leaf that was removed before it was signed stops the ledger, too', async () => {
  const unsigned = await startCustodyService({ CUSTODY_CHECKPOINT_INTERVAL: '1h' });
  const other = await connectAttacker(unsigned);
  try {
    const orderId = anOrderId();
    const events = eventsOf(orderId, organizationId, 2);
    const leaves = async () => (await other.query('select size from log_state')).rows[0].size;
    await unsigned.publish(events.slice(0, 1));
    await until(async () => (await unsigned.log.getCheckpoint({})).note !== '', {
      what: 'the only checkpoint of this hour',
    });
    await unsigned.publish(events.slice(1));
    await until(async () => (await leaves()) === '2', { what: 'a leaf that is not signed' });
    await other.query(
      `create table spared as select * from log_leaves order by leaf_index desc limit 1;
       delete from log_leaves l using spared s where l.leaf_index = s.leaf_index;
       update log_state set size = size - 1;
       insert into log_queue (order_id, sequence, event_hash)
         select order_id, 1000, repeat('f', 64) from spared`,
    );
    await until(
      async () => (await other.query('select halted from log_state')).rows[0].halted !== null,
      { what: 'the log to halt' },
    );
    const { rows } = await other.query('select halted from log_state');
    expect(rows[0].halted).toBe('the log has 1 leaves, and its tiles have 2');
  } finally {
    await other.end();
    await unsigned.stop();
  }
}, 60_000);
