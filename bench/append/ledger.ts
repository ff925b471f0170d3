import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createTelemetry } from '@pto/telemetry';
import { testDatabase } from '@pto/testing';
import type { Side } from '../ratio.ts';
import { backendCpu, microsSince } from './backend-cpu.ts';
import type { LedgerCode } from './ledger-code.ts';
import { orderEvents } from './order-event.ts';
import { signAsCustody, signAsOrders, verifyAsCustody } from './proofs.ts';

/** What an append includes, beside chain and log: the rest of it is the code's. */
export interface Parts {
  /** Proofs of origin: one verified, two made. */
  readonly authenticated: boolean;
  /** Signed and anchored checkpoints; they carry the order index if the code has one. */
  readonly signed: boolean;
}

const batch = 256;
/** As in production: a checkpoint is signed at most this often. */
const intervalMs = 1000;
/** As in production: entries gather this long before they take their places together. */
const gatherMs = 100;
const roundBatches = 32;
/** With 1, each append begins a chain. */
const eventsPerOrder = Number(process.env.EVENTS_PER_ORDER ?? 1);
const origin = 'log.bench/custody';

/**
 * A ledger whose log has that many leaves. A round appends batches one after another while a
 * sequencer gives the entries their places and signs checkpoints beside it, as in production. When
 * the round is over, all its entries are in the log; those behind the last checkpoint come under the
 * first one of the next round.
 */
export const ledgerWith = async (code: LedgerCode, leaves: number, parts: Parts) => {
  const database = await testDatabase('bench');
  await code.migrate(database.ownerUrl, code.migrations);
  const open = (url: string) =>
    code.openDatabase({
      url,
      poolMax: 4,
      statementTimeoutMs: 120_000,
      lockTimeoutMs: 5000,
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
  if (parts.signed) while ((await code.logSizes(db)).signed < leaves) await sign(0);
  await admin.query('vacuum analyze');

  const sequence = async (appending: Promise<void>) => {
    let ended = false;
    const end = () => {
      ended = true;
    };
    appending.then(end, end);
    for (; !ended; await setTimeout(gatherMs)) {
      await integrateAll();
      if (parts.signed) await sign(intervalMs);
    }
    await integrateAll();
  };
  let messages: ReturnType<typeof orderEvents> = [];
  const appendAll = async () => {
    for (let at = 0; at < messages.length; at += batch) {
      const events = messages.slice(at, at + batch);
      if (parts.authenticated && events.some(verifyAsCustody))
        throw new Error('an event is not authentic');
      await db.transaction((tx) =>
        code.appendEvents(events, tx, parts.authenticated ? signAsCustody : (message) => message),
      );
    }
  };
  let [begun, storeMicros] = [await backendCpu(admin), 0];
  const side = (name: string): Side => ({
    name,
    prepare: async () => {
      messages = orderEvents(roundBatches * batch, eventsPerOrder);
      if (parts.authenticated) messages = messages.map(signAsOrders);
      begun = await backendCpu(admin);
    },
    round: async () => {
      const appending = appendAll();
      await Promise.all([appending, sequence(appending)]);
      return messages.length;
    },
    finish: async () => {
      storeMicros = microsSince(begun, await backendCpu(admin));
    },
    storeMicros: () => storeMicros,
  });
  return {
    side,
    /** What the index has written for the leaves that came under checkpoints since the start. */
    indexWritten: async () => {
      const [row] = await admin.query<{ bytes: string; leaves: string; checkpoints: string }>(
        `select (select sum(octet_length(tile) + octet_length(prefix)) from order_index_tiles
           where size > $1) as bytes,
           max(size) - $1 as leaves, count(*) as checkpoints from log_checkpoints where size > $1`,
        [leaves],
      );
      const of = Number(row?.leaves);
      return `${Math.round(Number(row?.bytes) / of)} bytes of tiles a leaf, ${Math.round(of / Number(row?.checkpoints))} leaves a checkpoint`;
    },
    close: async () => {
      await Promise.all([db.close(), admin.close()]);
      rmSync(folder, { recursive: true });
    },
  };
};
