import { randomUUID } from 'node:crypto';
import { uuidv7 } from '@pto/database';
import { enqueue } from '../src/queue/enqueue.ts';
import { parseSealingKey } from '../src/secrets/key-ring.ts';
import { seal } from '../src/secrets/seal.ts';
import { type Stores, sealingKey } from './webhooks-service.ts';

/**
 * Endpoints of one organization, ENABLED, with deliveries that are due: more of them than the
 * contract lets anybody create. @returns their ids.
 */
export const queueBacklog = async (
  { superuser }: Pick<Stores, 'superuser'>,
  backlog: {
    organizationId: string;
    url: string;
    endpoints: number;
    deliveriesEach: number;
    payload?: Buffer;
  },
): Promise<string[]> => {
  const { organizationId, url, endpoints, deliveriesEach } = backlog;
  const ring = [parseSealingKey(sealingKey)];
  const ids = Array.from({ length: endpoints }, () => uuidv7());
  await superuser.transaction(async (tx) => {
    await tx.query(
      `insert into endpoints (id, organization_id, url, status, verified_at)
       select id, $2, $3, 'ENABLED', now() from unnest($1::uuid[]) as e (id)`,
      [ids, organizationId, url],
    );
    await tx.query(
      `insert into endpoint_secrets (id, endpoint_id, sealing_key, sealed)
       select gen_random_uuid(), e.id, 'k1', e.sealed
       from unnest($1::uuid[], $2::bytea[]) as e (id, sealed)`,
      [ids, ids.map((id) => seal(ring, id, 'whsec_of_a_test').bytes)],
    );
    await tx.query(
      'insert into endpoint_sequences (endpoint_id, last) select id, $2 from unnest($1::uuid[]) as e (id)',
      [ids, deliveriesEach],
    );
    for (let n = 0; n < deliveriesEach; n++) {
      const { payload = Buffer.from('{}') } = backlog;
      const shared = {
        organizationId,
        event: 'order.sealed',
        payload,
        replayOf: null,
        generation: 1,
      };
      await enqueue(
        tx,
        ids.map((endpointId) => ({
          id: uuidv7(),
          endpointId,
          orderId: randomUUID(),
          eventId: randomUUID(),
          sequence: n + 1,
          ...shared,
        })),
      );
    }
  });
  return ids;
};
