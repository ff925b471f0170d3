/**
 * The clients against the local stack: the TypeScript client from source, the Python client from
 * its wheel, and the snippets of both READMEs from the packages that partners install.
 */
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort, readingsCsv, until } from '@pto/testing';
import {
  Client,
  ConflictError,
  NotFoundError,
  type OrderCreate,
  RateLimitError,
  type TrustedKey,
  ValidationError,
  verifyProof,
} from '../../../clients/typescript/src/index.ts';
import { operatorClients } from '../../operator.ts';
import { startProxy } from '../../proxies.ts';
import { startReceiver } from '../../receiver.ts';
import { sharedStack } from '../test-stack.ts';
import {
  checkTypes,
  compile,
  hasPython,
  npmProject,
  packages,
  pythonProject,
} from './artifacts.ts';
import { testPackages } from './packages.ts';
import { type Place, run, start } from './program.ts';
import { readHttpFile, readPostmanCollection } from './request-files.ts';
import { snippetsOf } from './snippets.ts';
import { nodePrograms } from './versions.ts';

const openapi = JSON.parse(
  readFileSync(new URL('../../../services/gateway/openapi/v1.json', import.meta.url), 'utf8'),
);
const base = '/api/partner/v1';
const folder = mkdtempSync(join(tmpdir(), 'clients-'));

const stack = sharedStack();
let proxy: Awaited<ReturnType<typeof startProxy>>;
let env: Record<string, string>;
let client: Client;
let built: string[];
beforeAll(async () => {
  built = await packages();
  const gateway = stack.file().gateways[0]!;
  proxy = await startProxy(gateway);
  const { id, keys } = stack.file().organizations[0]!;
  const { secret } = await operatorClients(stack).access.issueKey({
    organizationId: id,
    scopes: ['orders:read', 'orders:write'],
    writesPerMinute: 1,
  });
  env = {
    API: `${gateway}${base}`,
    LOSSY_API: `${proxy.url}${base}`,
    KEY: keys.all,
    SLOW_KEY: secret,
  };
  client = new Client({ baseUrl: env.API!, apiKey: keys.all });
}, 100_000);
afterAll(async () => {
  await proxy?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const order = (external_id: string): OrderCreate => ({
  external_id,
  pickup: { address_text: 'Charitéplatz 1, 10117 Berlin' },
  dropoff: { address_text: 'Marienplatz 1, 80331 München' },
  pickup_window_start: '2030-01-01T08:00:00Z',
});

const thrownBy = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => null,
    (error: unknown) => error,
  );

const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};

describe('the TypeScript client', () => {
  test('moves orders by the courier of the sandbox', async () => {
    const { id } = await client.orders.create(order('TS-ADVANCED'));
    expect((await client.sandbox.advance(id)).status).toBe('ASSIGNED');
    expect((await client.sandbox.advance(id, { to: 'SEALED' })).status).toBe('SEALED');
    await client.sandbox.runScript(id, [{ incident: 'Dropped.' }, { to: 'DELIVERED' }]);
    const options = { sandboxCourier: 'decline', sandboxStep: '0s' } as const;
    const auto = await client.orders.create(order('TS-AUTO'), options);
    for (const [moved, status, plan] of [
      [id, 'DELIVERED', 'script'],
      [auto.id, 'CLOSED', 'decline'],
    ] as const) {
      const isDone = async () => (await client.sandbox.steps(moved)).run?.state === 'done';
      await until(isDone, { what: `the run of ${plan}`, deadlineMs: 60_000 });
      expect(await client.sandbox.steps(moved)).toMatchObject({ status, run: { plan } });
    }
  });

  test('creates one order although two responses are lost', async () => {
    const lossy = new Client({ baseUrl: env.LOSSY_API!, apiKey: env.KEY! });
    proxy.fail('lost', 'lost');
    const created = await lossy.orders.create(order('TS-LOST'));
    expect(proxy.failed()).toBe(2);
    const found = await collect(client.orders.list({ external_id: 'TS-LOST' }));
    expect(found.map(({ id }) => id)).toEqual([created.id]);
  });

  test('sees each order that is created while it polls for changes', async () => {
    const seen = new Set<string>();
    let since = new Date(Date.now() - 60_000).toISOString();
    const poll = async () => {
      const changes = client.orders.changes(since, { limit: 2 });
      for await (const { id } of changes) seen.add(id);
      since = changes.nextUpdatedSince;
    };
    let creating = true;
    const names = Array.from({ length: 6 }, (_, n) => `TS-${n}`);
    const created = Promise.all(names.map((name) => client.orders.create(order(name)))).finally(
      () => {
        creating = false;
      },
    );
    while (creating) await poll();
    const ids = (await created).map(({ id }) => id);
    await poll();
    expect(ids.filter((id) => !seen.has(id))).toEqual([]);
  });

  test('iterates over all orders, page by page', async () => {
    const pages = await collect(client.orders.list({ limit: 3 }).pages());
    expect(pages.length).toBeGreaterThan(1);
    const all = await collect(client.orders.list({ limit: 100 }));
    expect(pages.flatMap(({ data }) => data)).toEqual(all);
  });

  test('cancels, and throws what the API rejects in classes that narrow by code', async () => {
    const { id } = await client.orders.create(order('TS-CANCEL'));
    const cancelled = await client.orders.cancel(id, { reason: 'Not needed' });
    expect(cancelled).toMatchObject({ status: 'CANCELLED', cancel_reason: 'Not needed' });
    const duplicate = await thrownBy(client.orders.create(order('TS-CANCEL')));
    expect(duplicate).toBeInstanceOf(ConflictError);
    if (duplicate instanceof ConflictError && duplicate.is('DUPLICATE_EXTERNAL_ID'))
      expect(duplicate.details.order_id).toBe(id);
    expect(duplicate).toMatchObject({ code: 'DUPLICATE_EXTERNAL_ID' });
    const missing = await thrownBy(client.orders.get('01900000-0000-7000-8000-000000000000'));
    expect(missing).toBeInstanceOf(NotFoundError);
    expect(missing).toMatchObject({ code: 'NOT_FOUND', requestId: expect.stringMatching(/./) });
    const wrong = await thrownBy(client.orders.create({ ...order('TS-X'), external_id: '' }));
    expect(wrong).toBeInstanceOf(ValidationError);
    expect(wrong).toMatchObject({ errors: [{ loc: ['body', 'external_id'] }] });
  });

  test('reports a rate limit with the seconds to wait', async () => {
    const slow = new Client({ baseUrl: env.API!, apiKey: env.SLOW_KEY! });
    const once = { attemptsMax: 1 };
    const { id } = await client.orders.create(order('TS-LIMIT'));
    await thrownBy(slow.orders.submit(id, once));
    const limited = await thrownBy(slow.orders.submit(id, once));
    expect(limited).toBeInstanceOf(RateLimitError);
    const { retryAfter } = limited as RateLimitError;
    expect(retryAfter).toBeGreaterThanOrEqual(1);
    expect(retryAfter).toBeLessThanOrEqual(60);
  });
});

/** Waits until a checkpoint covers the newest order, and stores the keys of the log. */
const provable = async (cwd: string): Promise<void> => {
  const text = await (await fetch(`${stack.file().gateways[0]}/custody/keys.json`)).text();
  writeFileSync(join(cwd, 'keys.json'), text);
  const { keys: trustedKeys } = JSON.parse(text) as { keys: TrustedKey[] };
  for await (const { id } of client.orders.list({ limit: 1 })) {
    await until(
      async () => {
        const proof = await client.orders.custodyProof(id);
        return (await verifyProof(proof, { trustedKeys })).verdict === 'proven';
      },
      { what: 'a checkpoint that covers the newest order' },
    );
    return;
  }
};

/** Receives a sample event: registered without a secret, started again with it. */
const receives = async (place: Place, program: string, ...words: string[]): Promise<void> => {
  const port = await freePort();
  const tls = await startProxy(`http://127.0.0.1:${port}`, stack);
  const begin = (more: Record<string, string>) => {
    const env = { ...place.env, PORT: `${port}`, ...more };
    return start({ ...place, env }, program, ...words);
  };
  const listens = () =>
    until(() => fetch(`http://127.0.0.1:${port}/`).then(({ ok }) => ok), { what: 'the receiver' });
  let receiver = begin({});
  try {
    await listens();
    const endpoint = await client.webhooks.create({ url: `${tls.url}/hooks` });
    expect(endpoint).toMatchObject({ status: 'ENABLED', handshake: { ok: true } });
    await receiver.stop();
    receiver = begin({ WEBHOOK_SECRETS: endpoint.secret });
    await listens();
    expect(await client.webhooks.test(endpoint.id)).toMatchObject({ delivered: true });
    await receiver.printed('received order.test');
    await client.webhooks.delete(endpoint.id);
  } finally {
    await receiver.stop();
    await tls.stop();
  }
};

/** What each snippet prints, in their order; the receiver is executed apart. */
const isReceiver = (code: string): boolean => code.includes('WEBHOOK_SECRETS');
const printedByAll = [
  [/created .*: SUBMITTED\n/, /cancelled: Not needed any more\n/],
  [/ is (SUBMITTED|CANCELLED)\n/],
  [/^1: order\.submitted of [0-9a-f-]{36}, submitted\n2: order\.\w+ of .*\n3: /],
  [/it exists: [0-9a-f-]{36}\n/],
  [/^(\d+ events are sent again\n)*$/],
  [/Proven: .*complete as of/],
  [/^200 [0-9a-f-]{36}( null)?\n/],
];

const ensureDuplicate = () =>
  client.orders.create(order('LAB-2026-000418'), { idempotencyKey: 'README' });

const expectPrinted = (outputs: string[], patterns: RegExp[][]): void => {
  expect(outputs).toHaveLength(patterns.length);
  for (const [n, output] of outputs.entries())
    for (const pattern of patterns[n]!) expect(output).toMatch(pattern);
};

test('the snippets of the TypeScript README compile strictly and work, installed from the package', async () => {
  const tarball = built.find((path) => /partner-transport-orders-[^/]*\.tgz$/.test(path))!;
  const cwd = await npmProject(join(folder, 'project'), [tarball]);
  const snippets = snippetsOf('clients/typescript/README.md', 'ts');
  for (const [n, code] of snippets.entries()) writeFileSync(join(cwd, `${n}.ts`), code);
  await compile(cwd);
  await ensureDuplicate();
  const place = { cwd, env };
  const outputs: string[] = [];
  const [node] = await nodePrograms(folder);
  for (const [n, code] of snippets.entries()) {
    if (isReceiver(code)) await receives(place, node!, `${n}.js`);
    else {
      if (code.includes('verifyProof')) await provable(cwd);
      outputs.push(await run(place, node!, `${n}.js`));
    }
  }
  expectPrinted(outputs, printedByAll);
});

describe('the request files', () => {
  let values: Record<string, string>;
  beforeAll(async () => {
    const receiver = await startReceiver(stack);
    try {
      const { body } = await receiver.subscribe();
      const { id: order_id } = await client.orders.create(order('REQUESTS'));
      const readings = readingsCsv(4.1);
      const [delivery] = await until(
        async () => {
          const found = await collect(client.webhooks.deliveries.list(body.id, { order_id }));
          return found.length > 0 ? found : null;
        },
        { what: 'a delivery' },
      );
      const recorded = await client.orders.recordCondition(order_id, {
        device_id: 'TL-0007',
        unit: 'celsius',
        media_type: 'text/csv',
        readings,
      });
      const { sha256 } = recorded.payload.readings as { sha256: string };
      const artifact = await client.orders.artifact(order_id, sha256);
      expect(Buffer.from(artifact).toString()).toBe(readings);
      const ids = {
        order_id,
        endpoint_id: body.id,
        delivery_id: delivery!.id,
        sha256,
        link_id: order_id,
        key_id: order_id,
      };
      values = { base_url: env.API!, key: env.KEY!, ...ids };
    } finally {
      await receiver.stop();
    }
  });

  test.each([
    ['.http file', readHttpFile],
    ['Postman collection', readPostmanCollection],
  ])('each GET of the %s is answered with 200, and the bodies are JSON', async (_, read) => {
    const requests = read(values);
    const paths = Object.values<object>(openapi.paths);
    expect(requests).toHaveLength(paths.flatMap((methods) => Object.keys(methods)).length);
    const gets = requests.filter(({ method }) => method === 'GET');
    expect(gets.length).toBeGreaterThanOrEqual(9);
    const statuses = gets.map(async ({ name, url, headers }) => {
      const response = await fetch(url, { headers });
      await response.arrayBuffer();
      return [name, response.status];
    });
    expect(await Promise.all(statuses)).toEqual(gets.map(({ name }) => [name, 200]));
    for (const { body } of requests) if (body !== undefined) JSON.parse(body);
  });

  test('the create of the .http file creates an order', async () => {
    const create = readHttpFile(values).find(({ name }) => name === 'createOrder')!;
    const { url, method, headers } = create;
    // the snippets of the READMEs use the external_id of the document's example
    const body = JSON.stringify({ ...JSON.parse(create.body!), external_id: 'HTTP-1' });
    const response = await fetch(url, { method, headers, body });
    expect([response.status, await response.json()]).toMatchObject([201, { status: 'SUBMITTED' }]);
  });
});

testPackages(folder, () => built);

const testPython = hasPython ? test : test.skip;

testPython(
  'the Python client does the same from its wheel, and so do the snippets of its README',
  async () => {
    const cwd = join(folder, 'python');
    mkdirSync(cwd);
    const python = await pythonProject(
      join(folder, 'venv-python3'),
      built.find((path) => path.endsWith('.whl'))!,
    );
    const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
    copyFileSync(here('scenario.py'), join(cwd, 'scenario.py'));
    cpSync(here('../../../clients/python/test'), cwd, { recursive: true });
    const snippets = snippetsOf('clients/python/README.md', 'python');
    for (const [n, code] of snippets.entries()) writeFileSync(join(cwd, `s${n}.py`), code);
    const place = { cwd, env };

    await checkTypes(python, cwd, '-p', 'partner_transport_orders');
    await checkTypes(python, cwd, '.');
    await run(place, python, '-m', 'unittest');

    proxy.fail('lost');
    const found = JSON.parse(await run(place, python, 'scenario.py'));
    const all = (await collect(client.orders.list())).map(({ id }) => id).sort();
    expect(found).toEqual({
      one_order: true,
      missed: [],
      created: 6,
      listed: all,
      listed_asynchronously: all,
      moved: {
        one: 'ASSIGNED',
        sealed: 'SEALED',
        states: [
          ['DELIVERED', ['script', 'done']],
          ['CLOSED', ['decline', 'done']],
        ],
      },
      full_pages: true,
      cancelled: 'CANCELLED',
      not_found: { class: 'NotFoundError', code: 'NOT_FOUND', id: true },
      invalid: { class: 'ValidationError', code: 'VALIDATION', id: true },
      conflict: { class: 'ConflictError', code: 'DUPLICATE_EXTERNAL_ID', id: true },
      limited: { class: 'RateLimitError', code: 'RATE_LIMITED', id: true },
    });

    await ensureDuplicate();
    const outputs: string[] = [];
    for (const [n, code] of snippets.entries()) {
      if (isReceiver(code)) await receives(place, python, `s${n}.py`);
      else {
        if (code.includes('verify_proof')) await provable(cwd);
        outputs.push(await run(place, python, `s${n}.py`));
      }
    }
    const [first, ...rest] = printedByAll;
    expectPrinted(outputs, [first!, [/^[0-9a-f-]{36} \w+\n/], ...rest]);
  },
);
