import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate, withoutSequentialScans } from '@pto/database';
import { testDatabase, until } from '@pto/testing';
import { migrations } from '../../services/custody/migrations/index.ts';
import { fileAnchor } from '../../services/custody/src/anchor/file-anchor.ts';
import { startSequencer } from '../../services/custody/src/checkpoints/sequencer.ts';
import { logSizes } from '../../services/custody/src/checkpoints/stored-checkpoints.ts';
import { registerFirstKeys } from '../../services/custody/src/log/keys.ts';
import { noteSigner } from '../../services/custody/src/log/note-signer.ts';
import { openSilently, silent } from '../measuring/silent-database.ts';
import { type AppendedLeaf, leafTimes, type Published } from './leaf-times.ts';
import { callAll, type OrderMessage } from './order-event.ts';

const origin = 'log.bench/custody';
const deadlineMs = 120_000;

/**
 * A ledger on a database of its own with the service's sequencer, whose log has that many leaves
 * under a signed checkpoint.
 */
export const openLedger = async (leaves: number, intervalMs: number) => {
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
  let checkpoints: Published[] = [];
  let sizes: Published[] = [];
  const note = (list: Published[], size: number) => {
    if (size > (list.at(-1)?.size ?? 0)) list.push({ size, at: performance.now() });
  };
  const watch = async () => {
    const { leaves, signed } = await logSizes(db);
    note(sizes, leaves);
    note(checkpoints, signed);
  };
  let watching = Promise.resolve();
  const look = () => {
    watching = watching.then(watch);
  };
  const sequencer = startSequencer({ db, origin, signer, anchor, intervalMs }, silent(), {
    placed: look,
    anchored: look,
  });
  const reach = (part: 'leaves' | 'signed', size: number) =>
    until(async () => (await logSizes(db))[part] >= size, { what: part, deadlineMs });
  await admin.query(
    `with filled as (
       insert into chains (order_id, organization_id, sequence, head_hash)
       select gen_random_uuid(), gen_random_uuid(), 1, encode(sha256(n::text::bytea), 'hex')
       from generate_series(1, $1::int) n returning order_id, sequence, head_hash)
     insert into log_queue (order_id, sequence, event_hash) table filled`,
    [leaves],
  );
  sequencer.wake();
  await reach('signed', leaves);
  await admin.query('vacuum analyze');

  const times = leafTimes();
  const begun = new Map<string, number>();
  let size = leaves;
  return {
    db,
    admin,
    wake: sequencer.wake,
    /** 100 callers append the messages; ends when each entry has its place in the log. */
    appendAll: async (
      messages: readonly OrderMessage[],
      append: (message: OrderMessage) => Promise<void>,
    ) => {
      begun.clear();
      size = (await logSizes(db)).leaves;
      const round = await callAll(messages, (message) => {
        begun.set(message.key, performance.now());
        return append(message);
      });
      await reach('leaves', size + messages.length);
      return round;
    },
    /** Waits for a checkpoint over all leaves. */
    settle: async (): Promise<void> => {
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
      times.add(appended, sizes, checkpoints);
      checkpoints = checkpoints.slice(-1);
      sizes = sizes.slice(-1);
    },
    /** The number of leaves of the last round. */
    rows: async (): Promise<number> => (await logSizes(db)).leaves - size,
    close: async (name: string): Promise<void> => {
      times.print(name);
      await sequencer.stop();
      await watching;
      await Promise.all([db.close(), admin.close()]);
      rmSync(folder, { recursive: true });
    },
  };
};
