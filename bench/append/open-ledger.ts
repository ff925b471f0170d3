import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { withoutSequentialScans } from '@pto/database';
import { createTelemetry } from '@pto/telemetry';
import { testDatabase } from '@pto/testing';
import type { LedgerCode } from './ledger-code.ts';

/** As in production: a checkpoint is signed at most this often. */
const intervalMs = 1000;
/** As in production: entries gather this long before they take their places together. */
const gatherMs = 100;
const origin = 'log.bench/custody';

export type OpenLedger = Awaited<ReturnType<typeof openLedger>>;

/**
 * A ledger on a database of its own, whose log has that many leaves.
 * @param signed with signed and anchored checkpoints; they carry the order index if the code has one.
 */
export const openLedger = async (code: LedgerCode, leaves: number, signed: boolean) => {
  const database = await testDatabase('bench');
  await code.migrate(database.ownerUrl, code.migrations);
  const open = (url: string) =>
    code.openDatabase({
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
  const signer = code.noteSigner(origin, [Buffer.alloc(32, 5)]);
  await code.registerFirstKeys(owner, signer.vkeys);
  await owner.close();
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const anchor = code.fileAnchor(join(folder, 'anchor.jsonl'));
  const topTiles = code.TopTiles && new code.TopTiles();
  const signing = { db, origin, signer, anchor, ...(topTiles && { topTiles }) };
  const sign = async (interval: number) => {
    const halted = await code.checkpoint({ ...signing, intervalMs: interval });
    if (halted !== null) throw new Error(halted);
  };
  const integrateAll = async () => {
    while ((await code.integrate(db)) > 0);
  };
  await admin.query(
    `insert into log_queue (order_id, sequence, event_hash)
     select gen_random_uuid(), 1, encode(sha256(n::text::bytea), 'hex')
     from generate_series(1, $1::int) n`,
    [leaves],
  );
  await integrateAll();
  if (signed) while ((await code.logSizes(db)).signed < leaves) await sign(0);
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
        if (signed) await sign(intervalMs);
      }
      await integrateAll();
    },
    close: async () => {
      await Promise.all([db.close(), admin.close()]);
      rmSync(folder, { recursive: true });
    },
  };
};
