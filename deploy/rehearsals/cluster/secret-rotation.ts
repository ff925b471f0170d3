import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { until } from '@pto/testing';
import type { Stage } from '../stage/rehearsal.ts';
import { asAdministrator } from './administrator.ts';
import type { Cluster } from './cluster.ts';
import type { Operator } from './operator.ts';
import type { Partner } from './partner-pod.ts';
import type { ReleaseSecrets } from './release-secrets.ts';

const emptyWithinMs = 60_000;

/** What a rotation needs. */
export interface Scene {
  readonly on: Cluster;
  readonly stage: Stage;
  readonly operator: Operator;
  readonly partner: Partner;
  readonly secrets: ReleaseSecrets;
}

/** docs/operators/keys.md, "Message keys": behind the old one, before it, without it. */
export const rotateMessageKeys = async (scene: Scene): Promise<void> => {
  const { stage, partner, secrets } = scene;
  const { ORDERS_CUSTODY_KEYS: old } = await secrets.valuesOf('orders-custody');
  const next = `k${Date.now()}:${randomBytes(32).toString('base64')}`;
  const step = (what: string, keys: string, before: () => Promise<void> = async () => {}) =>
    stage.step(`message keys: ${what}`, async () => {
      await before();
      await secrets.bring('orders-custody', { ORDERS_CUSTODY_KEYS: keys });
      await secrets.restart('orders', 'custody');
      await partner.closedIn(5);
    });
  await step('the new one behind the old one', `${old},${next}`);
  await step('the new one before the old one', `${next},${old}`);
  await step('the new one alone', next, () => nothingInTransit(scene));
};

/**
 * Waits until no message with the old key is in transit. Each number is 0 once after the restarts:
 * under load they are not 0 together, and the partner works more slowly meanwhile.
 */
const nothingInTransit = async ({ on, operator, partner }: Scene): Promise<void> => {
  const waiting = [
    ...['orders', 'custody'].map((name) => [name, 'outbox_oldest_unsent_seconds'] as const),
    ...['custody', 'orders'].map((name) => [name, 'bus_consumer_lag'] as const),
  ];
  await partner.changeLanes(1, 1000);
  for (const [process, metric] of waiting)
    await until(async () => (await readMetric(on, process, metric)) === 0, {
      deadlineMs: emptyWithinMs,
      what: `${metric} of ${process} to be 0`,
    });
  await partner.changeLanes(2, 150);
  assert.deepEqual(await operator('dlq', 'list'), []);
};

/** Returns the value of a metric in one pod of a process, which reads it for all; NaN without one. */
const readMetric = async (on: Cluster, process: string, metric: string): Promise<number> => {
  const script = `
    fetch('http://127.0.0.1:9090/metrics').then((response) => response.text()).then((text) => {
      console.log(/^${metric}(?:\\{[^}]*\\})? (\\S+)$/m.exec(text)?.[1]);
    });`;
  return Number(await on.look('exec', `deployment/${process}`, '--', 'node', '--eval', script));
};

/** docs/operators/keys.md, "Passwords of the databases": the one of orders. */
export const rotatePassword = async ({ stage, partner, secrets }: Scene): Promise<void> => {
  await stage.step('the password of orders_service', async () => {
    const password = randomBytes(24).toString('base64url');
    // local.yaml has the Job of orders set the passwords, too
    for (const name of ['orders', 'orders-owner']) {
      const url = new URL((await secrets.valuesOf(name)).DATABASE_URL!);
      url.password = password;
      await secrets.bring(name, { DATABASE_URL: url.href });
    }
    const { ADMIN_DATABASE_URL: administrator } = await secrets.valuesOf('orders-owner');
    stage.note('  psql: \\password orders_service');
    await asAdministrator(administrator!, `alter role orders_service password '${password}'`);
    await secrets.restart('orders');
    await partner.closedIn(5);
  });
};
