import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { parseNote, readCheckpointLines } from '@pto/custody-verifier';
import { until } from '@pto/testing';
import { rebuildIndex } from '../../src/auditor/audit-index.ts';
import { startLog } from './a-log.ts';
import { sequencers } from './a-sequencer.ts';

let log: Awaited<ReturnType<typeof startLog>>;
let processes: Awaited<ReturnType<typeof sequencers>>;
beforeEach(async () => {
  log = await startLog();
  processes = await sequencers(log.serviceUrl);
});
afterEach(async () => {
  processes.stop();
  await log.stop();
});

const hex = (bytes: Uint8Array | null) => Buffer.from(bytes ?? []).toString('hex');

const checkpoints = async () => {
  const rows = await log.db.query<{ size: string; note: string }>(
    'select size, note from log_checkpoints order by size',
  );
  return rows.map(({ size, note }) => ({
    size: Number(size),
    ...readCheckpointLines(parseNote(note).text),
  }));
};
const signed = async () => (await checkpoints()).at(-1)?.size ?? 0;

/** Every checkpoint carries the root that its leaves give; the stored index is the newest one's. */
const expectAgreement = async () => {
  const all = await checkpoints();
  for (const { size, indexRoot } of all)
    expect([size, hex(indexRoot)]).toEqual([size, hex(await rebuildIndex(log.db, size))]);
  const versions = await log.db.query<{ size: string; root: Buffer }>(
    'select size, root from order_index_versions order by size',
  );
  expect(versions.map(({ size, root }) => [Number(size), hex(root)])).toEqual(
    all.map(({ size, indexRoot }) => [size, hex(indexRoot)]),
  );
  const [tiles] = await log.db.query<{ beyond: string }>(
    'select count(*) as beyond from order_index_tiles where size > $1',
    [all.at(-1)?.size ?? 0],
  );
  expect(tiles?.beyond).toBe('0');
  const times = all.map(({ time }) => time!);
  expect(times).toEqual(times.toSorted());
};

test('a process killed while it signs leaves neither a checkpoint nor an index of it', async () => {
  const orders = log.newOrders(200);
  let process = await processes.start();
  await log.append(orders);
  await until(async () => (await signed()) === log.leaves.length, {
    what: 'the first checkpoint',
  });
  for (let kill = 0; kill < 2; kill++) {
    await log.owner.transaction(async (tx) => {
      // stored when the index is extended, before the announcement and the commit are sent
      await tx.query('lock table log_checkpoints in share mode');
      await log.append(orders.slice(kill, 60));
      await until(
        async () => {
          const waiting = await log.db.query(
            `select from pg_locks where relation = 'log_checkpoints'::regclass and not granted`,
          );
          return waiting.length > 0;
        },
        { what: 'a transaction that signs' },
      );
      await process.kill();
    });
    await expectAgreement();
    const before = await signed();
    expect(before).toBeLessThan(log.leaves.length);
    process = await processes.start();
    await until(async () => (await signed()) === log.leaves.length, {
      what: 'a checkpoint after the kill',
    });
    await expectAgreement();
  }
}, 180_000);

test('two processes at once sign one sequence of indexes', async () => {
  await processes.start();
  await processes.start();
  const orders = log.newOrders(300);
  for (let batch = 0; batch < 15; batch++) {
    const picked = Array.from({ length: 30 }, (_, n) => orders[(batch * 37 + n * 11) % 300]!);
    await log.append(picked);
    const wanted = log.leaves.length - 60;
    await until(async () => (await signed()) >= wanted, {
      what: 'a checkpoint',
    });
  }
  await until(async () => (await signed()) === log.leaves.length, { what: 'the last checkpoint' });
  expect((await checkpoints()).length).toBeGreaterThan(3);
  await expectAgreement();
}, 120_000);
