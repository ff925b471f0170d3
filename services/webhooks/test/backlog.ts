import { randomUUID } from 'node:crypto';
import { uuidv7 } from '@pto/database';
import { enqueue } from '../src/queue/enqueue.ts';
import { sealSecret } from '../src/secrets/seal.ts';
import { type ServiceDatabase, sealingRing } from './webhooks-service.ts';

/** Rows of one statement. */
const batchMax = 10_000;

interface Endpoints {
  readonly organizationId: string;
  readonly url: string;
  readonly endpoints: number;
}

interface Deliveries {
  readonly organizationId: string;
  readonly deliveriesEach: number;
  readonly payload?: Buffer;
}

/**
 * Creates ENABLED endpoints of one organization, more than the contract allows. @returns their ids.
 */
export const createEndpoints = async (
  { superuser }: Pick<ServiceDatabase, 'superuser'>,
  { organizationId, url, endpoints }: Endpoints,
): Promise<string[]> => {
  const ids = Array.from({ length: endpoints }, () => uuidv7());
  await superuser.transaction(async (tx) => {
    await tx.query(
      `insert into endpoints (id, organization_id, url, status, verified_at)
       select id, $2, $3, 'ENABLED', now() from unnest($1::uuid[]) as e (id)`,
      [ids, organizationId, url],
    );
    await tx.query(
      `insert into endpoint_secrets (organization_id, id, endpoint_id, sealing_key, sealed)
       select $3, gen_random_uuid(), e.id, 'k1', e.sealed
       from unnest($1::uuid[], $2::bytea[]) as e (id, sealed)`,
      [ids, ids.map((id) => sealSecret(sealingRing, id, 'whsec_of_a_test').sealed), organizationId],
    );
    await tx.query(
      `insert into endpoint_sequences (organization_id, endpoint_id)
       select $2, id from unnest($1::uuid[]) as e (id)`,
      [ids, organizationId],
    );
  });
  return ids;
};

/** Queues due deliveries of an organization's endpoints, which continue the endpoints' streams. */
export const queueDeliveries = (
  { superuser }: Pick<ServiceDatabase, 'superuser'>,
  ids: readonly string[],
  { organizationId, deliveriesEach, payload = Buffer.from('{}') }: Deliveries,
): Promise<void> =>
  superuser.transaction(async (tx) => {
    const [row] = await tx.query<{ last: string }>(
      `update endpoint_sequences set last = last + $2
       where organization_id = $3 and endpoint_id = any($1) returning last - $2 as last`,
      [ids, deliveriesEach, organizationId],
    );
    const last = Number(row!.last);
    const shared = {
      organizationId,
      event: 'order.sealed',
      payload,
      replayOf: null,
      generation: 1,
    };
    const rows = Array.from({ length: deliveriesEach }, (_, n) =>
      ids.map((endpointId) => ({
        id: uuidv7(),
        endpointId,
        orderId: randomUUID(),
        eventId: randomUUID(),
        sequence: last + n + 1,
        ...shared,
      })),
    ).flat();
    for (let from = 0; from < rows.length; from += batchMax)
      await enqueue(tx, rows.slice(from, from + batchMax));
  });

/** Creates endpoints with due deliveries. @returns the endpoints' ids. */
export const queueBacklog = async (
  stores: Pick<ServiceDatabase, 'superuser'>,
  backlog: Endpoints & Deliveries,
): Promise<string[]> => {
  const ids = await createEndpoints(stores, backlog);
  await queueDeliveries(stores, ids, backlog);
  return ids;
};
