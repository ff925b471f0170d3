import { randomUUID } from 'node:crypto';
import { migrate } from '@pto/database';
import { testDatabase } from '@pto/testing';
import { migrations } from '../../services/webhooks/migrations/index.ts';
import { createEndpoints, queueDeliveries } from '../../services/webhooks/test/backlog.ts';
import { openSilently } from '../measuring/silent-database.ts';
import { type DrainSide, startReplica, type Workload } from './replica.ts';

const [organizations, endpointsEach] = [20, 5];

/** Ours: a deliverer, and its queue in PostgreSQL. */
export const delivererSide = async (workload: Workload): Promise<DrainSide> => {
  const { backlog, payload, receiverUrl } = workload;
  const { ownerUrl, serviceUrl, superuserUrl } = await testDatabase('drain');
  await migrate(ownerUrl, migrations);
  const superuser = await openSilently(superuserUrl);
  const left = async () =>
    (await superuser.query('select from pending_deliveries limit 1')).length > 0;
  // the endpoints of all rounds, so that both sides keep their connections between rounds
  const endpointIds = new Map<string, string[]>();
  for (let n = 0; n < organizations; n++) {
    const organizationId = randomUUID();
    const wanted = { organizationId, url: receiverUrl, endpoints: endpointsEach };
    endpointIds.set(organizationId, await createEndpoints({ superuser }, wanted));
  }
  const { close, ...work } = await startReplica('deliverer-replica.ts', serviceUrl, workload, left);
  return {
    name: 'the deliverer',
    processes: ['deliverer-replica', 'postgres'],
    ...work,
    prepare: async () => {
      for (const [organizationId, ids] of endpointIds)
        await queueDeliveries({ superuser }, ids, {
          organizationId,
          deliveriesEach: backlog / organizations / endpointsEach,
          payload,
        });
      await superuser.query('vacuum analyze pending_deliveries');
    },
    rows: async () => {
      const [row] = await superuser.query<{ n: number }>(
        `select count(*)::int as n from deliveries d join attempts a on a.delivery_id = d.id
         where d.state <> 'EXHAUSTED' and a.status_code = 204`,
      );
      return row!.n;
    },
    finish: async () => {
      await superuser.query('truncate deliveries, attempts cascade');
    },
    close: async () => {
      close();
      await superuser.close();
    },
  };
};
