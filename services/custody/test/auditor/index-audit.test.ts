import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import {
  checkpointLines,
  checkpointText,
  parseNote,
  readCheckpointLines,
} from '@pto/custody-verifier';
import { openDatabase } from '@pto/database';
import { createTelemetry } from '@pto/telemetry';
import { until } from '@pto/testing';
import type { Client } from 'pg';
import { auditIndex } from '../../src/auditor/audit-index.ts';
import type { Auditing } from '../../src/auditor/state.ts';
import { noteSigner, readCheckpoint } from '../../src/log/note-signer.ts';
import {
  anOrderId,
  anOrganization,
  type CustodyUnderTest,
  connectAttacker,
  eventsOf,
  startCustodyService,
} from '../custody-service.ts';
import { startWriters } from '../writers.ts';
import { startAuditorBeside, stateFileOf } from './auditor-under-test.ts';

let under: CustodyUnderTest;
let attacker: Client;

beforeEach(async () => {
  under = await startCustodyService({ CUSTODY_CHECKPOINT_INTERVAL: '50ms' });
  attacker = await connectAttacker(under);
});
afterEach(async () => {
  await attacker.end();
  await under.stop();
});

const newest = async (): Promise<{ size: number; note: string }> => {
  const { rows } = await attacker.query(
    'select size::int, note from log_checkpoints order by size desc limit 1',
  );
  return rows[0] ?? { size: 0, note: '' };
};

/** Writes for a while; at its end every entry is under an anchored checkpoint. */
const write = async (leaves: number): Promise<void> => {
  const writers = startWriters(under);
  const { size } = await newest();
  await until(async () => (await newest()).size >= size + leaves, {
    what: 'a checkpoint over what was written',
  });
  await writers.stop();
  const quiet = async () => {
    const { rows } = await attacker.query(
      `select (select count(*) from log_queue) = 0
         and s.size = (select max(size) from log_checkpoints) and s.size = s.anchored_size as quiet
       from log_state s`,
    );
    return rows[0].quiet;
  };
  await until(quiet, { what: 'everything signed and anchored' });
};

const verifiedIndex = (): { size: number } | null =>
  JSON.parse(JSON.parse(readFileSync(stateFileOf(under), 'utf8')).state).index;

const reasons = (one: Awaited<ReturnType<typeof startAuditorBeside>>) =>
  one.notified().map(({ reason }) => reason);

test('the order index of each checkpoint is computed again while writers run', async () => {
  await write(20);
  const one = await startAuditorBeside(under);
  const writers = startWriters(under);
  const { size } = await newest();
  await until(async () => (await newest()).size > size + 100, {
    what: 'checkpoints',
  });
  await writers.stop();
  await until(async () => verifiedIndex()?.size === (await newest()).size, {
    what: 'the newest index to be verified',
  });
  expect(reasons(one)).toEqual([]);
  expect(await one.metric('custody_audit_unconfirmed_total')).toBe(0);
  await one.stop();
}, 90_000);

test('an index whose earlier tiles are no longer stored is computed from all leaves', async () => {
  await write(20);
  const one = await startAuditorBeside(under);
  await until(async () => verifiedIndex()?.size === (await newest()).size, { what: 'the index' });
  await one.stop();
  await write(20);
  await attacker.query(
    'delete from order_index_versions where size < (select max(size) from order_index_versions)',
  );
  const two = await startAuditorBeside(under);
  await until(async () => verifiedIndex()?.size === (await newest()).size, { what: 'the index' });
  expect(reasons(two)).toEqual([]);
  await two.stop();
}, 90_000);

test.each(['an index root', 'no index root'])(
  'a checkpoint that the log key signed with %s that its leaves do not make is found',
  async (which) => {
    await write(10);
    const one = await startAuditorBeside(under);
    await until(async () => verifiedIndex()?.size === (await newest()).size, { what: 'the index' });
    await one.stop();
    await write(10);
    const { size, note } = await newest();
    const { time } = readCheckpointLines(parseNote(note).text);
    const indexRoot = which === 'no index root' ? null : Buffer.alloc(32, 1);
    const forged = noteSigner('log.test/custody', [Buffer.alloc(32, 5)]).sign(
      checkpointText(readCheckpoint(note)) + checkpointLines({ indexRoot, time: time! }),
    );
    await attacker.query('update log_checkpoints set note = $2 where size = $1', [size, forged]);
    const anchored = (await under.anchored()).map((each) => (each === note ? forged : each));
    under.rewriteAnchor(anchored.map((each) => JSON.stringify({ note: each })));
    const two = await startAuditorBeside(under);
    await until(() => reasons(two).length > 0, { what: 'the violation' });
    expect(reasons(two)).toContain(
      which === 'no index root'
        ? `the checkpoint over ${size} leaves carries no root of the order index`
        : `the order index root of the checkpoint over ${size} leaves differs from the root recomputed from its leaves`,
    );
    await two.stop();
  },
  90_000,
);

test('a tile of the index that was changed is found', async () => {
  await write(10);
  const one = await startAuditorBeside(under);
  await until(async () => verifiedIndex()?.size === (await newest()).size, { what: 'the index' });
  await one.stop();
  await attacker.query(
    'update order_index_tiles set tile = set_byte(tile, 40, get_byte(tile, 40) # 1)',
  );
  await write(10).catch(() => {}); // signing may stop at the changed tile
  const two = await startAuditorBeside(under);
  await until(() => reasons(two).some((reason) => reason.includes('order index')), {
    what: 'the violation',
  });
  await two.stop();
}, 120_000);

test('an entry that is lost after its audit does not stop the audit of the index', async () => {
  const signed = (size: number) =>
    until(async () => (await newest()).size === size, { what: `a checkpoint over ${size} leaves` });
  const events = eventsOf(anOrderId(), anOrganization(), 4);
  await under.publish(events.slice(0, 2));
  await signed(2);
  const one = await startAuditorBeside(under);
  await until(async () => verifiedIndex()?.size === 2, { what: 'the index' });
  await one.stop();
  const { state } = JSON.parse(readFileSync(stateFileOf(under), 'utf8'));
  await under.publish(events.slice(2));
  await signed(4);
  await attacker.query('delete from entries where sequence = 3');
  const db = await openDatabase({
    url: under.database.superuserUrl,
    poolMax: 2,
    statementTimeoutMs: 5000,
    lockTimeoutMs: 5000,
    telemetry: createTelemetry({ service: 'test', write: () => {} }),
  });
  const auditing = { db, stopping: new AbortController().signal, unconfirmed: () => {} };
  const from = { ...JSON.parse(state), log: { size: 4, hashes: [] } };
  const audited = await auditIndex(auditing as unknown as Auditing, from);
  expect(audited.violations).toEqual([]);
  expect(audited.state.index?.size).toBe(4);
  await db.close();
}, 60_000);
