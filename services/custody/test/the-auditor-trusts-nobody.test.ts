import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readConfig } from '@pto/config';
import { checkpointText } from '@pto/custody-verifier';
import { createTelemetry } from '@pto/telemetry';
import { until } from '@pto/testing';
import { Client } from 'pg';
import { auditorSettings } from '../src/auditor/config.ts';
import { startAuditor } from '../src/auditor/service.ts';
import { noteSigner } from '../src/log/note-signer.ts';
import {
  anOrderId,
  anOrganization,
  type CustodyUnderTest,
  eventsOf,
  startCustodyService,
} from './custody-service.ts';

let under: CustodyUnderTest;
let attacker: Client;
const organizationId = anOrganization();
const seed = Buffer.alloc(32, 5); // the log's own, as the service has it

beforeEach(async () => {
  under = await startCustodyService();
  attacker = new Client({ connectionString: under.database.superuserUrl });
  await attacker.connect();
  await attacker.query('set session_replication_role = replica');
});
afterEach(async () => {
  await attacker.end();
  await under.stop();
});

const stateKey = Buffer.alloc(32, 9).toString('base64');

/** An auditor with the memory of those before it; its log lines, and a way to end it. */
const auditor = async (pause = '50ms') => {
  const lines: string[] = [];
  const telemetry = createTelemetry({ service: 'auditor', write: (line) => lines.push(line) });
  const { settings } = readConfig(auditorSettings, {
    ...under.environment,
    DATABASE_URL: under.database.readerUrl,
    CUSTODY_AUDITOR_STATE_FILE: join(under.folder, 'auditor.json'),
    CUSTODY_AUDITOR_STATE_KEY: stateKey,
    CUSTODY_AUDITOR_PAUSE: pause,
    MAIL_DIR: under.folder,
    MAIL_FROM: 'ledger@test.example',
    OPERATOR_MAIL: 'night@test.example,day@test.example',
  });
  const service = await startAuditor(settings, telemetry);
  const passes = () => lines.filter((line) => line.includes('audit pass completed')).length;
  return {
    faults: () =>
      lines
        .map((line) => JSON.parse(line))
        .filter(({ msg }) => msg === 'integrity violation')
        .map(({ orderId, entryId, reason }) => ({ orderId, entryId, reason })),
    unfinished: () => lines.filter((line) => line.includes('audit pass failed')),
    /** Whole passes from now on. */
    passed: async (count = 2) => {
      const enough = passes() + count;
      await until(() => passes() >= enough, { what: 'a pass', deadlineMs: 30_000 });
    },
    metric: async (name: string) =>
      Number(
        new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(
          await telemetry.metrics.metrics(),
        )?.[1] ?? Number.NaN,
      ),
    stop: () => service.stop(),
  };
};

const mails = () =>
  readdirSync(under.folder)
    .filter((name) => name.endsWith('.eml'))
    .map((name) => readFileSync(join(under.folder, name), 'utf8'));

const chainOfThree = async (): Promise<string> => {
  const orderId = anOrderId();
  await under.publish(eventsOf(orderId, organizationId, 3));
  const { headHash } = await until(
    async () => {
      const asked = { orderId, organizationId, atLeastSequence: 3 };
      const proof = await under.custody.getProof(asked);
      return proof.count === 3 && proof.log && proof;
    },
    { what: 'a checkpoint over the chain', deadlineMs: 20_000 },
  );
  const head = { sequence: 3, custodySequence: 3, custodyHeadHash: headHash };
  under.known.set(orderId, { orderId, ...head });
  return orderId;
};

test('a ledger that nobody touched is passed again and again, with nothing to tell', async () => {
  await chainOfThree();
  const one = await auditor();
  await one.passed(3);
  expect(one.faults()).toEqual([]);
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
  await until(() => one.unfinished().length > 0, { what: 'a pass that breaks off' });
  await attacker.query('alter table chains_to_be rename to chains');
  await one.passed(1);
  // a ledger that is still to be made is no news
  expect(one.unfinished().filter((line) => JSON.parse(line).level !== 'info')).toEqual([]);
  await one.stop();
}, 60_000);

test('an edited entry is told of once: in the log, on the order, in one mail, and in a metric', async () => {
  const orderId = await chainOfThree();
  const one = await auditor();
  await one.passed();
  const { rows } = await attacker.query(
    `update entries set type = 'order.closed' where order_id = $1 and sequence = 2 returning id`,
    [orderId],
  );
  await until(() => one.faults().length > 0, { what: 'the fault', deadlineMs: 20_000 });
  await one.passed(3);
  const reason = 'event_hash does not match what the entry says';
  expect(one.faults()).toEqual([{ orderId, entryId: rows[0].id, reason }]);
  expect(under.violations).toMatchObject([{ orderId, entryId: rows[0].id, reason }]);
  expect(await one.metric('custody_faults')).toBe(1);
  const [mail, ...more] = mails();
  expect(more).toEqual([]);
  expect(mail).toContain('To: night@test.example, day@test.example');
  expect(mail!.replaceAll('=\r\n', '')).toContain(
    `order ${orderId}, entry ${rows[0].id}: ${reason}`,
  );
  await one.stop();
}, 60_000);

test('a database and an anchor that were both set back contradict what it remembers', async () => {
  await chainOfThree();
  const tables = ['entries', 'chains', 'log_leaves', 'log_tiles', 'log_checkpoints', 'log_state'];
  for (const table of tables) await attacker.query(`create table old_${table} as table ${table}`);
  const oldAnchor = await under.anchored();
  const known = new Map(under.known);
  await chainOfThree();
  const one = await auditor();
  await one.passed();
  await one.stop(); // it is away while it happens
  for (const table of tables) {
    await attacker.query(`delete from ${table}`);
    await attacker.query(`insert into ${table} select * from old_${table}`);
  }
  under.rewriteAnchor(oldAnchor.map((note) => JSON.stringify({ note })));
  under.known.clear();
  for (const [id, head] of known) under.known.set(id, head);
  const next = await auditor();
  await until(() => next.faults().length > 0, { what: 'the fault', deadlineMs: 20_000 });
  expect(next.faults()).toContainEqual({
    orderId: '',
    entryId: '',
    reason: 'the log has 3 leaves, and a checkpoint over 6 was signed before',
  });
  await next.stop();
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
  const root = newest.rows[0].root;
  const note = signer.sign(
    checkpointText({ origin: 'log.test/custody', size: Number(rows[0].size), root }),
  );
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
  await until(() => two.faults().length > 0, { what: 'the fault', deadlineMs: 20_000 });
  expect(two.faults()).toEqual([
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
  expect(three.faults()).toEqual([]);
  await three.stop();
}, 60_000);

test('an auditor that has lost its memory begins anew, and one whose memory is no memory does not start', async () => {
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
  expect(two.faults()).toEqual([]);
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
