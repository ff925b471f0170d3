/**
 * Appends to the ledger, chain and log, one order event each: with proofs of origin and signed
 * checkpoints that carry the order index (decisions 52 and 55) against without, and at a million
 * leaves against ten thousand. `node bench/append-entries.ts`; LEAVES sets the larger size.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { create, toBinary } from '@bufbuild/protobuf';
import { migrate, openDatabase, uuidv7 } from '@pto/database';
import {
  messageKeys,
  messageSigner,
  messageVerifier,
  type Sign,
} from '@pto/message-authentication';
import { OrderEventSchema } from '@pto/proto/orders/events/v1/order_event';
import { orderEventsTopic } from '@pto/proto/topics';
import { createTelemetry } from '@pto/telemetry';
import { testDatabase } from '@pto/testing';
import { migrations } from '../services/custody/migrations/index.ts';
import { fileAnchor } from '../services/custody/src/anchor/file-anchor.ts';
import { appendEvents } from '../services/custody/src/chain/append.ts';
import { checkpoint, logSizes } from '../services/custody/src/log/checkpoints.ts';
import { integrate } from '../services/custody/src/log/integrate.ts';
import { registerFirstKeys } from '../services/custody/src/log/keys.ts';
import { noteSigner } from '../services/custody/src/log/note-signer.ts';
import { TopTiles } from '../services/custody/src/order-index/top-tiles.ts';
import { compare, type Side } from './ratio.ts';
import { withStores } from './with-stores.ts';

const [small, large] = [10_000, Number(process.env.LEAVES ?? 1_000_000)];
const batch = 256;
/** As in production: a checkpoint is signed at most this often. */
const intervalMs = 1000;
/** As in production: entries gather this long before they take their places together. */
const gatherMs = 100;
const roundBatches = 32;

const ring = (name: string) =>
  messageKeys(name).parse(`bench:${randomBytes(32).toString('base64')}`);
const [orders, webhooks] = [ring('ORDERS_CUSTODY_KEYS'), ring('CUSTODY_WEBHOOKS_KEYS')];
const signAsOrders = messageSigner('orders', { custody: orders });
const signAsCustody = messageSigner('custody', { orders, webhooks });
const verify = messageVerifier({
  sender: 'orders',
  recipient: 'custody',
  keys: orders,
  withoutProof: 'reject',
});
const unchanged: Sign = (message) => message;

/**
 * What an append includes: `plain` chain and log alone; `authenticated` with proofs of origin, one
 * verified and two made; `complete` with signed, anchored and indexed checkpoints as well.
 */
type Kind = 'plain' | 'authenticated' | 'complete';

const open = (url: string) =>
  openDatabase({
    url,
    poolMax: 4,
    statementTimeoutMs: 120_000,
    lockTimeoutMs: 5000,
    telemetry: createTelemetry({ service: 'bench', write: () => {} }),
  });

const folder = mkdtempSync(join(tmpdir(), 'bench-'));
const origin = 'log.bench/custody';
const signer = noteSigner(origin, [Buffer.alloc(32, 5)]);
let anchors = 0;

/**
 * A ledger whose log has that many leaves. A round appends batches one after another while a
 * sequencer gives the entries their places beside it, as in production. When the round is over, all
 * its entries are in the log, and, if `complete`, under a signed and anchored checkpoint.
 */
const ledgerWith = async (leaves: number, kind: Kind) => {
  const { ownerUrl, serviceUrl, superuserUrl } = await testDatabase('bench');
  await migrate(ownerUrl, migrations);
  const [db, admin] = await Promise.all([open(serviceUrl), open(superuserUrl)]);
  await registerFirstKeys(db, signer.vkeys);
  const anchor = fileAnchor(join(folder, `anchor-${anchors++}.jsonl`));
  const topTiles = new TopTiles();
  const signCheckpoint = async () => {
    const halted = await checkpoint({ db, origin, signer, anchor, intervalMs: 0, topTiles });
    if (halted !== null) throw new Error(halted);
  };
  await admin.query(
    `insert into log_queue (order_id, sequence, event_hash)
     select gen_random_uuid(), 1, encode(sha256(n::text::bytea), 'hex')
     from generate_series(1, $1::int) n`,
    [leaves],
  );
  for (let done = 0; done < leaves; ) {
    done += await integrate(db);
    if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${leaves} leaves`);
  }
  if (kind === 'complete') while ((await logSizes(db)).signed < leaves) await signCheckpoint();
  await admin.query('vacuum analyze');
  const authenticated = kind !== 'plain';
  const integrateAll = async () => {
    while ((await integrate(db)) > 0);
  };
  const sequence = async (appending: Promise<void>) => {
    let ended = false;
    const end = () => {
      ended = true;
    };
    appending.then(end, end);
    for (let signedAt = performance.now(); !ended; await setTimeout(gatherMs)) {
      await integrateAll();
      if (kind !== 'complete' || performance.now() - signedAt < intervalMs) continue;
      signedAt = performance.now();
      await signCheckpoint();
    }
    await integrateAll();
    if (kind === 'complete') await signCheckpoint();
  };
  let messages: ReturnType<typeof orderEvent>[] = [];
  const appendAll = async () => {
    const sign = authenticated ? signAsCustody : unchanged;
    for (let at = 0; at < messages.length; at += batch) {
      const events = messages.slice(at, at + batch);
      if (authenticated && events.some(verify)) throw new Error('an event is not authentic');
      await db.transaction((tx) => appendEvents(events, tx, sign));
    }
  };
  const side: Side = {
    name: `${kind} at ${leaves.toLocaleString('en')} leaves`,
    prepare: async () => {
      const sign = authenticated ? signAsOrders : unchanged;
      messages = Array.from({ length: roundBatches * batch }, () => sign(orderEvent()));
    },
    round: async () => {
      const appending = appendAll();
      await Promise.all([appending, sequence(appending)]);
      return messages.length;
    },
  };
  return {
    side,
    /** Bytes of the index's tiles that each leaf since the start has written. */
    bytesPerLeaf: async () => {
      const [row] = await db.query<{ bytes: string; leaves: string; checkpoints: string }>(
        `select (select sum(octet_length(tile) + octet_length(prefix)) from order_index_tiles
           where size > $1) as bytes,
           max(size) - $1 as leaves, count(*) as checkpoints from log_checkpoints where size > $1`,
        [leaves],
      );
      return `${Math.round(Number(row?.bytes) / Number(row?.leaves))} bytes of tiles a leaf, ${Math.round(Number(row?.leaves) / Number(row?.checkpoints))} leaves a checkpoint`;
    },
    close: () => Promise.all([db.close(), admin.close()]),
  };
};

const orderEvent = () => {
  const [orderId, id] = [randomUUID(), uuidv7()];
  const event = create(OrderEventSchema, {
    id,
    organizationId: randomUUID(),
    orderId,
    sequence: 1,
    type: 'order.submitted',
    internalType: 'ORDER_SUBMITTED',
    tsUtc: '2026-01-15T09:30:00.000Z',
    payloadJson: '{"sla":"standard","item_count":2}',
    order: { status: 'SUBMITTED', updatedAt: '2026-01-15T09:30:00.000Z' },
  });
  return {
    topic: orderEventsTopic,
    key: orderId,
    id,
    type: event.type,
    value: toBinary(OrderEventSchema, event),
    partition: 0,
    offset: '0',
  };
};

await withStores(async () => {
  const plain = await ledgerWith(small, 'plain');
  const authenticated = await ledgerWith(small, 'authenticated');
  await compare('appends with proofs of origin', authenticated.side, plain.side);
  await authenticated.close();
  const complete = await ledgerWith(small, 'complete');
  await compare('appends with all of it', complete.side, plain.side);
  process.stderr.write(`  ${await complete.bytesPerLeaf()}\n`);
  await complete.close();
  const many = await ledgerWith(large, 'complete');
  await compare('appends with all of it to a large log', many.side, plain.side);
  process.stderr.write(`  ${await many.bytesPerLeaf()}\n`);
  await Promise.all([many.close(), plain.close()]);
});
rmSync(folder, { recursive: true });
