/**
 * Appends to the ledger, chain and log, against the same at another size of the log, and against
 * the same with signed checkpoints that carry the order index (decision 52).
 * `node bench/append-entries.ts`; LEAVES sets the larger size.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create, toBinary } from '@bufbuild/protobuf';
import { migrate, openDatabase, uuidv7 } from '@pto/database';
import { OrderEventSchema } from '@pto/proto/orders/events/v1/order_event';
import { createTelemetry } from '@pto/telemetry';
import { testDatabase } from '@pto/testing';
import { migrations } from '../services/custody/migrations/index.ts';
import { fileAnchor } from '../services/custody/src/anchor/file-anchor.ts';
import { appendEvents } from '../services/custody/src/chain/append.ts';
import { checkpoint, logSizes } from '../services/custody/src/log/checkpoints.ts';
import { integrate } from '../services/custody/src/log/integrate.ts';
import { registerKeys } from '../services/custody/src/log/keys.ts';
import { noteSigner } from '../services/custody/src/log/note-signer.ts';
import { compare, type Side } from './ratio.ts';
import { withStores } from './with-stores.ts';

const [small, large] = [10_000, Number(process.env.LEAVES ?? 1_000_000)];
const batch = 256;
/** As in production: a checkpoint is signed at most this often. */
const intervalMs = 1000;

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
 * A ledger whose log has that many leaves, each of another order; a round appends a batch and
 * integrates it into the log. With `signed`, it then signs and anchors a checkpoint when one is due.
 */
const ledgerWith = async (leaves: number, signed: boolean) => {
  const { ownerUrl, serviceUrl, superuserUrl } = await testDatabase('bench');
  await migrate(ownerUrl, migrations);
  const [db, admin] = await Promise.all([open(serviceUrl), open(superuserUrl)]);
  await registerKeys(db, signer.vkeys);
  const anchor = fileAnchor(join(folder, `anchor-${anchors++}.jsonl`));
  const sign = async (everyMs: number) => {
    const halted = await checkpoint({ db, origin, signer, anchor, intervalMs: everyMs });
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
  let signedAt = 0;
  if (signed) while ((await logSizes(db)).signed < leaves) await sign(0);
  await admin.query('vacuum analyze');
  const side: Side = {
    name: `${leaves.toLocaleString('en')} leaves${signed ? ', signed with the index' : ''}`,
    round: async () => {
      const messages = Array.from({ length: batch }, message);
      await db.transaction((tx) => appendEvents(messages, tx));
      for (let taken = batch; taken > 0; ) taken = await integrate(db);
      if (signed && performance.now() - signedAt > intervalMs) {
        await sign(0);
        signedAt = performance.now();
      }
      return batch;
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

const message = () => {
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
    topic: 'orders.order-events.v1',
    key: orderId,
    id,
    type: event.type,
    value: toBinary(OrderEventSchema, event),
    partition: 0,
    offset: '0',
  };
};

await withStores(async () => {
  const few = await ledgerWith(small, false);
  const fewSigned = await ledgerWith(small, true);
  await compare('appends with the signed order index against without', fewSigned.side, few.side);
  process.stderr.write(`  ${await fewSigned.bytesPerLeaf()}\n`);
  await fewSigned.close();
  const many = await ledgerWith(large, false);
  await compare('appends to the ledger, log included', many.side, few.side);
  await few.close();
  const manySigned = await ledgerWith(large, true);
  await compare('appends with the signed order index against without', manySigned.side, many.side);
  process.stderr.write(`  ${await manySigned.bytesPerLeaf()}\n`);
  await Promise.all([many.close(), manySigned.close()]);
});
rmSync(folder, { recursive: true });
