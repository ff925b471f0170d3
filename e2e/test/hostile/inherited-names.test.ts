/** Names that every JavaScript object inherits, in every string of every operation. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { readingsCsv } from '@pto/testing';
import { createOrder, inLanes } from '../../load.ts';
import { partner } from '../../partner.ts';
import { sharedStack } from '../test-stack.ts';
import { orderTexts } from './order-texts.ts';

const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];

const stack = sharedStack();

// biome-ignore lint/suspicious/noExplicitAny: the OpenAPI document as it stands
type Any = any;
const document: Any = JSON.parse(
  readFileSync(new URL('../../../services/gateway/openapi/v1.json', import.meta.url), 'utf8'),
);
const deref = (schema: Any): Any =>
  schema?.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)] : schema;

/** A body with a sound value for each member, so that each string is read as far as possible. */
const bodies: Record<string, Any> = {
  OrderCreate: {
    ...Object.fromEntries(orderTexts.map((name) => [name, 'x'])),
    pickup: {
      address: { street: 'Weg 1', zip: '10117', city: 'Berlin', country: 'DE', label: 'L' },
    },
    dropoff: { address_text: 'Weg 1, 10117 Berlin' },
    sla: 'EXPRESS',
    pickup_window_start: '2030-01-01T08:00:00Z',
    pickup_window_end: '2030-01-01T09:00:00Z',
    items: [{ goods_type: 'blood' }],
    goods_type: 'blood',
  },
  OrderCancel: { reason: 'r' },
  ConditionCreate: {
    ...{ device_id: 'd', calibration_reference: 'c', calibration_date: '2026-01-14' },
    ...{ unit: 'celsius', media_type: 'text/csv', summary: { count: 1, mean: 4 } },
    readings: readingsCsv(4),
  },
  SandboxAdvance: {
    to: 'SEALED',
    script: [
      { to: 'SEALED', after: '1s' },
      { incident: 'i', escalation: 'e' },
    ],
  },
  PortalLinkCreate: {
    scopes: ['orders:read'],
    endpoint_id: '0192b5f0-0000-7000-8000-000000000001',
  },
  OrderLinkCreate: { side: 'pickup' },
  RehearsalRequest: { faults: ['late'], duration: '1s' },
  LocationCreate: {
    ...{ label: 'L', street: 'Weg 1', zip: '10117', city: 'Berlin', country: 'DE' },
    ...{ notes: 'n', contact_name: 'c', contact_phone: '1' },
  },
  WebhookEndpointCreate: { url: 'https://127.0.0.1:1/hook', event_filter: ['order.sealed'] },
  WebhookEndpointUpdate: { url: 'https://127.0.0.1:1/hook', event_filter: ['order.sealed'] },
  SecretRotation: { overlap: '0' },
  TestRequest: { event_type: 'order.sealed' },
  KeyRotation: { overlap: 60 },
  RecoverRequest: {
    ...{ since: '2026-01-01T00:00:00Z', until: '2026-01-01T00:00:00Z' },
    order_id: '0192b5f0-0000-7000-8000-000000000001',
  },
};

/** Copies of a body, each with one string replaced by `name`, ended by it, or one member more. */
const variants = (value: Any, name: string): Any[] => {
  if (typeof value === 'string') return [name, `${value}, ${name}`, `${value} ${name}`];
  if (Array.isArray(value))
    return value.flatMap((item, at) => variants(item, name).map((one) => value.with(at, one)));
  if (typeof value !== 'object') return [];
  const added = JSON.parse(`{${JSON.stringify(name)}: {"x": 1}}`);
  return [
    { ...value, ...added },
    ...Object.entries(value).flatMap(([member, one]) =>
      variants(one, name).map((changed) => ({ ...value, [member]: changed })),
    ),
  ];
};

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: Any;
}

/** Every parameter in turn has the name, and every string of the body. */
const requestsOf = (method: string, path: string, operation: Any, ids: Any, name: string) => {
  const parameters: Any[] = operation.parameters ?? [];
  const located = (own?: string) =>
    path.replaceAll(/\{(\w+)\}/g, (_, one) => (one === own ? name : ids[one]));
  const schema = operation.requestBody?.content['application/json'].schema;
  const body = schema && bodies[schema.$ref.split('/').at(-1)];
  if (schema && !body) throw new Error(`no body for ${JSON.stringify(schema)}`);
  const good: Sent = { method, path: located(), headers: {}, body };
  return [
    ...parameters.map((parameter): Sent => {
      if (parameter.in === 'path') return { ...good, path: located(parameter.name) };
      if (parameter.in === 'header') return { ...good, headers: { [parameter.name]: name } };
      return { ...good, path: `${located()}?${parameter.name}=${name}` };
    }),
    { ...good, path: `${located()}?${name}=1` },
    ...(body ? variants(body, name).map((changed): Sent => ({ ...good, body: changed })) : []),
  ];
};

test('every member of a body has a sound value to change', () => {
  for (const [name, body] of Object.entries(bodies)) {
    const { properties } = document.components.schemas[name];
    const strings = Object.keys(properties).filter((member) =>
      JSON.stringify(deref(properties[member])).includes('"string"'),
    );
    expect({ name, missing: strings.filter((one) => !Object.hasOwn(body, one)) }).toEqual({
      name,
      missing: [],
    });
  }
});

test('no operation responds with 5xx to the name of an inherited member', async () => {
  const hook = await partner(stack).post('/webhooks', bodies.WebhookEndpointCreate);
  const ids = {
    order_id: await createOrder(stack, 'inherited'),
    endpoint_id: hook.body.id,
    delivery_id: hook.body.id,
    sha256: 'ab'.repeat(32),
  };
  const sent = Object.entries<Any>(document.paths).flatMap(([path, operations]) =>
    Object.entries<Any>(operations)
      .filter(([method]) => method !== 'parameters' && method !== 'delete')
      .flatMap(([method, operation]) =>
        names.flatMap((name) => requestsOf(method.toUpperCase(), path, operation, ids, name)),
      ),
  );
  const wrong: unknown[] = [];
  await inLanes(sent.length, 8, async (n) => {
    const { method, path, headers, body } = sent[n]!;
    const text = body && JSON.stringify(body);
    const { status } = await partner(stack).call(method, path, body, headers);
    if (status >= 500) wrong.push({ method, path, headers, text, status });
  });
  process.stdout.write(`${sent.length} requests with names of inherited members\n`);
  expect(sent.length).toBeGreaterThan(400);
  expect(wrong).toEqual([]);
}, 240_000);
