import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { error, json, type Reply, startServer } from '../../typescript/test/a-server.ts';
import { aHome, runPto } from './pto-command.ts';

const id = '01900000-0000-7000-8000-00000000000a';
const hostile = 'A\u001b[2J\u202e';
const order = { id, external_id: hostile, status: 'SEALED', updated_at: '2026-01-15T09:30:00Z' };

let home: ReturnType<typeof aHome>;
beforeEach(() => {
  home = aHome();
});
afterEach(() => home.forget());

/** Runs a command against a server that gives these replies. */
const pto = async (words: readonly string[], ...replies: Reply[]) => {
  const server = await startServer(...replies);
  const settings = { PTO_API_KEY: 'svc_test_canary7', PTO_BASE_URL: server.baseUrl };
  const ended = await runPto({ ...home.environment, ...settings }, words);
  await server[Symbol.asyncDispose]();
  const requests = server.seen.map(({ method, url, body }) => [
    method,
    url!.replace('/api/partner/v1', ''),
    body === '' ? null : JSON.parse(body),
  ]);
  return { ...ended, requests };
};

test('orders list prints a table with hostile texts escaped, as many as --limit', async () => {
  const page = json(200, { data: [order, order, order], next_cursor: 'more', as_of: '' });
  const words = ['orders', 'list', '--status', 'SEALED', '--external-id', 'A', '--limit', '2'];
  const { code, stdout, requests } = await pto(words, page);
  expect(code).toBe(0);
  expect(stdout.trimEnd().split('\n')).toHaveLength(3);
  expect(stdout).toContain('A\\u001b[2J\\u202e');
  expect(requests).toEqual([['GET', '/orders?status=SEALED&external_id=A&limit=2', null]]);
});

test('orders show prints all members; with --json as the API sends them', async () => {
  expect((await pto(['orders', 'show', id], json(200, order))).stdout).toMatch(/^id +01900000/);
  const { stdout } = await pto(['orders', 'show', id, '--json'], json(200, order));
  expect(JSON.parse(stdout)).toEqual(order);
});

test('orders create sends the file; an order that exists already is exit code 1', async () => {
  const file = join(home.environment.HOME!, 'order.json');
  writeFileSync(file, '{"external_id": "A"}');
  const words = ['orders', 'create', '--file', file];
  expect(await pto(words, json(201, order))).toMatchObject({
    code: 0,
    requests: [['POST', '/orders', { external_id: 'A' }]],
  });
  const conflict = await pto(words, error(409, 'DUPLICATE_EXTERNAL_ID'));
  expect(conflict).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('DUPLICATE_EXTERNAL_ID'),
  });
  writeFileSync(file, '{');
  expect(await pto(words, json(201, order))).toMatchObject({ code: 2, requests: [] });
});

test.each([['create'], ['advance']])(
  'orders %s sends no file that is not UTF-8',
  async (command) => {
    const file = join(home.environment.HOME!, 'given.json');
    const words = [
      'orders',
      ...(command === 'create' ? ['create', '--file'] : ['advance', id, '--script']),
    ];
    const text = '[{\n"incident": "Kühlkette"}]';
    const run = () => pto([...words, file], json(201, order));
    writeFileSync(file, text, 'latin1');
    expect(await run()).toMatchObject({
      ...{ code: 2, requests: [] },
      stderr: expect.stringContaining(`${file} is not UTF-8: line 2, byte 17.`),
    });
    writeFileSync(file, `\ufeff${text}`, 'utf16le');
    expect(await run()).toMatchObject({
      ...{ code: 2, requests: [] },
      stderr: expect.stringContaining(`${file} is UTF-16, not UTF-8.`),
    });
    writeFileSync(file, `\ufeff${text}`);
    const { code, requests } = await run();
    expect(code).toBe(0);
    expect(JSON.stringify(requests)).toContain('"incident":"Kühlkette"');
  },
);

test('orders cancel sends the reason', async () => {
  const words = ['orders', 'cancel', id, '--reason', 'not needed'];
  const { requests } = await pto(words, json(200, order));
  expect(requests).toEqual([['POST', `/orders/${id}/cancel`, { reason: 'not needed' }]]);
});

test('orders advance calls the sandbox, again after a lost response', async () => {
  const words = ['orders', 'advance', id, 'SEALED'];
  const { code, requests } = await pto(words, json(200, order));
  const advance = ['POST', `/sandbox/orders/${id}/advance`, { to: 'SEALED' }];
  expect([code, requests]).toEqual([0, [advance]]);
  const again = await pto(words, error(503, 'SERVICE_UNAVAILABLE'), json(200, order));
  expect([again.code, again.requests]).toEqual([0, [advance, advance]]);
});

test('trigger advances the given order, else a new one, to the status of the event', async () => {
  const advance = ['POST', `/sandbox/orders/${id}/advance`, { to: 'IN_TRANSIT' }];
  const given = await pto(['trigger', 'order.in_transit', '--order', id], json(200, order));
  expect([given.code, given.requests]).toEqual([0, [advance]]);
  const created = await pto(['trigger', 'order.in_transit'], json(201, order), json(200, order));
  expect(created.requests).toEqual([['POST', '/orders', expect.anything()], advance]);
});

const steps = (state: string, reason: string | null = null) =>
  json(200, { status: 'SUBMITTED', actions: [], run: { plan: 'script', state, reason } });
const script = (...given: object[]) => ['POST', `/sandbox/orders/${id}/advance`, { script: given }];

test('trigger reports an incident by a script, and waits until it has run', async () => {
  const words = ['trigger', 'order.incident_reported', '--order', id, '--note', 'Dropped.'];
  const look = ['GET', `/sandbox/orders/${id}/steps`, null];
  const done = await pto(words, json(200, order), steps('running'), steps('done'));
  expect([done.code, done.requests]).toEqual([0, [script({ incident: 'Dropped.' }), look, look]]);
  expect(done.stdout).toContain('order.incident_reported');
  const ended = await pto(words, json(200, order), steps('ended', 'the order is CANCELLED'));
  expect([ended.code, ended.stderr]).toEqual([1, 'error: No incident: the order is CANCELLED.\n']);
});

test('trigger escalates, cancels and changes an order', async () => {
  const on = (event: string, ...more: string[]) => [
    'trigger',
    `order.${event}`,
    '--order',
    id,
    ...more,
  ];
  const escalated = await pto(on('escalated', '--note', 'Late.'), json(200, order), steps('done'));
  expect([escalated.code, escalated.requests[0]]).toEqual([0, script({ escalation: 'Late.' })]);
  const cancelled = await pto(on('cancelled'), json(200, order));
  const reason = { reason: 'Cancelled by pto trigger.' };
  expect([cancelled.code, cancelled.requests]).toEqual([
    0,
    [['POST', `/orders/${id}/cancel`, reason]],
  ]);
  const cold = { ...order, temperature_min: -25, temperature_max: -15 };
  const updated = await pto(on('updated'), json(200, cold), json(201, {}), json(200, cold));
  expect([updated.code, updated.requests]).toEqual([
    0,
    [
      ['GET', `/orders/${id}`, null],
      [
        'POST',
        `/orders/${id}/conditions`,
        {
          ...{ device_id: 'pto-trigger', unit: 'celsius', media_type: 'text/csv' },
          readings: 'time,value\n2026-01-15T09:30:00Z,-25\n',
        },
      ],
      ['GET', `/orders/${id}`, null],
    ],
  ]);
});

test('trigger sends nothing with a key of production', async () => {
  const server = await startServer(json(200, order));
  const settings = { PTO_API_KEY: 'svc_live_canary7', PTO_BASE_URL: server.baseUrl };
  const words = ['trigger', 'order.cancelled', '--order', id];
  const { code, stderr } = await runPto({ ...home.environment, ...settings }, words);
  await server[Symbol.asyncDispose]();
  expect([code, stderr, server.seen]).toEqual([2, expect.stringContaining('sandbox'), []]);
});

test('orders advance --script sends the steps, as a list or as the body of the guide', async () => {
  const file = join(home.environment.HOME!, 'script.json');
  const words = ['orders', 'advance', id, '--script', file];
  const given = [{ to: 'SEALED' }, { incident: 'Dropped.', after: '1s' }];
  for (const body of [given, { script: given }]) {
    writeFileSync(file, JSON.stringify(body));
    expect((await pto(words, json(200, order))).requests).toEqual([script(...given)]);
  }
  writeFileSync(file, '{"to": "SEALED"}');
  expect(await pto(words, json(200, order))).toMatchObject({
    ...{ code: 2, requests: [] },
    stderr: expect.stringContaining('expected a list of steps'),
  });
});

test('orders create lets the courier move the order', async () => {
  const file = join(home.environment.HOME!, 'order.json');
  writeFileSync(file, '{}');
  const server = await startServer(json(201, order));
  const settings = { PTO_API_KEY: 'svc_test_canary7', PTO_BASE_URL: server.baseUrl };
  const words = ['orders', 'create', '--file', file, '--courier', 'incident', '--step', '2s'];
  expect((await runPto({ ...home.environment, ...settings }, words)).code).toBe(0);
  expect(server.seen[0]!.headers).toMatchObject({
    'x-sandbox-courier': 'incident',
    'x-sandbox-step': '2s',
  });
  await server[Symbol.asyncDispose]();
});

test.each([
  [['trigger', 'order.test']],
  [['trigger', 'order.sealed', '--note', 'x']],
  [['trigger', 'order.updated', '--note', 'x']],
  [['orders', 'advance', id]],
  [['orders', 'advance', id, 'SEALED', '--script', 'x.json']],
  [['orders', 'create', '--file', 'x.json', '--courier', 'none']],
  [['trigger', 'order.sealed', '--order', '../x']],
  [['orders', 'advance', id, 'sealed']],
  [['orders', 'show', '..']],
  [['orders', 'list', '--status', 'PAUSED']],
])('%j is wrong usage, and nothing is sent', async (words) => {
  expect(await pto(words, json(200, order))).toMatchObject({ code: 2, requests: [] });
});

test.each(['bash', 'zsh', 'fish'])('there is a completion script for %s', async (shell) => {
  const { code, stdout } = await pto(['completion', shell], json(200, order));
  expect([code, stdout]).toEqual([0, expect.stringContaining('pto complete --')]);
});

test('commands, flags and choices are completed', async () => {
  const complete = async (...words: string[]) =>
    (await pto(['complete', '--', ...words], json(200, order))).stdout
      .split('\n')
      .map((line) => line.split('\t')[0]);
  expect(await complete('orders', 'adv')).toContain('advance');
  expect(await complete('listen', '--until', '')).toContain('order.closed');
});
