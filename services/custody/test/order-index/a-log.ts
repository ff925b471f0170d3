import { createHash, randomUUID } from 'node:crypto';
import { genesisHash } from '@pto/custody-verifier';
import { migrate, openDatabase, uuidv7 } from '@pto/database';
import { createTelemetry } from '@pto/telemetry';
import { testDatabase } from '@pto/testing';
import { migrations } from '../../migrations/index.ts';
import type { AddedLeaf } from '../../src/auditor/audit-index.ts';
import { integrate, integrateMax } from '../../src/log/integrate.ts';

const open = (url: string) =>
  openDatabase({
    url,
    poolMax: 4,
    statementTimeoutMs: 60_000,
    lockTimeoutMs: 5000,
    telemetry: createTelemetry({ service: 'test', write: () => {} }),
  });

/** A log in a database of its own, without the service: leaves are added as the sequencer does. */
export const startLog = async () => {
  const { ownerUrl, serviceUrl } = await testDatabase('custody');
  await migrate(ownerUrl, migrations);
  const [db, owner] = await Promise.all([open(serviceUrl), open(ownerUrl)]);
  const organizationId = randomUUID();
  const orders = new Map<string, { sequence: number; hash: string }>();
  /** All leaves, in the log's order. */
  const leaves: Required<AddedLeaf>[] = [];
  const next = (orderId: string): void => {
    const { sequence: before, hash: previousHash } = orders.get(orderId) ?? {
      sequence: 0,
      hash: genesisHash(orderId),
    };
    const sequence = before + 1;
    const eventHash = createHash('sha256').update(`${orderId} ${sequence}`).digest('hex');
    orders.set(orderId, { sequence, hash: eventHash });
    leaves.push({ orderId, sequence, eventHash, previousHash });
  };
  return {
    db,
    owner,
    serviceUrl,
    orders,
    leaves,
    /** Adds an entry to each of these orders, in turn. */
    append: async (orderIds: readonly string[]) => {
      const from = leaves.length;
      for (const orderId of orderIds) next(orderId);
      const added = leaves.slice(from);
      await db.query(
        `with chains as (
           insert into chains (order_id, organization_id, sequence, head_hash)
           select distinct id, $4::uuid, 0, '' from unnest($1::uuid[]) id on conflict do nothing)
         insert into log_queue (order_id, sequence, event_hash)
         select order_id, sequence, event_hash
         from unnest($1::uuid[], $2::int[], $3::text[]) with ordinality
           as leaf (order_id, sequence, event_hash, n) order by n`,
        [
          added.map((leaf) => leaf.orderId),
          added.map((leaf) => leaf.sequence),
          added.map((leaf) => leaf.eventHash),
          organizationId,
        ],
      );
      while ((await integrate(db)) === integrateMax);
    },
    newOrders: (count: number) => Array.from({ length: count }, () => uuidv7()),
    stop: () => Promise.all([db.close(), owner.close()]),
  };
};
