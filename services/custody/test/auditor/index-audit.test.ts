import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import {
  checkpointLines,
  checkpointText,
  parseNote,
  readCheckpointLines,
} from '@pto/custody-verifier';
import { until } from '@pto/testing';
import { Client } from 'pg';
import { noteSigner, readCheckpoint } from '../../src/notes/note-signer.ts';
import { type CustodyUnderTest, startCustodyService } from '../custody-service.ts';
import { startWriters } from '../writers.ts';
import { startAuditorBeside, stateFileOf } from './auditor-under-test.ts';

let under: CustodyUnderTest;
let attacker: Client;

beforeEach(async () => {
  under = await startCustodyService({ CUSTODY_CHECKPOINT_INTERVAL: '50ms' });
  attacker = new Client({ connectionString: under.database.superuserUrl });
  await attacker.connect();
  await attacker.query('set session_replication_role = replica');
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
    deadlineMs: 30_000,
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
  await until(quiet, { what: 'everything signed and anchored', deadlineMs: 30_000 });
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
    deadlineMs: 30_000,
  });
  await writers.stop();
  await until(async () => verifiedIndex()?.size === (await newest()).size, {
    what: 'the newest index to be verified',
    deadlineMs: 30_000,
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
    await until(() => reasons(two).length > 0, { what: 'the violation', deadlineMs: 20_000 });
    expect(reasons(two)).toContain(
      which === 'no index root'
        ? `the checkpoint over ${size} leaves carries no root of the order index`
        : `the checkpoint over ${size} leaves signs for another order index than its leaves make`,
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
    deadlineMs: 30_000,
  });
  await two.stop();
}, 120_000);
