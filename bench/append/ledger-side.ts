import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBatches } from '@pto/concurrency';
import { type Database, migrate, withoutSequentialScans } from '@pto/database';
import { testDatabase, until } from '@pto/testing';
import { inLanes } from '../../e2e/load.ts';
import { migrations } from '../../services/custody/migrations/index.ts';
import { fileAnchor } from '../../services/custody/src/anchor/file-anchor.ts';
import { startSequencer } from '../../services/custody/src/checkpoints/sequencer.ts';
import { logSizes } from '../../services/custody/src/checkpoints/stored-checkpoints.ts';
import { registerFirstKeys } from '../../services/custody/src/log/keys.ts';
import { noteSigner } from '../../services/custody/src/log/note-signer.ts';
import { roundOf } from '../measuring/percentile.ts';
import type { Side } from '../measuring/ratio.ts';
import { openSilently, silent } from '../measuring/silent-database.ts';
import { type AppendedLeaf, type Checkpoint, checkpointTimes } from './checkpoint-times.ts';
import {
  callerCount,
  checkpointMs,
  leavesBefore,
  type OrderMessage,
  orderEvents,
} from './order-event.ts';

const origin = 'log.bench/custody';
const deadlineMs = 120_000;

/** How events get into a ledger, and what each round needs before. */
interface Way {
  readonly name: string;
  append(messages: readonly OrderMessage[]): Promise<unknown>;
  prepare?(messages: readonly OrderMessage[]): Promise<unknown>;
}

/**
 * A side of 100 callers that append one event each to a ledger on a database of its own, beside the
 * service's sequencer. Calls that arrive while a batch is appended share the next batch. The log has
 * leaves under a signed checkpoint before; a round ends when each event has its place in it.
 */
export const ledgerSide = async (wayOf: (db: Database, admin: Database) => Way) => {
  const database = await testDatabase('bench');
  await migrate(database.ownerUrl, migrations);
  // as custody's connections
  const open = (url: string) => openSilently(url, { poolMax: 4, session: withoutSequentialScans });
  const [db, owner, admin] = await Promise.all([
    open(database.serviceUrl),
    open(database.ownerUrl),
    open(database.superuserUrl),
  ]);
  const signer = noteSigner(origin, [Buffer.alloc(32, 5)]);
  await registerFirstKeys(owner, signer.vkeys);
  await owner.close();
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const anchor = fileAnchor(join(folder, 'anchor.jsonl'));
  let checkpoints: Checkpoint[] = [];
  const watch = async () => {
    const { signed: size } = await logSizes(db);
    if (size > (checkpoints.at(-1)?.size ?? 0)) checkpoints.push({ size, at: performance.now() });
  };
  let watching = Promise.resolve();
  const sequencer = startSequencer(
    { db, origin, signer, anchor, intervalMs: checkpointMs },
    silent(),
    {
      placed: () => {},
      anchored: () => {
        watching = watching.then(watch);
      },
    },
  );
  const reach = (part: 'leaves' | 'signed', size: number) =>
    until(async () => (await logSizes(db))[part] >= size, { what: part, deadlineMs });
  await admin.query(
    `with filled as (
       insert into chains (order_id, organization_id, sequence, head_hash)
       select gen_random_uuid(), gen_random_uuid(), 1, encode(sha256(n::text::bytea), 'hex')
       from generate_series(1, $1::int) n returning order_id, sequence, head_hash)
     insert into log_queue (order_id, sequence, event_hash) table filled`,
    [leavesBefore],
  );
  sequencer.wake();
  await reach('signed', leavesBefore);
  await admin.query('vacuum analyze');

  const way = wayOf(db, admin);
  const append = createBatches<OrderMessage, void>(
    async (batch) => {
      await way.append(batch);
      sequencer.wake();
      return () => {};
    },
    { inFlightMax: 1, batchMax: 256, waitingMax: 1024 },
  );
  const times = checkpointTimes();
  const begun = new Map<string, number>();
  let messages: OrderMessage[] = [];
  let size = leavesBefore;
  const side: Side = {
    name: way.name,
    processes: ['node', 'postgres'],
    prepare: async () => {
      messages = orderEvents();
      await way.prepare?.(messages);
    },
    round: async () => {
      begun.clear();
      size = (await logSizes(db)).leaves;
      const ms: number[] = [];
      await inLanes(messages.length, callerCount, async (n) => {
        const at = performance.now();
        begun.set(messages[n]!.key, at);
        await append(messages[n]!);
        ms.push(performance.now() - at);
      });
      await reach('leaves', size + messages.length);
      return roundOf(ms);
    },
    /** Waits for a checkpoint over all leaves. */
    settle: async () => {
      await reach('signed', size + begun.size);
      await until(() => (checkpoints.at(-1)?.size ?? 0) >= size + begun.size, {
        what: 'the checkpoint',
        deadlineMs,
      });
      const placed = await admin.query<{ index: number; order_id: string }>(
        'select leaf_index::int as index, order_id from log_leaves where leaf_index >= $1',
        [size],
      );
      const appended = placed.map(
        ({ index, order_id }): AppendedLeaf => ({ index, begun: begun.get(order_id)! }),
      );
      times.add(appended, checkpoints);
      checkpoints = checkpoints.slice(-1);
    },
    /** The number of leaves of the last round. */
    rows: async () => (await logSizes(db)).leaves - size,
  };
  const close = async (): Promise<void> => {
    times.print(way.name);
    await sequencer.stop();
    await watching;
    await Promise.all([db.close(), admin.close()]);
    rmSync(folder, { recursive: true });
  };
  return { ...side, close };
};
