/** What the tests of faults share: the local stack with room for load, and access to its stores. */
import { until } from '@pto/testing';
import type pg from 'pg';
import { type DatabaseName, asSuperuser as inDatabase } from '../as-superuser.ts';
import { type Mesh, startMesh } from '../mesh.ts';

export type { DatabaseName };

/** Starts the local stack with limits that no test reaches. */
export const startStack = (env: NodeJS.ProcessEnv = {}): Promise<Mesh> =>
  startMesh({
    env: {
      GATEWAY_READS_PER_MINUTE: '100000',
      GATEWAY_WRITES_PER_MINUTE: '100000',
      GATEWAY_REQUESTS_IN_FLIGHT: '1000',
      CUSTODY_AUDITOR_PAUSE: '200ms',
      ...env,
    },
  });

/** Runs statements as the superuser, in one of the databases. */
export const asSuperuser = <T>(
  mesh: Mesh,
  database: DatabaseName | 'postgres',
  work: (client: pg.Client) => Promise<T>,
): Promise<T> => inDatabase(mesh.file().stores.postgres.superuser, database, work);

/** Returns one number of a service's metrics, summed over its series; undefined without a series. */
export const metric = async (
  mesh: Mesh,
  service: string,
  name: string,
  labels = '',
): Promise<number | undefined> => {
  const process = mesh.file().services.find((one) => one.name === service)!;
  const text = await (await fetch(process.metricsUrl)).text();
  const values = text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .filter((line) => line.includes(labels))
    .map((line) => Number(line.split(' ').at(-1)));
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);
};

/** Waits until everything that was produced is stored by custody and dispatched by webhooks. */
export const drained = (
  mesh: Mesh,
  services: readonly string[] = ['orders', 'custody', 'webhooks'],
): Promise<true> =>
  until(
    async () => {
      for (const service of services)
        for (const name of ['outbox_unsent', 'bus_consumer_lag'])
          if ((await metric(mesh, service, name)) !== 0 && hasMetric(service, name)) return false;
      return true;
    },
    { deadlineMs: 60_000, what: 'empty outboxes and no lag' },
  );

const hasMetric = (service: string, name: string): boolean =>
  service !== 'webhooks' || name !== 'outbox_unsent';
