import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { type Mesh, startMesh } from '../mesh.ts';
import { recorded, type Selected, selected } from '../monitoring/monitoring.ts';
import {
  exposed,
  type Prometheus,
  type Series,
  startPrometheus,
} from '../monitoring/prometheus.ts';
import { operator } from '../operator.ts';
import { orderBody, partner } from '../partner.ts';
import { type Receiver, startReceiver } from '../receiver.ts';
import { reserveWitness } from '../witness.ts';

let mesh: Mesh;
let receiver: Receiver;
let prometheus: Prometheus | undefined;
let metricsUrls: string[];
let stopWitness: (() => Promise<void>) | undefined;
beforeAll(async () => {
  const witness = await reserveWitness();
  mesh = await startMesh({ env: { CUSTODY_WITNESSES: witness.setting } });
  stopWitness = await witness.start(mesh);
  receiver = await startReceiver(mesh);
  metricsUrls = mesh.file().services.map(({ metricsUrl }) => metricsUrl);
  prometheus = await startPrometheus(metricsUrls);
});
afterAll(async () => {
  await prometheus?.stop();
  await receiver?.stop();
  expect(await mesh?.stop()).toBe(0);
  mesh?.forget();
  await stopWitness?.();
});

/** Labels that who scrapes adds. */
const ofTargets = ['namespace', 'instance'];

/** Values that a healthy local stack does not have; each is a kind of `packages/errors`. */
const neverInHealth = ['INTERNAL'];

/** Of kube-state-metrics, which describes a cluster; a local stack has none. */
const isOfCluster = ({ metric }: Selected) => metric.startsWith('kube_');

/** What is wrong with a selector, given all series that there are. */
const faultsOf = ({ where, metric, labels, matchers }: Selected, all: readonly Series[]) => {
  const series = all.filter(({ __name__ }) => __name__ === metric);
  if (series.length === 0) return [`${where}: there is no ${metric}`];
  const unlabelled = labels
    .filter((label) => !ofTargets.includes(label) && !series.some((one) => label in one))
    .map((label) => `${where}: ${metric} has no label ${label}`);
  const valueless = matchers
    .filter(({ op, label, value }) => op === '=' && !neverInHealth.includes(value) && label)
    .filter(({ label, value }) => !series.some((one) => one[label] === value))
    .map(({ label, value }) => `${where}: ${metric} has never ${label}="${value}"`);
  const bounds = matchers
    .filter(({ label }) => label === 'le')
    .filter(({ value }) => !series.some(({ le }) => new RegExp(`^(?:${value})$`).test(le ?? '')))
    .map(({ value }) => `${where}: ${metric} has no bucket ${value}`);
  return [...unlabelled, ...valueless, ...bounds];
};

test('a life of an order shows every metric and label that a rule or a dashboard names', async () => {
  const { get, post } = partner(mesh);
  await receiver.subscribe();
  const { body: order } = await post('/orders', orderBody());
  expect(await operator(mesh, 'order', 'walk', order.id)).toMatchObject({ code: 0 });
  await until(() => receiver.received.length >= 9, { what: 'nine webhooks' });
  expect((await get(`/orders/${order.id}/events`)).body).toHaveLength(9);

  // rules make series only where Prometheus evaluates them
  const made = recorded().map((__name__): Series => ({ __name__ }));
  const all = async () =>
    prometheus ? prometheus.series() : [...(await exposed(metricsUrls)), ...made];
  const named = selected().filter((one) => !isOfCluster(one));
  expect(named.length).toBeGreaterThan(100);
  let faults: string[] = [];
  await until(
    async () => {
      const series = await all().catch(() => []);
      faults = named.flatMap((one) => faultsOf(one, series));
      return faults.length === 0;
    },
    { deadlineMs: 30_000, what: 'every metric to exist' },
  ).catch(() => {});
  expect(faults).toEqual([]);
  if (!prometheus) return;
  expect(await prometheus.unhealthy()).toEqual([]);
  // a healthy local stack fires no alert, once Prometheus has scraped all of it
  const { alerts } = prometheus;
  await until(async () => (await alerts()).length === 0, { what: 'no alert' }).catch(() => {});
  expect(await alerts()).toEqual([]);
});
