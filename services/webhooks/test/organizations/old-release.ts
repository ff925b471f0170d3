/**
 * Statements of the release before, whose tables had no organization: it writes beside this release
 * during an upgrade, and after a rollback.
 */
import { randomUUID } from 'node:crypto';
import { uuidv7 } from '@pto/database';
import type { ClientBase } from 'pg';

interface Endpoint {
  readonly organizationId: string;
  readonly id: string;
}

/** Creates an endpoint with its secret, its stream and the key of its creation. */
export const createEndpoint = async (client: ClientBase): Promise<Endpoint> => {
  const [organizationId, id] = [randomUUID(), uuidv7()];
  await client.query('begin');
  await client.query(
    "insert into endpoints (id, organization_id, url, status) values ($1, $2, 'https://x', 'ENABLED')",
    [id, organizationId],
  );
  await client.query('insert into endpoint_sequences (endpoint_id) values ($1)', [id]);
  await client.query(
    "insert into endpoint_secrets (id, endpoint_id, sealing_key, sealed) values ($1, $2, 'k1', '')",
    [uuidv7(), id],
  );
  await client.query(
    `insert into endpoint_creations (endpoint_id, organization_id, key, body_sha256, finish_by)
     values ($1, $2, 'k', '', now())`,
    [id, organizationId],
  );
  await client.query('commit');
  return { organizationId, id };
};

/** Numbers and queues a delivery, as the dispatcher does. @returns its id. */
export const enqueue = async (
  client: ClientBase,
  { organizationId, id: endpointId }: Endpoint,
): Promise<string> => {
  const id = uuidv7();
  await client.query('begin');
  await client.query(
    `with locked as materialized (
       select s.endpoint_id from endpoint_sequences as s
       join unnest($1::uuid[]) as g (endpoint_id) on g.endpoint_id = s.endpoint_id
       order by s.endpoint_id for update of s)
     update endpoint_sequences as s set last = s.last + 1 from locked
     where s.endpoint_id = locked.endpoint_id`,
    [[endpointId]],
  );
  await client.query(
    `insert into events (id, organization_id, order_id, event_id, event, body)
     values ($1, $2, $3, $4, 'order.sealed', '{}')`,
    [uuidv7(), organizationId, randomUUID(), randomUUID()],
  );
  await client.query(
    `insert into deliveries (id, replay_of, endpoint_id, organization_id, order_id, event_id, event,
       payload, sequence)
     values ($1, null, $2, $3, $4, $5, 'order.sealed', '', 1)`,
    [id, endpointId, organizationId, randomUUID(), randomUUID()],
  );
  await client.query(
    `insert into pending_deliveries (delivery_id, endpoint_id, order_id, generation)
     select delivery_id, $2, $3, 1 from unnest($1::uuid[]) as r (delivery_id)`,
    [[id], endpointId, randomUUID()],
  );
  await client.query('commit');
  return id;
};

/** Leases a delivery and records its success, or a lost lease. */
export const attempt = async (client: ClientBase, deliveryId: string): Promise<void> => {
  await client.query(
    'update pending_deliveries set attempts = attempts + 1, leased_at = now() where delivery_id = $1',
    [deliveryId],
  );
  for (const _ of ['lost', 'in the history already'])
    await client.query(
      `insert into attempts (delivery_id, number, at, error, duration_ms)
       select delivery_id, 1, leased_at, 'lost', 1 from pending_deliveries where delivery_id = $1
       on conflict do nothing`,
      [deliveryId],
    );
  await client.query(
    `with ended as (delete from pending_deliveries where delivery_id = $1 returning delivery_id)
     insert into attempts (delivery_id, number, at, status_code, error, duration_ms)
     select delivery_id, 2, now(), 204, '', 1 from ended`,
    [deliveryId],
  );
};

/** Names the replay of a delivery, and repeats it. @returns how often the name was new. */
export const nameReplay = async (client: ClientBase, deliveryId: string): Promise<number> => {
  const commandId = randomUUID();
  let names = 0;
  for (const _ of ['new', 'again']) {
    const { rowCount } = await client.query(
      `insert into named_replays (command_id, replayed_id, delivery_id) values ($1, $2, $3)
       on conflict (command_id) do nothing returning command_id`,
      [commandId, deliveryId, uuidv7()],
    );
    names += rowCount ?? 0;
  }
  return names;
};

/** Deletes an endpoint; its secrets, stream and key go with it. */
export const deleteEndpoint = async (client: ClientBase, { id }: Endpoint): Promise<void> => {
  await client.query('delete from endpoints where id = $1', [id]);
};
