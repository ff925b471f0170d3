import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createBatches } from '@pto/concurrency';
import { migrate, withoutSequentialScans } from '@pto/database';
import { messageSigner, messageVerifier } from '@pto/message-authentication';
import { testDatabase } from '@pto/testing';
import { migrations } from '../../services/custody/migrations/index.ts';
import { fileAnchor } from '../../services/custody/src/anchor/file-anchor.ts';
import { appendEvents } from '../../services/custody/src/chain/append.ts';
import { checkpoint } from '../../services/custody/src/checkpoints/checkpoints.ts';
import { logSizes } from '../../services/custody/src/checkpoints/stored-checkpoints.ts';
import { integrate } from '../../services/custody/src/log/integrate.ts';
import { registerFirstKeys } from '../../services/custody/src/log/keys.ts';
import { noteSigner } from '../../services/custody/src/log/note-signer.ts';
import type { Side } from '../measuring/ratio.ts';
import { openSilently } from '../measuring/silent-database.ts';
import { callAll, type OrderMessage, orderEvents, ordersKeys, ring } from './order-event.ts';

/** As in production: a checkpoint is signed at most this often. */
const intervalMs = 1000;
/** As in production: entries gather this long before they take their places together. */
const gatherMs = 100;
const origin = 'log.bench/custody';

const signAsCustody = messageSigner('custody', {
  orders: ordersKeys,
  webhooks: ring('CUSTODY_WEBHOOKS_KEYS'),
});
const verifyAsCustody = messageVerifier({
  sender: 'orders',
  recipient: 'custody',
  keys: ordersKeys,
});

/** A ledger on a database of its own, whose log has that many leaves under a signed checkpoint. */
const openLedger = async (leaves: number) => {
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
  const signing = { db, origin, signer, anchor };
  /** Gives all entries their places in the log. */
  const place = async () => {
    while ((await integrate(db)) > 0);
  };
  /** Does so, and signs a checkpoint if the last one is that old. */
  const sequence = async (interval: number) => {
    await place();
    const halted = await checkpoint({ ...signing, intervalMs: interval });
    if (halted !== null) throw new Error(halted);
  };
  await admin.query(
    `with filled as (
       insert into chains (order_id, organization_id, sequence, head_hash)
       select gen_random_uuid(), gen_random_uuid(), 1, encode(sha256(n::text::bytea), 'hex')
       from generate_series(1, $1::int) n returning order_id, sequence, head_hash)
     insert into log_queue (order_id, sequence, event_hash) table filled`,
    [leaves],
  );
  do await sequence(0);
  while ((await logSizes(db)).signed < leaves);
  await admin.query('vacuum analyze');
  const close = async () => {
    await Promise.all([db.close(), admin.close()]);
    rmSync(folder, { recursive: true });
  };
  return { db, admin, place, sequence, close };
};

/**
 * The ledger, called with one event at a time: calls that arrive while a batch is appended share the
 * next batch, as events do that wait on the bus. An append is verified, linked, queued for the log
 * and announced with two proofs of origin; a sequencer signs checkpoints beside it. A round ends
 * when each entry has its place in the log.
 */
export const calledLedger = async (
  leaves: number,
  events: number,
): Promise<Side & { close(): Promise<void> }> => {
  const { db, admin, place, sequence, close } = await openLedger(leaves);
  const append = createBatches<OrderMessage, void>(
    async (messages) => {
      if (messages.some(verifyAsCustody)) throw new Error('an event is not authentic');
      await db.transaction((tx) => appendEvents(messages, tx, signAsCustody));
      return () => {};
    },
    { inFlightMax: 1, batchMax: 256, waitingMax: 1024 },
  );
  const countEntries = async () =>
    (await admin.query<{ n: number }>('select count(*)::int as n from entries'))[0]!.n;
  let messages: OrderMessage[] = [];
  let entries = 0;
  return {
    name: 'ledger',
    prepare: async () => {
      messages = orderEvents(events);
      entries = await countEntries();
    },
    round: async () => {
      let ended = false;
      const calling = callAll(messages, append).finally(() => {
        ended = true;
      });
      for (; !ended; await sleep(gatherMs)) await sequence(intervalMs);
      const round = await calling;
      await place();
      return round;
    },
    rows: async () => (await countEntries()) - entries,
    close,
  };
};
