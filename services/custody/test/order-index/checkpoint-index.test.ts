import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { checkpointLines, parseNote, readCheckpointLines } from '@pto/custody-verifier';
import { rebuildIndex } from '../../src/auditor/audit-index.ts';
import { buildIndex, indexForCheckpoint } from '../../src/checkpoints/checkpoints.ts';
import { holdLog } from '../../src/log/integrate.ts';
import { noteSigner } from '../../src/log/note-signer.ts';
import { extendMax } from '../../src/order-index/order-index.ts';
import { startLog } from './a-log.ts';

let log: Awaited<ReturnType<typeof startLog>>;
beforeAll(async () => {
  log = await startLog();
});
afterAll(() => log.stop());

const signer = noteSigner('log.test/custody', [Buffer.alloc(32, 5)]);
const hex = (bytes: Uint8Array | null | undefined) => Buffer.from(bytes ?? []).toString('hex');

/** Signs what the index decides; @returns what was signed, or null. */
const sign = () =>
  log.db.transaction(async (tx) => {
    await holdLog(tx);
    const [last] = await tx.query<{ size: string; note: string }>(
      'select size, note from log_checkpoints order by size desc limit 1',
    );
    const before = last ? { size: Number(last.size), note: last.note } : null;
    const next = await indexForCheckpoint(tx, before, log.leaves.length);
    if (!next) return null;
    const text = `log.test/custody\n${next.size}\n${Buffer.alloc(32).toString('base64')}\n`;
    const note = signer.sign(text + checkpointLines({ indexRoot: next.root, time: null }));
    await tx.query('insert into log_checkpoints (size, root, note) values ($1, $2, $3)', [
      next.size,
      Buffer.alloc(32),
      note,
    ]);
    return { size: next.size, root: readCheckpointLines(parseNote(note).text).indexRoot };
  });

test('of a long queue, a checkpoint covers the first 16,384 leaves', async () => {
  await log.append(log.newOrders(3));
  expect(await sign()).toMatchObject({ size: 3 });
  const before = log.leaves.length;
  await log.append(log.newOrders(extendMax + 5));
  expect((await sign())?.size).toBe(before + extendMax);
  const second = await sign();
  expect(second?.size).toBe(before + extendMax + 5);
  expect(hex(second?.root)).toBe(hex(await rebuildIndex(log.db, second!.size)));
}, 60_000);

test('a stored index that is not the signed one stops the signing', async () => {
  await log.append(log.newOrders(1));
  await log.owner.query(
    `update order_index_versions set root = sha256(root)
     where size = (select max(size) from order_index_versions)`,
  );
  await expect(sign()).rejects.toThrow(/is not the signed one/);
});

test('an index that was lost is built again before the next checkpoint', async () => {
  await log.owner.query('truncate order_index_tiles, order_index_versions');
  expect(await sign()).toBeNull();
  while (await buildIndex(log.db));
  const next = await sign();
  expect(next?.size).toBe(log.leaves.length);
  expect(hex(next?.root)).toBe(hex(await rebuildIndex(log.db, log.leaves.length)));
}, 60_000);
