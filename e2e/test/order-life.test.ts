/** One local stack with real stores, a witness and a collector of traces, and a life of an order. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { verifyChain } from '@pto/custody-verifier';
import { vkeyOfWitness } from '@pto/custody-verifier/cosign';
import { noteKeyOfSeed } from '@pto/custody-verifier/sign-note';
import { createTelemetry } from '@pto/telemetry';
import { freePort, until } from '@pto/testing';
import { settingsOf, startWitness } from '@pto/witness';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type LocalStack, startLocalStack } from '../local-stack.ts';
import { operator } from '../operator.ts';
import { orderBody, partner } from '../partner.ts';
import { type Receiver, startReceiver } from '../receiver.ts';
import {
  exposed,
  type Prometheus,
  recorded,
  type Selected,
  type Series,
  selected,
  startPrometheus,
} from './monitoring.ts';

let stack: LocalStack;
let receiver: Receiver;
let prometheus: Prometheus | undefined;
let collector: Awaited<ReturnType<typeof startCollector>>;
let stopWitness: (() => Promise<void>) | undefined;
const metricsUrls = () => stack.file().services.map(({ metricsUrl }) => metricsUrl);
beforeAll(async () => {
  const witness = await reserveWitness();
  collector = await startCollector();
  stack = await startLocalStack({
    env: { CUSTODY_WITNESSES: witness.setting, OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint },
  });
  stopWitness = await witness.start();
  receiver = await startReceiver(stack);
  prometheus = await startPrometheus(metricsUrls());
}, 100_000);
afterAll(async () => {
  await prometheus?.stop();
  await receiver?.stop();
  expect(await stack?.stop()).toBe(0);
  stack?.forget();
  await stopWitness?.();
  collector?.stop();
});

/** A witness of the log: configured before the start, given the log afterwards. */
const witnessName = 'witness.e2e.test';
const seed = Buffer.alloc(32, 51);

const reserveWitness = async () => {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'pto-witness-'));
  const vkey = vkeyOfWitness(noteKeyOfSeed(witnessName, seed));
  return {
    /** For CUSTODY_WITNESSES. */
    setting: `${vkey}@http://127.0.0.1:${port}`,
    /** Starts it, for the log of the local stack. @returns what stops it. */
    start: async (): Promise<() => Promise<void>> => {
      const response = await fetch(`${stack.file().gateways[0]}/custody/keys.json`);
      const { origin, keys } = (await response.json()) as {
        origin: string;
        keys: { vkey: string }[];
      };
      const service = await startWitness(
        settingsOf({
          WITNESS_NAME: witnessName,
          WITNESS_KEY: seed.toString('base64'),
          WITNESS_LOGS: keys.map((key) => `${origin} ${key.vkey}`).join(','),
          WITNESS_STATE_DIR: folder,
          HTTP_PORT: String(port),
          BIND_HOST: '127.0.0.1',
        }),
        createTelemetry({ service: 'witness', write: () => {} }),
      );
      return async () => {
        await service.stop();
        rmSync(folder, { recursive: true });
      };
    },
  };
};

/** The part of the OpenAPI document that describes webhooks. */
interface Document {
  readonly components: object;
  readonly webhooks: Readonly<
    Record<
      string,
      { post: { requestBody: { content: { 'application/json': { schema: object } } } } }
    >
  >;
}

const life = [
  'order.submitted',
  'order.assigned',
  'order.accepted',
  'order.driver_assigned',
  'order.pickup_started',
  'order.sealed',
  'order.in_transit',
  'order.delivered',
  'order.closed',
];

test('an order’s life is a chain that anybody recomputes, and webhooks of the documented form', async () => {
  const { get, post } = partner(stack);
  expect((await get('/ping')).body).toMatchObject({ status: 'ok', environment: 'sandbox' });

  const endpoint = await receiver.subscribe();
  expect(endpoint.status).toBe(201);
  expect(endpoint.body).toMatchObject({
    status: 'ENABLED',
    secret: expect.stringMatching(/^whsec_/),
  });

  const created = await post('/orders', orderBody({ external_id: 'E2E-1' }), {
    'idempotency-key': 'first',
    traceparent: `00-${traceId}-b7ad6b7169203331-01`,
  });
  expect(created.status).toBe(201);
  const replay = await post('/orders', orderBody({ external_id: 'E2E-1' }), {
    'idempotency-key': 'first',
  });
  expect(replay.headers.get('idempotency-replayed')).toBe('true');
  expect(replay.text).toBe(created.text);

  const { id } = created.body;
  const walked = await operator(stack, 'order', 'walk', id);
  expect(walked).toMatchObject({ code: 0, json: { id, status: 'CLOSED' } });

  const events = await get(`/orders/${id}/events`);
  expect(events.body.map((entry: { type: string }) => entry.type)).toEqual(life);
  expect(verifyChain(id, events.body).valid).toBe(true);
  expect(await operator(stack, 'ledger', 'verify')).toMatchObject({
    code: 0,
    json: { orders: 1, entries: 9, valid: true, faults: [] },
  });

  await until(() => receiver.received.length >= life.length, { what: 'nine webhooks' });
  expect(receiver.received.map((delivery) => delivery.event)).toEqual(life);
  for (const [n, { signed, body, event }] of receiver.received.entries()) {
    expect(await signed).toBe(true);
    expect(body).toMatchObject({ event, occurred_at: events.body[n].ts_utc });
    expect(body.data.order).toMatchObject({ id, external_id: 'E2E-1', sequence: n + 1 });
  }

  await post(`/webhooks/${endpoint.body.id}/test`);
  const answer = await fetch(`${stack.file().gateways[0]}/openapi.json`);
  const { components, webhooks } = (await answer.json()) as Document;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ components }, 'openapi');
  expect(receiver.received.map(({ event }) => event)).toEqual([...life, 'order.test']);
  for (const { event, body } of receiver.received) {
    const { schema } = webhooks[event]!.post.requestBody.content['application/json'];
    const validate = ajv.compile(
      JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')),
    );
    validate(body);
    expect([event, validate.errors]).toEqual([event, null]);
  }
});

const traceId = '0af7651916cd43dd8448eb211c80319c';

/** An OTLP collector that keeps the raw exports; names and ids stand in them as they are. */
const startCollector = async () => {
  const exports: Buffer[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      exports.push(Buffer.concat(parts));
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Exports of a service that hold a span of the trace. */
    of: (service: string) =>
      exports.filter(
        (part) => part.includes(Buffer.from(traceId, 'hex')) && part.includes(service),
      ),
    stop: () => server.close(),
  };
};

test('HTTP, gRPC, PostgreSQL, Kafka and the webhook of that order are one trace', async () => {
  const spans: readonly (readonly [string, string])[] = [
    ['gateway', 'POST /orders'],
    ['gateway', 'orders.v1.OrderService/CreateOrder'],
    ['orders', 'orders.v1.OrderService/CreateOrder'],
    ['orders', 'pg.query'],
    ['custody', 'consume orders.order-events.v1'],
    ['webhooks', 'consume custody.custody-events.v1'],
  ];
  for (const [service, span] of spans)
    await until(() => collector.of(service).some((part) => part.includes(span)), {
      what: `${span} of ${service} in the trace`,
    });
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

test('that life shows every metric and label that a rule or a dashboard names', async () => {
  // rules make series only where Prometheus evaluates them
  const made = recorded().map((__name__): Series => ({ __name__ }));
  const all = async () =>
    prometheus ? prometheus.series() : [...(await exposed(metricsUrls())), ...made];
  const named = selected().filter((one) => !isOfCluster(one));
  expect(named.length).toBeGreaterThan(100);
  let faults: string[] = [];
  await until(
    async () => {
      const series = await all().catch(() => []);
      faults = named.flatMap((one) => faultsOf(one, series));
      return faults.length === 0;
    },
    { what: 'every metric to exist' },
  ).catch(() => {});
  expect(faults).toEqual([]);
  if (!prometheus) return;
  expect(await prometheus.unhealthy()).toEqual([]);
  // a healthy local stack fires no alert, once Prometheus has scraped all of it
  const { alerts } = prometheus;
  await until(async () => (await alerts()).length === 0, { what: 'no alert' }).catch(() => {});
  expect(await alerts()).toEqual([]);
});
