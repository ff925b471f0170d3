import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { degradedFrom, type Probed, probe } from '../../src/site/status/probes.ts';
import { openStatus } from '../../src/site/status/status.ts';
import { call, type GatewayUnderTest, startGatewayService } from '../gateway-service.ts';

const healthy = {
  cells: ['main'],
  ping: async () => {},
  orders: { getStatus: async () => ({ acceptsWrites: true }) },
  log: {
    getStatus: async () => ({
      checkpointSignedAt: '2026-11-27T09:00:00.000Z',
      checkpointAgeSeconds: 12.4,
      unanchoredSeconds: 0,
    }),
  },
  webhooks: { getStatus: async () => ({ oldestDueSeconds: 0 }) },
};
const probed = (more: object) => ({ ...healthy, ...more }) as unknown as Probed;
const down = async () => Promise.reject(new Error('10.0.0.7:50051 refused'));
const statesOf = async (more: object) =>
  Object.fromEntries((await probe(probed(more))).map(({ name, status }) => [name, status]));
const all = { api: 'available', orders: 'available', custody: 'available', webhooks: 'available' };

const waiting = (unanchoredSeconds: number) => ({
  log: { getStatus: async () => ({ ...(await healthy.log.getStatus()), unanchoredSeconds }) },
});
const due = (oldestDueSeconds: number) => ({
  webhooks: { getStatus: async () => ({ oldestDueSeconds }) },
});

describe('the state of a component', () => {
  test.each([
    ['all respond', {}, {}],
    ['the keys cannot be read', { ping: down }, { api: 'unavailable' }],
    ['orders is down', { orders: { getStatus: down } }, { orders: 'unavailable' }],
    [
      'orders can only read',
      { orders: { getStatus: async () => ({ acceptsWrites: false }) } },
      { orders: 'degraded' },
    ],
    ['custody is down', { log: { getStatus: down } }, { custody: 'unavailable' }],
    ['entries wait for 14:59', waiting(899), {}],
    ['entries wait for 15:00', waiting(900), { custody: 'degraded' }],
    ['webhooks is down', { webhooks: { getStatus: down } }, { webhooks: 'unavailable' }],
    ['a delivery is due for 4:59', due(299), {}],
    ['a delivery is due for 5:00', due(300), { webhooks: 'degraded' }],
  ])('%s', async (_, more, expected) => {
    expect(await statesOf(more)).toEqual({ ...all, ...expected });
  });

  test('a log without a checkpoint is available, without an age', async () => {
    const log = { getStatus: async () => ({ checkpointSignedAt: '', unanchoredSeconds: 0 }) };
    const [custody] = (await probe(probed({ log }))).filter(({ name }) => name === 'custody');
    expect(custody).toEqual({
      name: 'custody',
      status: 'available',
      newest_checkpoint_at: null,
      newest_checkpoint_age_seconds: null,
      waiting_for_checkpoint_seconds: 0,
    });
  });
});

describe('of two cells', () => {
  /** Responds in each cell as given; a cell without a response is down. */
  const perCell =
    <T>(responses: Record<string, T>) =>
    async (_: unknown, { cell }: { cell: string }) =>
      responses[cell] ?? down();
  const cells = ['main', 'north'];
  const checkpoint = (hour: string, age: number) => ({
    checkpointSignedAt: `2026-11-27T${hour}:00:00.000Z`,
    checkpointAgeSeconds: age,
    unanchoredSeconds: 0,
  });

  test('no cell, number of cells or single activity is shown', async () => {
    const both = { main: checkpoint('08', 3600), north: checkpoint('09', 7) };
    const found = await probe(probed({ cells, log: { getStatus: perCell(both) } }));
    expect(found).toEqual([
      { name: 'api', status: 'available' },
      { name: 'orders', status: 'available' },
      {
        name: 'custody',
        status: 'available',
        newest_checkpoint_at: both.north.checkpointSignedAt,
        newest_checkpoint_age_seconds: 7,
        waiting_for_checkpoint_seconds: 0,
      },
      { name: 'webhooks', status: 'available', oldest_due_delivery_seconds: 0 },
    ]);
  });

  test('a component that one cell lacks is degraded, and one that all lack is unavailable', async () => {
    const orders = { getStatus: perCell({ north: { acceptsWrites: true } }) };
    const webhooks = { getStatus: perCell({ main: { oldestDueSeconds: 12.4 } }) };
    const found = await probe(probed({ cells, orders, webhooks, log: { getStatus: down } }));
    expect(found.slice(1)).toEqual([
      { name: 'orders', status: 'degraded' },
      {
        name: 'custody',
        status: 'unavailable',
        newest_checkpoint_at: null,
        newest_checkpoint_age_seconds: null,
        waiting_for_checkpoint_seconds: null,
      },
      { name: 'webhooks', status: 'degraded', oldest_due_delivery_seconds: 12 },
    ]);
  });
});

test('the times are those of the alerts on the same figures', () => {
  const rules = ['deliveries', 'ledger'].map((name) =>
    readFileSync(
      new URL(`../../../../deploy/monitoring/rules/${name}.yaml`, import.meta.url),
      'utf8',
    ),
  );
  expect(rules[0]).toContain(`(webhook_oldest_due_seconds) > ${degradedFrom.oldestDueDelivery}\n`);
  expect(rules[1]).toContain(
    `(custody_log_unanchored_seconds) > ${degradedFrom.waitingForCheckpoint}\n`,
  );
});

test('the worst component is the state of all', async () => {
  const settings = { statusPrometheusUrl: '', statusPrometheusNamespace: '' };
  const read = openStatus(settings, probed({ ...due(300), log: { getStatus: down } }));
  expect(await read()).toMatchObject({ status: 'unavailable', objectives_are_measured: false });
  expect(await openStatus(settings, probed(due(300)))()).toMatchObject({ status: 'degraded' });
});

describe('at the gateway', () => {
  let under: GatewayUnderTest;
  let calls = 0;
  const dir = mkdtempSync(join(tmpdir(), 'pto-status-'));
  beforeAll(async () => {
    const parts = ['summary', 'components', 'objectives'];
    const page = parts.map((part) => `<div data-fill="status-${part}"></div>`).join('');
    writeFileSync(join(dir, 'status.html'), page);
    const type = 'text/html; charset=utf-8';
    const files = [{ path: '/status', file: 'status.html', type, isImmutable: false }];
    writeFileSync(join(dir, 'site.json'), JSON.stringify({ files }));
    under = await startGatewayService({
      redisUrl: '',
      environment: { GATEWAY_SITE_DIR: dir, GATEWAY_OPEN_PER_MINUTE: '100' },
      behind: {
        orders: {
          getStatus: async () => {
            calls++;
            return { acceptsWrites: true };
          },
        },
        log: { getStatus: healthy.log.getStatus },
        webhooks: { getStatus: down },
      },
    });
  });
  afterAll(async () => {
    await under.stop();
    rmSync(dir, { recursive: true });
  });
  const read = (path: string) => call('GET', `http://127.0.0.1:${under.port}${path}`);

  test('page and JSON report the same, and no host or version', async () => {
    const { status, body, headers } = await read('/status.json');
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=5']);
    expect(body).toEqual({
      status: 'unavailable',
      checked_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      components: [
        { name: 'api', status: 'available' },
        { name: 'orders', status: 'available' },
        {
          name: 'custody',
          status: 'available',
          newest_checkpoint_at: '2026-11-27T09:00:00.000Z',
          newest_checkpoint_age_seconds: 12,
          waiting_for_checkpoint_seconds: 0,
        },
        { name: 'webhooks', status: 'unavailable', oldest_due_delivery_seconds: null },
      ],
      objectives_are_measured: false,
      objectives: [
        { name: 'api_availability', target: 0.999, share: null },
        { name: 'read_latency', target: 0.95, share: null },
        { name: 'write_latency', target: 0.95, share: null },
        { name: 'time_to_webhook', target: 0.95, share: null },
      ],
    });
    const { text } = await read('/status');
    for (const words of [
      'At least one component is unavailable.',
      'The newest checkpoint was signed 12 s ago.',
      '<td>Webhooks</td><td><span class="state unavailable">Unavailable</span></td>',
      '99.9 %',
      'does not publish the measured shares',
    ])
      expect(text).toContain(words);
    expect(text + JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|10\.0\.0|50051|refused/);
  });

  test('many clients cost one probe, and have the budget of public routes', async () => {
    const before = calls;
    const answers = await Promise.all(Array.from({ length: 110 }, () => read('/status.json')));
    expect(calls - before).toBeLessThanOrEqual(1);
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
  });
});
