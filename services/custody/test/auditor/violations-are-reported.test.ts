import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { parseNote } from '@pto/custody-verifier';
import { AuditKind } from '@pto/proto/orders/v1/violations';
import { until } from '@pto/testing';
import { Client } from 'pg';
import { noteSigner } from '../../src/log/note-signer.ts';
import {
  anOrderId,
  anOrganization,
  type CustodyUnderTest,
  connectAttacker,
  eventsOf,
  startCustodyService,
} from '../custody-service.ts';
import { mailsOf, startAuditorBeside } from './auditor-under-test.ts';

let under: CustodyUnderTest;
let attacker: Client;
const organizationId = anOrganization();
const seed = Buffer.alloc(32, 5); // the log's own, as the service has it

beforeEach(async () => {
  under = await startCustodyService();
  attacker = await connectAttacker(under);
});
afterEach(async () => {
  await attacker.end();
  await under.stop();
});

const auditor = (pause = '50ms') => startAuditorBeside(under, { CUSTODY_AUDITOR_PAUSE: pause });
const mails = () => mailsOf(under);

const chainOfThree = async (): Promise<string> => {
  const orderId = anOrderId();
  await under.publish(eventsOf(orderId, organizationId, 3));
  const { headHash } = await until(
    async () => {
      const asked = { orderId, organizationId, atLeastSequence: 3 };
      const proof = await under.custody.getProof(asked);
      return proof.count === 3 && proof.log && proof;
    },
    { what: 'a checkpoint over the chain' },
  );
  const head = { sequence: 3, custodySequence: 3, custodyHeadHash: headHash };
  under.known.set(orderId, { orderId, ...head });
  return orderId;
};

test('a ledger that nobody touched is passed again and again, with nothing to tell', async () => {
  await chainOfThree();
  const one = await auditor();
  await one.passed(3);
  expect(one.notified()).toEqual([]);
  expect(mails()).toEqual([]);
  expect(await one.metric('custody_faults')).toBe(0);
  expect(await one.metric('custody_verified_entries_total')).toBeGreaterThanOrEqual(9);
  expect(await one.metric('custody_audit_age_seconds')).toBeLessThan(10);
  await one.stop();
}, 60_000);

test('a pass that broke off is made again soon, however long passes rest', async () => {
  await chainOfThree();
  await attacker.query('alter table chains rename to chains_to_be');
  const one = await auditor('6h');
  await until(() => one.failed().length > 0, { what: 'a pass that breaks off' });
  await attacker.query('alter table chains_to_be rename to chains');
  await one.passed(1);
  // a ledger that is still to be made is no news
  expect(one.failed().filter(({ level }) => level !== 'info')).toEqual([]);
  await one.stop();
}, 60_000);

test('an edited entry is reported once: in the log, on the order, in one mail and in a metric', async () => {
  const orderId = await chainOfThree();
  const one = await auditor();
  await one.passed();
  const { rows } = await attacker.query(
    `update entries set type = 'order.closed' where order_id = $1 and sequence = 2 returning id`,
    [orderId],
  );
  await until(() => one.notified().length > 0, { what: 'the fault' });
  await one.passed(3);
  const reason = 'event_hash does not match what the entry says';
  expect(one.notified()).toEqual([{ orderId, entryId: rows[0].id, reason }]);
  expect(under.violations).toMatchObject([{ orderId, entryId: rows[0].id, reason }]);
  expect(await one.metric('custody_faults')).toBe(1);
  const [mail, ...more] = mails();
  expect(more).toEqual([]);
  expect(mail).toContain('To: night@test.example, day@test.example');
  expect(mail).toContain(`order ${orderId}, entry ${rows[0].id}: ${reason}`);
  await one.stop();
}, 60_000);

test('a database and an anchor that were both set back contradict what it remembers', async () => {
  await chainOfThree();
  const tables = [
    'entries',
    'chains',
    'log_leaves',
    'feed_heads',
    'log_tiles',
    'log_checkpoints',
    'log_state',
  ];
  for (const table of tables) await attacker.query(`create table old_${table} as table ${table}`);
  const oldAnchor = await under.anchored();
  const known = new Map(under.known);
  await chainOfThree();
  const one = await auditor();
  await one.passed();
  await one.stop(); // the attack happens while it is stopped
  for (const table of tables) {
    await attacker.query(`delete from ${table}`);
    await attacker.query(`insert into ${table} select * from old_${table}`);
  }
  under.rewriteAnchor(oldAnchor.map((note) => JSON.stringify({ note })));
  under.known.clear();
  for (const [id, head] of known) under.known.set(id, head);
  const next = await auditor();
  await until(() => next.notified().length > 0, { what: 'the fault' });
  expect(next.notified()).toContainEqual({
    orderId: '',
    entryId: '',
    reason: 'the log has 3 leaves, and a checkpoint over 6 was signed before',
  });
  await next.stop();
}, 60_000);

test('each audit that ends is reported with the number of violations that it found', async () => {
  const orderId = await chainOfThree();
  const one = await auditor();
  const last = (kind: AuditKind) => under.audits.findLast((audit) => audit.kind === kind);
  await one.fullAudits(1);
  expect(last(AuditKind.NEW_ENTRIES)?.violations).toBe(0);
  expect(last(AuditKind.FULL)?.violations).toBe(0);
  const known = under.audits.length;
  await attacker.query(`update entries set type = 'x' where order_id = $1 and sequence <= 2`, [
    orderId,
  ]);
  await until(() => under.audits.slice(known).some(({ violations }) => violations > 0), {
    what: 'an audit that found the edited entries',
  });
  await one.fullAudits(2);
  expect(last(AuditKind.FULL)?.violations).toBe(under.violations.length);
  expect(under.violations.length).toBeGreaterThanOrEqual(2);
  await one.stop();
}, 60_000);

/** A checkpoint as an attacker writes it, over the log as it is. */
const forge = async (...seeds: Buffer[]): Promise<void> => {
  const { rows } = await attacker.query('select size from log_state');
  await until(async () => (await under.anchored()).at(-1)?.includes(`\n${rows[0].size}\n`), {
    what: 'the newest checkpoint in the anchor',
  });
  const signer = noteSigner('log.test/custody', seeds);
  for (const vkey of signer.vkeys)
    await attacker.query('insert into log_keys (vkey) values ($1) on conflict do nothing', [vkey]);
  const newest = await attacker.query('select * from log_checkpoints order by size desc limit 1');
  const note = signer.sign(parseNote(newest.rows[0].note).text);
  await attacker.query('update log_checkpoints set note = $2 where size = $1', [
    rows[0].size,
    note,
  ]);
  const notes = [...(await under.anchored()).slice(0, -1), note];
  under.rewriteAnchor(notes.map((one) => JSON.stringify({ note: one })));
};

test('a signing key that was swapped is found, and one that the old key vouched for is believed', async () => {
  await chainOfThree();
  const one = await auditor();
  await one.passed();
  await one.stop();
  await chainOfThree();
  await forge(Buffer.alloc(32, 6));
  const two = await auditor();
  await until(() => two.notified().length > 0, { what: 'the fault' });
  expect(two.notified()).toEqual([
    {
      orderId: '',
      entryId: '',
      reason: 'the checkpoint over 6 leaves is not signed by a key that was known before',
    },
  ]);
  await two.stop();
  await forge(Buffer.alloc(32, 6), seed);
  const three = await auditor();
  await three.passed();
  expect(three.notified()).toEqual([]);
  await three.stop();
}, 60_000);

test('an auditor without a state file starts from the first leaf, and one with an invalid file does not start', async () => {
  await chainOfThree();
  const one = await auditor();
  await one.passed();
  await one.stop();
  const path = join(under.folder, 'auditor.json');
  const { state } = JSON.parse(readFileSync(path, 'utf8'));
  expect(JSON.parse(state).vkeys).toHaveLength(1);
  rmSync(path);
  const two = await auditor();
  await two.passed();
  expect(two.notified()).toEqual([]);
  await two.stop();
  writeFileSync(path, 'garbage');
  await expect(auditor()).rejects.toThrow();
}, 60_000);

test('its role can read everything and change nothing', async () => {
  const reader = new Client({ connectionString: under.database.readerUrl });
  await reader.connect();
  await reader.query('select * from entries');
  for (const statement of [
    'insert into log_keys (vkey) values (1)',
    'update chains set sequence = 0',
    'delete from log_queue',
    'update log_state set halted = null',
    'create table mine (n int)',
    `select rotate_daily_partitions('inbox', 1, 0)`,
  ])
    await expect(reader.query(statement)).rejects.toMatchObject({ code: '42501' });
  await reader.end();
});
