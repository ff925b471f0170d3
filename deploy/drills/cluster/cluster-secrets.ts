import { randomBytes } from 'node:crypto';
import { until } from '@pto/testing';
import type { Drill } from '../drill.ts';
import { type Cluster, openCluster } from './cluster.ts';
import { openOperator } from './operator.ts';
import { startPartner } from './partner-pod.ts';
import { runningPods } from './pods.ts';
import { openStores, upgradeRelease } from './release.ts';

const certified = ['gateway', 'operators', 'orders', 'custody', 'webhooks', 'auditor', 'courier'];
const expires = 'tls_certificate_expires_seconds{[^}]*file="certificate"[^}]*}';
/** A renewal, the kubelet's minute or two, and the 10 s of TLS_RELOAD. */
const takenWithinMs = 300_000;
/** Each is below a second once after the restarts: no message with the old key is in transit. */
const transit = [
  ['orders', 'outbox_oldest_unsent_seconds(?:{[^}]*})?'],
  ['custody', 'bus_consumer_lag(?:{[^}]*})?'],
] as const;

/** docs/operators/keys.md: what the kubelet brings into running pods, and what it brings into new ones. */
export const clusterSecrets: Drill = {
  name: 'cluster-secrets',
  summary: 'all certificates of cert-manager renewed, and a ring of keys rotated, under load',
  run: async (bed) => {
    const on = await openCluster(bed);
    await on.kubectl('get', 'crd/certificates.cert-manager.io');
    await bed.step('the release, with certificates of cert-manager', async () => {
      await openStores(on, true);
      await upgradeRelease(on);
    });
    const partner = await startPartner(on, await openOperator(on));

    await bed.step('every pod uses a renewed certificate, none is replaced', async () => {
      const before = new Map<string, number>();
      for (const { name, process } of await runningPods(on))
        if (certified.includes(process))
          before.set(name, await metricOf(on, `pod/${name}`, expires));
      await on.kubectl('delete', 'secrets', ...certified.map((name) => `${name}-tls`));
      for (const [name, old] of before)
        await until(async () => (await metricOf(on, `pod/${name}`, expires)) > old, {
          deadlineMs: takenWithinMs,
          what: `the renewed certificate in ${name}`,
        });
      bed.note(`  ${before.size} pods`);
      await partner.closedIn(5);
    });

    const { ORDERS_CUSTODY_KEYS: old } = await on.secret('orders-custody');
    const next = `k${Date.now()}:${randomBytes(32).toString('base64')}`;
    const rotate = async (keys: string): Promise<void> => {
      const patch = JSON.stringify({ stringData: { ORDERS_CUSTODY_KEYS: keys } });
      await on.run(
        'kubectl',
        [...on.where, 'patch', 'secret', 'orders-custody', '--type=merge', '--patch', patch],
        { shown: 'kubectl patch secret orders-custody' },
      );
      await on.restart('orders', 'custody');
      await partner.closedIn(5);
    };
    await bed.step('message keys: the new one behind the old one', () => rotate(`${old},${next}`));
    await bed.step('message keys: the new one before the old one', () => rotate(`${next},${old}`));
    await bed.step('message keys: the new one alone', async () => {
      for (const [process, series] of transit)
        await until(async () => (await metricOf(on, `deployment/${process}`, series)) < 1, {
          what: `${series} of ${process}`,
        });
      await rotate(next);
    });
    await bed.step('no request failed, no event is lost, none came twice', partner.requireSound);
  },
};

/** Returns the value of a series in a pod. */
const metricOf = async (on: Cluster, pod: string, series: string): Promise<number> => {
  const script = `
    fetch('http://127.0.0.1:9090/metrics').then((response) => response.text()).then((text) => {
      console.log(new RegExp('^' + process.argv[1] + ' (\\\\S+)$', 'm').exec(text)?.[1]);
    });`;
  return Number(await on.look('exec', pod, '--', 'node', '--eval', script, series));
};
