import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { migrate, openDatabase, withoutSequentialScans } from '@pto/database';
import { createTelemetry } from '@pto/telemetry';
import { testDatabase } from '@pto/testing';
import { migrations } from '../../services/custody/migrations/index.ts';
import { fileAnchor } from '../../services/custody/src/anchor/file-anchor.ts';
import { checkpoint } from '../../services/custody/src/checkpoints/checkpoints.ts';
import { logSizes } from '../../services/custody/src/checkpoints/stored-checkpoints.ts';
import { integrate } from '../../services/custody/src/log/integrate.ts';
import { registerFirstKeys } from '../../services/custody/src/log/keys.ts';
import { noteSigner } from '../../services/custody/src/notes/note-signer.ts';
import { TopTiles } from '../../services/custody/src/order-index/tile-store.ts';

/** As in production: a checkpoint is signed at most this often. */
const intervalMs = 1000;
/** As in production: entries gather this long before they take their places together. */
const gatherMs = 100;
const origin = 'log.bench/custody';

export type OpenLedger = Awaited<ReturnType<typeof openLedger>>;

/** A ledger on a database of its own, whose log has that many leaves under a signed checkpoint. */
export const openLedger = async (leaves: number) => {
  const database = await testDatabase('bench');
  await migrate(database.ownerUrl, migrations);
  const open = (url: string) =>
    openDatabase({
      url,
      poolMax: 4,
      statementTimeoutMs: 120_000,
      lockTimeoutMs: 5000,
      session: withoutSequentialScans, // as custody's connections
      telemetry: createTelemetry({ service: 'bench', write: () => {} }),
    });
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
  const signing = { db, origin, signer, anchor, topTiles: new TopTiles() };
  const sign = async (interval: number) => {
    const halted = await checkpoint({ ...signing, intervalMs: interval });
    if (halted !== null) throw new Error(halted);
  };
  const integrateAll = async () => {
    while ((await integrate(db)) > 0);
  };
  await admin.query(
    `insert into log_queue (order_id, sequence, event_hash)
     select gen_random_uuid(), 1, encode(sha256(n::text::bytea), 'hex')
     from generate_series(1, $1::int) n`,
    [leaves],
  );
  await integrateAll();
  while ((await logSizes(db)).signed < leaves) await sign(0);
  await admin.query('vacuum analyze');

  return {
    db,
    admin,
    /** Gives entries their places in the log until the appending ends and no entry waits. */
    sequence: async (appending: Promise<void>) => {
      let ended = false;
      const end = () => {
        ended = true;
      };
      appending.then(end, end);
      for (; !ended; await setTimeout(gatherMs)) {
        await integrateAll();
        await sign(intervalMs);
      }
      await integrateAll();
    },
    close: async () => {
      await Promise.all([db.close(), admin.close()]);
      rmSync(folder, { recursive: true });
    },
  };
};
