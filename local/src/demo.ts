import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { verifyChain } from '@pto/custody-verifier';
import { Client, type Order, type OrderCreate } from '../../clients/typescript/src/index.ts';
import { runOperator } from './operators/operator-command.ts';
import { type Delivery, listen } from './receiver.ts';
import { writePrivateJson } from './secrets/private-file.ts';
import type { StackFile } from './stack/stack-file.ts';

/**
 * The operator's commands after the order's creation. The operator acts for the transport
 * organization as well.
 */
const steps: readonly (readonly [...words: string[]])[] = [
  ['assign', '--to', 'City Couriers'],
  ['accept'],
  ['driver', '--name', 'D. Driver'],
  ['start-pickup', '--lat', '52.526', '--lng', '13.3764'],
  ['seal', '--seal', 'S-1041', '--seal', 'S-1042'],
  ['start-transport'],
  ['deliver', '--lat', '52.5265', '--lng', '13.3422'],
  ['close'],
];

/** Number of expected events: one for the creation, one for each step. */
const eventsExpected = steps.length + 1;
const webhooksWithinMs = 30_000;
const path = '/partner-transport-demo';

/**
 * Creates one order and moves it to its last status, CLOSED, using only the public API and the
 * operator's command line. Shows each step. Deletes the webhook endpoint at the end; the order
 * stays.
 * @returns the order's id.
 * @throws Error naming what failed.
 */
export const showDemo = async (
  stack: StackFile,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<string> => {
  const [organization] = stack.organizations;
  if (!organization) throw new Error('the local stack has no organization');
  const client = new Client({ baseUrl: stack.baseUrl, apiKey: organization.keys.all });
  say(`creating a demonstration order for ${organization.name}`);
  const deliveries: Delivery[] = [];
  const secrets: string[] = [];
  const { server, port } = await listen({
    ...stack.receiver,
    port: 0,
    secrets: () => secrets,
    onDelivery: (delivery) => deliveries.push(delivery),
    onOther: (words) => say(`  receiver: ${words}`),
  });
  try {
    await forgetEndpoints(client, signal);
    const url = `https://localhost:${port}${path}`;
    const endpoint = await client.webhooks.create({ url }, { signal });
    secrets.push(endpoint.secret);
    say(`  POST /webhooks: ${endpoint.url} is ${endpoint.status}`);
    const order = await client.orders.create(orderRequest(), { signal });
    say(`  POST /orders: ${order.external_id} is ${order.status}`);
    for (const [word = '', ...flags] of steps) {
      const words = ['order', word, order.id, ...flags];
      const { status } = await runOperator<Order>(stack.operator, words, signal);
      say(`  operator order ${word}: ${status}`);
    }
    await proveChain(client, order.id, say, signal);
    await proveWebhooks(deliveries, order.id, say, signal);
    return order.id;
  } finally {
    if (!signal.aborted)
      await forgetEndpoints(client, signal).catch((error) => say(`  ${error.message}`));
    server.closeAllConnections();
    server.close();
  }
};

/** Deletes the demonstration's endpoints, also the endpoint of an interrupted demonstration. */
const forgetEndpoints = async ({ webhooks }: Client, signal: AbortSignal): Promise<void> => {
  for (const { id, url } of await webhooks.list({ signal }))
    if (new URL(url).pathname === path) await webhooks.delete(id, { signal });
};

const orderRequest = (): OrderCreate => ({
  external_id: `DEMO-${Date.now()}`,
  pickup: { address: { street: 'Charitéplatz 1', zip: '10117', city: 'Berlin' } },
  dropoff: { address_text: 'Turmstraße 21, 10559 Berlin' },
  sla: 'EXPRESS',
  pickup_window_start: new Date(Date.now() + 3_600_000).toISOString(),
  items: [{ goods_type: 'blood samples' }, { goods_type: 'tissue samples' }],
});

const proveChain = async (
  { orders }: Client,
  orderId: string,
  say: (line: string) => void,
  signal: AbortSignal,
) => {
  const entries = await orders.events(orderId, { signal });
  const verdict = verifyChain(orderId, entries);
  if (!verdict.valid) throw new Error(`its chain is invalid at entry ${verdict.entryId}`);
  if (entries.length !== eventsExpected)
    throw new Error(`its chain has ${entries.length} entries in place of ${eventsExpected}`);
  const head = entries.at(-1)?.event_hash.slice(0, 16);
  say(
    `  GET /orders/…/events: ${entries.length} entries, the recomputed chain is valid, head ${head}…`,
  );
};

const proveWebhooks = async (
  deliveries: readonly Delivery[],
  orderId: string,
  say: (line: string) => void,
  signal: AbortSignal,
) => {
  const deadline = performance.now() + webhooksWithinMs;
  const events = () =>
    deliveries.filter(({ body }) => body.data.order.id === orderId).map(({ body }) => body.event);
  while (new Set(events()).size < eventsExpected) {
    if (performance.now() > deadline) {
      throw new Error(`only ${events().length} of ${eventsExpected} webhooks arrived`);
    }
    await sleep(50, undefined, { signal });
  }
  say(`  webhooks received, each signature verified: ${events().join(', ')}`);
};

/**
 * Name of the file by which the launcher records that it has shown the demonstration order in this
 * folder.
 */
export const demoFile = 'demo.json';

export const wasShown = (dir: string): boolean => existsSync(join(dir, demoFile));

export const markShown = (dir: string, orderId: string): void =>
  writePrivateJson(join(dir, demoFile), { orderId });
