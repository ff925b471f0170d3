import { execFile, spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { recentSite } from '@pto/site';
import { freePort, pythonWith, until } from '@pto/testing';
import { nextSecret, secret, startFlawed } from '../../../clients/command-line/test/a-receiver.ts';
import { eventsOfALife } from '../../deliveries.ts';
import { startProxy } from '../../proxies.ts';
import { sharedStack } from '../test-stack.ts';

const checkout = new URL('../../../', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'snippets-'));
const python = pythonWith(['rfc8785==0.1.4', 'cryptography==46.0.3']);
const hasJq = spawnSync('jq', ['--version']).status === 0;
if (!hasJq) process.stderr.write('\n*** TESTS WILL BE SKIPPED: there is no jq\n\n');
const testJq = hasJq ? test : test.skip;
const executed = new Set<string>();
const environment: Record<string, string> = {};
const stack = sharedStack();

beforeAll(async () => {
  await recentSite().build();
  const { baseUrl, organizations } = stack.file();
  environment.API = baseUrl;
  environment.SITE = new URL(baseUrl).origin;
  environment.KEY = organizations[0]!.keys.all;
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  process.stderr.write(`snippets of the site that were executed: ${executed.size}\n`);
});

/** The file of a snippet, absolute. */
const snippetFile = (name: string): string => join(checkout, 'site/snippets', name);

/** All snippets, such as `quickstart/create.sh`. */
const snippetNames = (): string[] =>
  globSync('**/*.*', { cwd: join(checkout, 'site/snippets') }).sort();

/** A code block of a page: its language, what follows it in its first line, and its text. */
interface CodeBlock {
  readonly page: string;
  readonly language: string;
  readonly info: string;
  readonly text: string;
}

/** All code blocks of the pages that are written in Markdown. */
const codeBlocks = (): CodeBlock[] =>
  globSync('**/*.md', { cwd: join(checkout, 'site/pages') }).flatMap((page) => {
    const markdown = readFileSync(join(checkout, 'site/pages', page), 'utf8');
    return [...markdown.matchAll(/^```(\w+)(.*)\n([\s\S]*?)```$/gm)].map(
      ([, language = '', info = '', text = '']) => ({ page, language, info, text: text.trim() }),
    );
  });

const runMaxMs = 30_000;

/** `node` is the Node that runs this test. */
const programs: Readonly<Record<string, string>> = {
  '.sh': 'sh',
  '.mjs': process.execPath,
  '.py': 'python3',
};

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Returns what a snippet printed, and its exit code. */
const runSnippet = (
  name: string,
  cwd: string,
  environment: Readonly<Record<string, string>>,
): Promise<Ran> => run(programs[extname(name)]!, [snippetFile(name)], cwd, environment);

const run = (
  program: string,
  words: readonly string[],
  cwd: string,
  environment: Readonly<Record<string, string>>,
): Promise<Ran> =>
  new Promise((resolve) => {
    const { PATH = '', HOME = '' } = process.env;
    const env = { HOME, PATH: `${dirname(process.execPath)}:${PATH}`, ...environment };
    execFile(program, words, { cwd, env, timeout: runMaxMs }, (error, stdout, stderr) =>
      resolve({
        code: typeof error?.code === 'number' ? error.code : error ? 1 : 0,
        stdout,
        stderr,
      }),
    );
  });

const execute = async (name: string, more: Record<string, string> = {}): Promise<Ran> => {
  executed.add(name);
  const ran = await runSnippet(name, folder, { ...environment, ...more });
  return ran;
};

/** Runs a snippet that must succeed, and returns what it printed. */
const printed = async (name: string, more: Record<string, string> = {}): Promise<string> => {
  const ran = await execute(name, more);
  expect({ name, ...ran }).toMatchObject({ name, code: 0 });
  return ran.stdout;
};
/** `curl -i` prints the headers before the body. */
const bodyOf = (text: string) => JSON.parse(text.slice(Math.max(0, text.search(/^[{[]/m))));

const json = async (name: string, more: Record<string, string> = {}) =>
  bodyOf(await printed(name, more));

test('the quickstart creates one order in three languages, and reads its history', async () => {
  for (const language of ['sh', 'mjs', 'py'])
    expect(await printed(`quickstart/ping.${language}`)).toContain('sandbox');
  const order = await json('quickstart/create.sh');
  expect(order).toMatchObject({ status: 'SUBMITTED', external_id: 'LAB-2026-000101' });
  environment.ORDER_ID = order.id;
  for (const language of ['mjs', 'py'])
    expect(await printed(`quickstart/create.${language}`)).toBe(
      `${order.id} SUBMITTED replayed: true\n`,
    );
  for (const language of ['sh', 'mjs', 'py'])
    expect(await printed(`quickstart/events.${language}`)).toContain('order.submitted');
});

test('an order is read, a draft is submitted, and an order is cancelled', async () => {
  expect(await json('orders/get.sh')).toMatchObject({ id: environment.ORDER_ID });
  const draft = await json('orders/draft.sh');
  expect(draft.status).toBe('DRAFT');
  const submitted = await json('orders/submit.sh', { DRAFT_ID: draft.id });
  expect(submitted.status).toBe('SUBMITTED');
  const cancelled = await json('orders/cancel.sh', { ORDER_ID: draft.id });
  expect(cancelled.status).toBe('CANCELLED');
});

test('a creation that retries returns the order of its key', async () => {
  for (const language of ['mjs', 'py']) {
    const first = await printed(`idempotency/create-with-retry.${language}`);
    expect(first).toMatch(/^[0-9a-f-]{36}\n$/);
    expect(await printed(`idempotency/create-with-retry.${language}`)).toBe(first);
  }
});

test('a creation is retried after a lost response and after a page of a proxy', async () => {
  for (const language of ['mjs', 'py']) {
    const { origin, pathname } = new URL(environment.API!);
    const proxy = await startProxy(origin);
    proxy.fail('lost', 'page');
    try {
      const more = { API: `${proxy.url}${pathname}` };
      expect(await printed(`idempotency/create-with-retry.${language}`, more)).toMatch(
        /^[0-9a-f-]{36}\n$/,
      );
      expect(proxy.failed()).toBe(2);
    } finally {
      await proxy.stop();
    }
  }
});

test('lists are filtered, and a poll continues at as_of', async () => {
  const { data } = await json('lists/list.sh');
  expect(data.length).toBeGreaterThan(1);
  expect((await json('lists/by-reference.sh')).data).toHaveLength(1);
  expect(await json('lists/poll.sh')).toMatchObject({ as_of: expect.any(String) });
  for (const language of ['mjs', 'py']) {
    rmSync(join(folder, 'last-poll.txt'), { force: true });
    expect(await printed(`lists/reconcile.${language}`)).toMatch(/^[2-9] orders changed/);
    const since = readFileSync(join(folder, 'last-poll.txt'), 'utf8');
    expect(await printed(`lists/reconcile.${language}`)).toMatch(/^\d orders changed/);
    expect(readFileSync(join(folder, 'last-poll.txt'), 'utf8') >= since).toBe(true);
  }
});

const createOrder = async (notes: string | null = null): Promise<void> => {
  const { status } = await fetch(`${environment.API}/orders`, {
    method: 'POST',
    headers: { authorization: `Bearer ${environment.KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      pickup: { address_text: 'Charitéplatz 1, 10117 Berlin' },
      dropoff: { address_text: 'Marienplatz 1, 80331 München' },
      pickup_window_start: '2030-01-01T08:00:00Z',
      notes,
    }),
  });
  expect(status).toBe(201);
};

testJq('a poll by curl and jq prints each order, and continues at as_of', async () => {
  // a line break that a shell could take apart
  await createOrder('Ring twice.\nAsk for \\Anna.');
  rmSync(join(folder, 'last-poll.txt'), { force: true });
  const { data } = await json('lists/list.sh');
  const first = (await printed('lists/reconcile.sh')).trim().split('\n');
  expect(first.map((line) => JSON.parse(line)[0])).toEqual(
    expect.arrayContaining(data.map(({ id }: { id: string }) => id)),
  );
  const since = readFileSync(join(folder, 'last-poll.txt'), 'utf8');
  expect(since).toMatch(/^2\d{3}-.*Z\n$/);
  await printed('lists/reconcile.sh');
  const next = readFileSync(join(folder, 'last-poll.txt'), 'utf8');
  expect(next >= since).toBe(true);
  // a poll that fails does not move the time
  expect((await execute('lists/reconcile.sh', { API: `${environment.API}/none` })).code).not.toBe(
    0,
  );
  expect(readFileSync(join(folder, 'last-poll.txt'), 'utf8')).toBe(next);
});

/** Runs a program that does not end, until `isDone` with what it has printed. */
const runUntil = async (name: string, isDone: (output: string) => boolean): Promise<void> => {
  const child = spawn(programs[extname(name)]!, [snippetFile(name)], {
    cwd: folder,
    env: { ...process.env, ...environment },
  });
  executed.add(name);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  try {
    await until(() => isDone(output), { what: `the output of ${name}` });
  } finally {
    child.kill();
  }
};

test('events are followed from the stored number, and are in the public log', async () => {
  const page = await json('events/page.sh');
  expect(page.data[0]).toMatchObject({ number: 1, event: 'order.submitted' });
  const state = join(folder, 'last-event.txt');
  for (const language of ['mjs', 'py']) {
    const name = `events/follow.${language}`;
    rmSync(state, { force: true });
    let first = '';
    await runUntil(name, (output) => {
      first = output;
      // the program stores a number after it has printed the event: a pipe may bring the text later
      return existsSync(state) && /^2 /m.test(output);
    });
    expect(first).toMatch(/^1 order\.submitted [0-9a-f-]{36} submitted\n2 /);
    const last = Number(readFileSync(state, 'utf8'));
    await createOrder();
    let next = '';
    await runUntil(name, (output) => {
      next = output;
      return output.includes('\n') && Number(readFileSync(state, 'utf8')) > last;
    });
    expect(next).toMatch(new RegExp(`^${last + 1} order\\.`));
  }
  await until(async () => /^([1-9]\d*) of \1 /.test(await printed('events/in-the-log.mjs')), {
    what: 'a checkpoint over all events',
  });
});

test('a location is saved, listed and used', async () => {
  const location = await json('locations/create.sh');
  expect((await json('locations/list.sh')).map(({ id }: { id: string }) => id)).toContain(
    location.id,
  );
  const order = await json('locations/use.sh', { LOCATION_ID: location.id });
  expect(order.pickup_location.id).toBe(location.id);
});

test('the headers of a budget are shown', async () => {
  expect(await printed('limits/headers.sh')).toMatch(/X-RateLimit-Remaining: \d+/i);
});

test('a link to the portal is created and ended', async () => {
  const link = await json('portal/link.sh');
  expect(new URL(link.url).hash).toMatch(/^#ptl_/);
  expect(link).toMatchObject({ scopes: ['orders:read'], read_only: true, endpoint_id: null });
  expect(await printed('portal/end.sh')).toMatch(/^HTTP\/1.1 204/);
  const { url, side } = await json('portal/order-link.sh');
  expect([new URL(url).pathname, side]).toEqual(['/o', 'dropoff']);
});

test('a rejected request is found in the log, among others and by its request id', async () => {
  const REQUEST_ID = `snippet-${crypto.randomUUID()}`;
  await fetch(`${environment.API}/orders/${crypto.randomUUID()}`, {
    headers: { Authorization: `Bearer ${environment.KEY}`, 'X-Request-Id': REQUEST_ID },
  });
  const ids = async (name: string): Promise<string[]> =>
    (await json(name, { REQUEST_ID })).data.map((row: { request_id: string }) => row.request_id);
  await until(async () => (await ids('requests/find.sh')).length === 1, { what: 'the request' });
  expect(await ids('requests/rejected.sh')).toContain(REQUEST_ID);
});

/** Makes `npx pto` the program of this checkout, with a home of its own, as an installation does. */
const installPto = (): Record<string, string> => {
  const bin = join(folder, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{}');
  const program = join(checkout, 'clients/command-line/src/main.ts');
  writeFileSync(join(bin, 'pto'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, {
    mode: 0o755,
  });
  return {
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_STATE_HOME: join(folder, 'state'),
    DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(folder, 'no-bus')}`,
    NPM_CONFIG_OFFLINE: 'true',
  };
};

test('pto logs in, forwards events that it triggers, and certifies a receiver', async () => {
  const receiver = await startFlawed();
  const home = installPto();
  const secrets = { PTO_WEBHOOK_SECRET: secret, PTO_WEBHOOK_NEXT_SECRET: nextSecret };
  const more = { ...home, ...secrets, RECEIVER_URL: receiver.url };
  try {
    expect(await printed('pto/login.sh', more)).toMatch(/^environment +sandbox$/m);
    executed.add('pto/listen.sh');
    const listen = spawn('sh', [snippetFile('pto/listen.sh')], {
      cwd: folder,
      env: { ...process.env, ...environment, ...more },
    });
    let begun = '';
    listen.stderr.on('data', (part) => {
      begun += part;
    });
    const ended = new Promise((resolve) => listen.once('exit', resolve));
    await until(() => begun.includes('begun at'), { what: `pto listen: ${begun}` });
    expect(await printed('pto/trigger.sh', more)).toContain('order.closed');
    expect(await ended).toBe(0);
    expect(receiver.stored.size).toBeGreaterThanOrEqual(eventsOfALife);
    await printed('custody/keys.sh');
    const verifier = await fetch(`${environment.SITE}/downloads/custody-verify.mjs`);
    writeFileSync(join(folder, 'custody-verify.mjs'), await verifier.text());
    expect(await printed('pto/certify.sh', more)).toMatch(
      /^passed: \d+ passed, 0 failed, 0 skipped$/m,
    );
    expect(JSON.parse(readFileSync(join(folder, 'certify.json'), 'utf8')).result).toBe('passed');
    expect(await printed('pto/incident.sh', more)).toContain('order.incident_reported');
    expect(await printed('pto/proof.sh', more)).toMatch(/^Proven/);
  } finally {
    await receiver.stop();
  }
  await printed('webhooks/download-node.sh');
  const port = `${await freePort()}`;
  const ci = {
    ...{ ...home, PTO_API_KEY: environment.KEY!, PTO_BASE_URL: environment.API! },
    ...{ PTO_WEBHOOK_SECRET: secret, WEBHOOK_SECRETS: secret, PORT: port },
    RECEIVER_URL: `http://127.0.0.1:${port}/`,
  };
  expect(await printed('pto/ci.sh', ci)).toMatch(/^incomplete: \d+ passed, 0 failed, 2 skipped$/m);
  const failing = await execute('pto/ci.sh', { ...ci, WEBHOOK_SECRETS: nextSecret });
  expect([failing.code, failing.stdout]).toEqual([1, expect.stringContaining('FAILED   genuine')]);
}, 120_000);

test('the sandbox moves an order, and a script reports an incident with its text', async () => {
  const { id: ORDER_ID } = await json('sandbox/auto.sh');
  const of = { ORDER_ID };
  expect(await json('sandbox/steps.sh', of)).toMatchObject({ run: { plan: 'auto' } });
  await printed('sandbox/script.sh', of);
  expect(await json('sandbox/steps.sh', of)).toMatchObject({ run: { plan: 'script', count: 3 } });
  await until(
    async () => {
      const history = await json('quickstart/events.sh', of);
      return history.some(
        ({ disclosed }: { disclosed?: { note?: { value: string } } }) =>
          disclosed?.note?.value === 'The box was dropped.',
      );
    },
    { what: 'the incident' },
  );
});

/** The commands of a page that start something, as their text shows them. */
const startCommands = (language: string): string[] =>
  codeBlocks()
    .filter(({ page, info }) => page === 'guides/webhooks.md' && info.includes(`"${language}"`))
    .filter((block) => block.language === 'text')
    .map(({ text }) => text);

describe.each([
  ['Node', 'node', 'webhooks/download-node.sh'],
  ['Python', 'python3', 'webhooks/download-python.sh'],
  ['PHP', 'php', 'webhooks/download-php.sh'],
])('the receiver in %s', (language, program, download) => {
  const isHere = spawnSync(program, ['--version']).status === 0;
  if (!isHere) process.stderr.write(`\n*** TESTS WILL BE SKIPPED: there is no ${program}\n\n`);
  (isHere ? test : test.skip)(
    'is downloaded, registered without a secret, and stores a sample',
    async () => {
      const cwd = join(folder, language);
      mkdirSync(cwd);
      executed.add(download);
      expect(await runSnippet(download, cwd, environment)).toMatchObject({ code: 0 });
      const [withoutSecret, withSecret] = startCommands(language);
      const port = await freePort();
      const proxy = await startProxy(`http://127.0.0.1:${port}`, stack);
      let receiver = await startReceiver(withoutSecret!, cwd, port);
      try {
        const endpoint = await json('webhooks/register.sh', { RECEIVER_URL: `${proxy.url}/` });
        expect(endpoint).toMatchObject({ status: 'ENABLED', handshake: { ok: true } });
        await receiver.stop();
        receiver = await startReceiver(
          withSecret!.replace('whsec_...', endpoint.secret),
          cwd,
          port,
        );
        const ENDPOINT_ID = endpoint.id;
        environment.ENDPOINT_ID = ENDPOINT_ID;
        expect(await json('webhooks/test.sh')).toMatchObject({ delivered: true });
        const stored = readdirSync(join(cwd, 'inbox'));
        expect(stored).toHaveLength(1);
        const event = JSON.parse(readFileSync(join(cwd, 'inbox', stored[0]!), 'utf8'));
        expect(event).toMatchObject({ event: 'order.test' });
        expect(await json('webhooks/verify.sh')).toMatchObject({ verified: true });
      } finally {
        await receiver.stop();
        await proxy.stop();
      }
    },
  );
});

/** Starts a command of the page with another port, and waits until it responds. */
const startReceiver = async (command: string, cwd: string, port: number) => {
  const text = command.replaceAll('8080', `${port}`);
  const PATH = `${dirname(process.execPath)}:${process.env.PATH}`;
  const child = spawn('sh', ['-c', `exec env ${text}`], {
    cwd,
    env: { PATH },
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const probe = () => fetch(`http://127.0.0.1:${port}/?verification=1`);
  await until(
    () =>
      probe().then(
        ({ ok }) => ok,
        () => false,
      ),
    { what: text },
  );
  return {
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
};

test('what an endpoint missed is listed and recovered, and its secret is rotated', async () => {
  expect(await json('webhooks/deliveries.sh')).toMatchObject({ data: expect.any(Array) });
  for (const language of ['mjs', 'py'])
    expect(await printed(`webhooks/recover.${language}`)).toMatch(/^\d+ events are sent again\n$/);
  if (hasJq) expect(await printed('webhooks/recover.sh')).toMatch(/^\d+ queued, up to 2.*Z\n$/);
  expect(await json('webhooks/rotate.sh')).toMatchObject({
    secret: expect.stringMatching(/^whsec_/),
  });
});

test('the operator walks an order, and its proof is verified offline', async () => {
  const command = codeBlocks().find(({ text }) => text.includes('order walk ORDER_ID'))!.text;
  const walk = command.replace('ORDER_ID', environment.ORDER_ID!);
  const walked = await run('sh', ['-c', walk], checkout, { LOCAL_DIR: stack.dir });
  expect(walked).toMatchObject({ code: 0, stdout: expect.stringContaining('CLOSED') });
  await printed('custody/keys.sh');
  await until(
    async () => {
      await printed('custody/proof.sh');
      const proof = JSON.parse(readFileSync(join(folder, 'proof.json'), 'utf8'));
      return proof.count === 9 && proof.log !== null;
    },
    { what: 'the proof of nine entries' },
  );
  expect(await printed('custody/verify-node.sh')).toContain('Covers 9 entries');
  if (python === null) return;
  const PATH = `${dirname(python)}:${process.env.PATH}`;
  expect(await printed('custody/verify-python.sh', { PATH })).toContain('Covers 9 entries');
});

test('an error is handled by its code', async () => {
  for (const language of ['mjs', 'py'])
    expect(await printed(`errors/handle.${language}`)).toContain('not possible:');
});

test('every snippet is executed and shown, and no page has code of its own', () => {
  const skipped = ['php'].filter((program) => spawnSync(program, ['--version']).status !== 0);
  const expected = snippetNames().filter((name) => !skipped.some((one) => name.includes(one)));
  if (python !== null) expect([...executed].sort()).toEqual(expected);
  const shown = codeBlocks().flatMap(
    ({ info }) => /file=site\/snippets\/(\S+)/.exec(info)?.[1] ?? [],
  );
  expect([...new Set(shown)].sort()).toEqual(snippetNames());
  const own = codeBlocks().filter(
    ({ language, info }) => !['text', 'json'].includes(language) && !info.includes('file='),
  );
  expect(own).toEqual([]);
});
