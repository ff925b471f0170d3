import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { verify } from '@pto/webhook-verifier';
import { lockFeed } from '../src/listen/lock.ts';
import { thisPlace } from '../src/listen/process-place.ts';
import { otherId, startFeed, startPartner } from './a-feed.ts';
import { listening, stopped } from './a-sandbox.ts';
import { aHome, runPto, startPto } from './pto-command.ts';

const secret = `whsec_${'s'.repeat(43)}`;

let feed: Awaited<ReturnType<typeof startFeed>>;
let partner: Awaited<ReturnType<typeof startPartner>>;
let home: ReturnType<typeof aHome>;
beforeEach(async () => {
  feed = await startFeed();
  partner = await startPartner();
  home = aHome({
    PTO_API_KEY: 'svc_test_canary7',
    PTO_BASE_URL: feed.baseUrl,
    PTO_WEBHOOK_SECRET: secret,
  });
});
afterEach(async () => {
  home.forget();
  await feed.stop();
  await partner.stop();
});

const words = (...more: string[]) => ['listen', '--forward-to', partner.url, ...more];
const listens = (...more: string[]) => runPto(home.environment, words(...more));
const start = (...more: string[]) => startPto(home.environment, words(...more));
const stateFiles = (ending: string) =>
  existsSync(home.state) ? readdirSync(home.state).filter((name) => name.endsWith(ending)) : [];
const positionFile = () => join(home.state, stateFiles('.json')[0]!);
const position = () => JSON.parse(readFileSync(positionFile(), 'utf8'));

test('forwards what a verifier accepts, with the headers and the body of a delivery', async () => {
  feed.add('order.submitted', 'order.closed');
  const { code, stdout, stderr } = await listens('--after', '0', '--until', 'order.closed');
  expect([code, stderr]).toEqual([0, 'begun at 0, 2 waiting\n']);
  expect(stdout.split('\n')[1]).toMatch(
    /^2 {2}2026-\S+ {2}order\.closed {2}\S+ {2}REF {2}closed {2}204 in \d+ ms$/,
  );
  const [first] = partner.received;
  expect(first!.headers).toMatchObject({
    'content-type': 'application/json',
    'x-service-event': 'order.submitted',
    'x-service-delivery': '01900000-0000-7000-8000-000000000001',
    'x-service-sequence': '1',
  });
  const rawBody = first!.body;
  const header = first!.headers['x-service-signature'];
  expect(await verify({ rawBody, header, secrets: [secret] })).toMatchObject({
    valid: true,
    known: true,
    event: { event: 'order.submitted', sequence: 1 },
  });
  const members = Object.keys(JSON.parse(rawBody.toString()));
  expect(members).toEqual(['event', 'occurred_at', 'data', 'links', 'sequence']);
  const other = await verify({ rawBody, header, secrets: [`${secret}x`] });
  expect(other).toMatchObject({ valid: false, reason: 'no_signature_matches' });
});

test('forwards to a port that fetch blocks, and not by a proxy', async () => {
  const server = createServer((_, response) => response.writeHead(204).end());
  const ports = [6000, 6665, 6666, 6667, 6668, 6669, 6697, 10080];
  const attempts = ports.map((port) => () => listening(server, port));
  const port = await attempts.reduce(
    (before, next) => before.catch(next),
    Promise.reject<number>(),
  );
  feed.add('order.closed');
  const to = ['listen', '--forward-to', `http://127.0.0.1:${port}/`, '--after', '0'];
  const proxy = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: 'http://127.0.0.1:9', NO_PROXY: '' };
  const environment = { ...home.environment, ...proxy };
  const { code, stdout } = await runPto(environment, [...to, '--until', 'order.closed']);
  await stopped(server);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/204 in \d+ ms\n$/)]);
});

test('the reason is shown for a port of another host that fetch blocks', async () => {
  feed.add('order.closed');
  const to = ['--forward-to', 'http://receiver.example:6000/', '--after', '0'];
  const begun = startPto(home.environment, ['listen', ...to, '--until', 'order.closed']);
  await begun.printed('fetch sends nothing to this port');
  begun.child.kill('SIGKILL');
  await begun.ended;
});

test('a new secret is printed once, signs, and is another one in the next run', async () => {
  feed.add('order.closed');
  const { PTO_WEBHOOK_SECRET, ...environment } = home.environment;
  const run = () => runPto(environment, words('--after', '0', '--until', 'order.closed'));
  const printed: string[] = [];
  for (const n of [0, 1]) {
    const { stderr } = await run();
    const [, made] = /^secret of this run: (whsec_[0-9a-f]{64})$/m.exec(stderr) ?? [];
    printed.push(made!);
    const { body, headers } = partner.received[n]!;
    const header = headers['x-service-signature'];
    expect(await verify({ rawBody: body, header, secrets: [made!] })).toMatchObject({
      valid: true,
    });
  }
  expect(printed[0]).not.toBe(printed[1]);
});

test('a secret of another form is wrong usage, and is not shown', async () => {
  const environment = { ...home.environment, PTO_WEBHOOK_SECRET: 'canary' };
  const { code, stderr } = await runPto(environment, words());
  expect([code, stderr]).toEqual([2, expect.stringContaining('PTO_WEBHOOK_SECRET: expected')]);
  expect(stderr).not.toContain('canary');
});

test('the first run begins with events to come', async () => {
  feed.add(...Array.from({ length: 11 }, () => 'order.sealed'));
  const { printed, ended } = start('--until', 'order.closed');
  await printed('begun at 11, the newest event; --after 0 takes all');
  await until(() => feed.waiting() === 1, { what: 'a request that waits' });
  feed.add('order.closed');
  expect((await ended).code).toBe(0);
  expect(partner.numbers()).toEqual([12]);
});

test('continues where it stopped, and says how many events wait', async () => {
  feed.add('order.submitted', 'order.sealed');
  await listens('--after', '0', '--until', 'order.sealed');
  expect(position()).toMatchObject({ baseUrl: feed.baseUrl, after: 2, forwarding: null });
  expect(statSync(positionFile()).mode & 0o777).toBe(0o600);
  feed.add('order.in_transit', 'order.delivered', 'order.closed');
  const { code, stderr } = await listens('--until', 'order.closed');
  expect([code, stderr]).toEqual([0, 'continued at 2, 3 waiting\n']);
  expect(partner.numbers()).toEqual([1, 2, 3, 4, 5]);
});

test('killed between forward and position, it repeats that event, says so, and loses none', async () => {
  feed.add('order.submitted', 'order.sealed', 'order.closed');
  partner.answers.push(204, () => {}); // the second request is never answered
  const { child, ended } = start('--after', '0');
  await until(() => partner.received.length === 2, { what: 'the second event' });
  child.kill('SIGKILL');
  await ended;
  const { code, stderr } = await listens('--until', 'order.closed');
  expect(code).toBe(0);
  expect(stderr).toBe(
    'continued at 1, 2 waiting\nevent 2 may have been forwarded before: it is forwarded again\n',
  );
  expect(partner.numbers()).toEqual([1, 2, 2, 3]);
  const ids = partner.received.map(({ headers }) => headers['x-service-delivery']);
  expect(ids[1]).toBe(ids[2]); // by which the receiver deduplicates
});

test('a second listen is refused with who runs, and after kill -9 of the first a third goes on', async () => {
  const first = start('--after', '0');
  await first.printed('begun at 0');
  const second = await listens('--after', '0');
  const text = `error: Process ${first.child.pid} on ${hostname()} forwards these events to ${partner.url} already.`;
  expect([second.code, second.stderr]).toEqual([2, expect.stringContaining(text)]);
  feed.add('order.submitted');
  await until(() => partner.received.length === 1, { what: 'the first event' });
  await until(() => position().after === 1, { what: 'its position' });
  first.child.kill('SIGKILL');
  await first.ended;
  expect(stateFiles('.lock')).toHaveLength(1);
  feed.add('order.closed');
  const third = await listens('--until', 'order.closed');
  expect([third.code, third.stderr]).toEqual([0, 'continued at 1, 1 waiting\n']);
  expect(partner.numbers()).toEqual([1, 2]);
  expect(stateFiles('.lock')).toEqual([]);
});

test('of many that start together one at most runs', async () => {
  const all = Array.from({ length: 4 }, () => start('--after', '0', '--until', 'order.closed'));
  const over = all.map(({ child }) => child);
  await until(
    () => over.filter(({ exitCode }) => exitCode !== null).length >= 3 && feed.waiting() < 2,
    { what: 'three to be refused' },
  );
  feed.add('order.closed');
  const codes = (await Promise.all(all.map(({ ended }) => ended))).map(({ code }) => code);
  expect(codes.filter((code) => code === 2).length).toBeGreaterThanOrEqual(3);
  expect(partner.received.length).toBe(codes.filter((code) => code === 0).length);
});

/** Puts a lock beside the position of the feed, as a process of another machine does. */
const otherLock = (holder: object = { pid: 1, ids: 'elsewhere' }) => {
  const lock = positionFile().replace(/json$/, 'x.lock');
  const more = { host: 'elsewhere', forwardTo: 'http://localhost/hooks' };
  writeFileSync(lock, JSON.stringify({ ...holder, ...more }), { mode: 0o600 });
  return lock;
};
/** Makes a file as old as it is after this time without a renewal. */
const age = (path: string, ms: number) => {
  const then = (statSync(path).mtimeMs - ms) / 1000;
  utimesSync(path, then, then);
};

test('a lock of another machine is respected while it is renewed', async () => {
  feed.add('order.closed');
  await listens('--after', '0', '--until', 'order.closed');
  const lock = otherLock();
  const renewal = setInterval(() => utimesSync(lock, new Date(), new Date()), 500);
  const { code, stderr } = await listens('--timeout', '1s');
  clearInterval(renewal);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining(
      'Process 1 on elsewhere forwards these events to http://localhost/hooks',
    ),
  ]);
  expect(stateFiles('.lock')).toHaveLength(1);
});

test('a lock of another machine that is not renewed is taken over', async () => {
  feed.add('order.closed');
  await listens('--after', '0', '--until', 'order.closed');
  age(otherLock(), 13_000);
  const { code } = await listens('--after', '0', '--until', 'order.closed');
  expect([code, stateFiles('.lock')]).toEqual([0, []]);
});

test('a listen that was stopped for longer than its lease ends when it goes on', async () => {
  const first = start('--after', '0');
  await first.printed('begun at 0');
  first.child.kill('SIGSTOP');
  const [lock] = stateFiles('.lock');
  age(join(home.state, lock!), 14_000);
  const second = start('--after', '0', '--until', 'order.closed');
  await second.printed('begun at 0');
  first.child.kill('SIGCONT');
  const { code, stderr } = await first.ended;
  expect([code, stderr]).toEqual([1, expect.stringContaining('has taken over these events')]);
  feed.add('order.closed');
  expect((await second.ended).code).toBe(0);
  expect(partner.numbers()).toEqual([1]);
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s ends with 130 and releases the lock',
  async (signal) => {
    const { child, ended, printed } = start();
    await printed('begun at 0');
    child.kill(signal);
    expect((await ended).code).toBe(130);
    expect(stateFiles('.lock')).toEqual([]);
  },
);

test('a lock with the id of this process, as after the restart of a container, is taken over', async () => {
  mkdirSync(home.state, { recursive: true });
  const place = join(home.state, 'listen-0.json');
  const holder = { ...thisPlace(process.pid), host: hostname(), forwardTo: partner.url };
  writeFileSync(join(home.state, 'listen-0.x.lock'), JSON.stringify(holder), { mode: 0o600 });
  const { signal } = new AbortController();
  const { release } = await lockFeed(place, `${partner.url}?token=canary`, {
    ...{ signal, lost: () => {} },
  });
  const [lock] = stateFiles('.lock');
  expect(readFileSync(join(home.state, lock!), 'utf8')).not.toContain('canary');
  release();
  expect(stateFiles('.lock')).toEqual([]);
});

test('listens of two feeds run beside each other', async () => {
  const other = await startFeed();
  const first = start();
  await first.printed('begun at');
  other.add('order.closed');
  const environment = { ...home.environment, PTO_BASE_URL: other.baseUrl };
  const ended = await runPto(environment, words('--after', '0', '--until', 'order.closed'));
  expect(ended.code).toBe(0);
  first.child.kill('SIGINT');
  await first.ended;
  await other.stop();
});

test('without --forward-to it prints the events, beside one that forwards, and stores nothing', async () => {
  const { PTO_WEBHOOK_SECRET: _, ...environment } = home.environment;
  const first = start('--after', '0');
  await first.printed('begun at 0');
  feed.add('order.sealed', 'order.closed');
  await until(() => partner.received.length === 2, { what: 'both events' });
  first.child.kill('SIGINT');
  await first.ended;
  const before = position();
  const all = ['listen', '--after', '0', '--until', 'order.closed'];
  const { code, stdout, stderr } = await runPto(environment, all);
  expect([code, stderr]).toEqual([0, 'begun at 0, 2 waiting\n']);
  expect(stdout).toMatch(/^1 {2}2026-\S+ {2}order\.sealed {2}\S+ {2}REF {2}sealed\n2 {2}.*\n$/);
  expect([position(), partner.received.length]).toEqual([before, 2]);
});

test('--order counts the events of one order alone, and forwards all', async () => {
  feed.add('order.sealed', 'order.closed');
  feed.addOther('order.sealed', 'order.closed');
  const flags = ['--after', '0', '--order', otherId, '--expect', 'order.sealed,order.closed'];
  expect([(await listens(...flags)).code, partner.numbers()]).toEqual([0, [1, 2, 3, 4]]);
  const shown = ['listen', '--after', '0', '--order', 'OTHER', '--until', 'order.closed', '--json'];
  const { code, stdout } = await runPto(home.environment, shown);
  const numbers = stdout.trimEnd().split('\n');
  expect([code, numbers.map((line) => JSON.parse(line).number)]).toEqual([0, [3, 4]]);
});

test('a rejection with a new secret says to set one, for the next run makes another', async () => {
  partner.answers.push(401, 401, 401, 401);
  feed.add('order.closed');
  const environment = { ...home.environment, PTO_WEBHOOK_SECRET: '' };
  const { code, stderr } = await runPto(environment, words('--after', '0'));
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('event 1. Set PTO_WEBHOOK_SECRET to one secret for pto and'),
  ]);
  expect(stderr).not.toContain('Correct it');
});

test('stopped by SIGSTOP and continued, it loses and repeats nothing', async () => {
  const { child, ended, printed } = start('--after', '0', '--until', 'order.closed');
  await printed('begun at 0');
  feed.add('order.submitted');
  await until(() => partner.received.length === 1, { what: 'the first event' });
  child.kill('SIGSTOP');
  feed.add('order.sealed', 'order.closed');
  await new Promise((resolve) => setTimeout(resolve, 2000)); // the stop's length is what is tried
  child.kill('SIGCONT');
  expect((await ended).code).toBe(0);
  expect(partner.numbers()).toEqual([1, 2, 3]);
});

test('Ctrl-C ends with 130 after the running forward, which is recorded', async () => {
  let respond = (_status: number) => {};
  partner.answers.push((later) => {
    respond = later;
  });
  feed.add('order.submitted', 'order.sealed');
  const { child, ended } = start('--after', '0');
  await until(() => partner.received.length === 1, { what: 'the first event' });
  child.kill('SIGINT');
  await new Promise((resolve) => setTimeout(resolve, 200)); // the signal comes before the response
  respond(204);
  expect((await ended).code).toBe(130);
  expect(position()).toMatchObject({ after: 1, forwarding: null });
  expect(partner.numbers()).toEqual([1]);
});

test('Ctrl-C while it waits for events ends with 130', async () => {
  const { child, ended } = start();
  await until(() => feed.waiting() === 1, { what: 'a request that waits' });
  child.kill('SIGINT');
  const { code, stderr } = await ended;
  expect([code, stderr]).toEqual([130, 'begun at 0, the newest event; --after 0 takes all\n']);
});

test('an event that is accepted at the fourth attempt is forwarded once', async () => {
  partner.answers.push(500, 302, 404);
  feed.add('order.closed');
  const { code, stdout, stderr } = await listens('--after', '0', '--until', 'order.closed');
  expect(code).toBe(0);
  expect(stdout).toMatch(/204 in \d+ ms, attempt 4\n$/);
  expect(stderr.match(/it is sent again/g)).toHaveLength(3);
  expect(partner.numbers()).toEqual([1, 1, 1, 1]);
});

test('an event that is not accepted at the fourth attempt ends with 1, and is the next', async () => {
  partner.answers.push(500, 500, 500, 500);
  feed.add('order.sealed', 'order.closed');
  const { code, stderr } = await listens('--after', '0');
  expect([code, partner.received.length]).toEqual([1, 4]);
  expect(stderr).toContain('error: The receiver did not accept event 1.');
  expect(position()).toMatchObject({ after: 0, forwarding: 1 });
  expect((await listens('--until', 'order.closed')).code).toBe(0);
  expect(partner.numbers().slice(4)).toEqual([1, 2]);
});

test('--keep-going goes on with the next event, and ends with 1', async () => {
  partner.answers.push(500, 500, 500, 500);
  feed.add('order.sealed', 'order.closed');
  const { code, stderr } = await listens('--after', '0', '--keep-going', '--until', 'order.closed');
  expect(code).toBe(1);
  expect(stderr).toContain('error: The receiver did not accept 1 events.');
  expect(position()).toMatchObject({ after: 2 });
});

test('a receiver that does not listen is shown, and ends with 1', async () => {
  feed.add('order.sealed');
  await partner.stop();
  const { code, stdout } = await listens('--after', '0');
  expect([code, stdout]).toEqual([1, expect.stringContaining('the connection failed')]);
});

test('--expect ends with 0 when all came, in any order', async () => {
  feed.add('order.closed', 'order.updated', 'order.sealed', 'order.delivered');
  const { code } = await listens('--after', '0', '--expect', 'order.sealed,order.closed');
  expect([code, partner.numbers()]).toEqual([0, [1, 2, 3]]);
});

test('--expect ends with 1 and names what did not come in time', async () => {
  feed.add('order.sealed');
  const expected = ['--expect', 'order.sealed,order.closed', '--timeout', '2s'];
  const { code, stderr } = await listens('--after', '0', ...expected);
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('error: order.closed did not come in time.'),
  ]);
});

test('--until ends with 1 after --timeout, and if an expected event did not come before', async () => {
  const late = await listens('--until', 'order.closed', '--timeout', '1s');
  expect([late.code, late.stderr]).toEqual([
    1,
    expect.stringContaining('order.closed did not come'),
  ]);
  feed.add('order.closed');
  const without = ['--until', 'order.closed', '--expect', 'order.sealed'];
  const { code, stderr } = await listens('--after', '0', ...without);
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('order.closed came without order.sealed.'),
  ]);
});

test('--timeout alone ends with 0', async () => {
  expect((await listens('--timeout', '1s')).code).toBe(0);
});

test('--json prints an object per event on standard output, words on standard error', async () => {
  feed.add('order.sealed', 'order.closed');
  const { stdout, stderr } = await listens('--after', '0', '--json', '--until', 'order.closed');
  const objects = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(objects.map(({ number, forwarded }) => [number, forwarded.ok, forwarded.status])).toEqual([
    [1, true, 204],
    [2, true, 204],
  ]);
  expect(stderr).toBe('begun at 0, 2 waiting\n');
});

test.each([[9], [2]])(
  'position %d beyond the feed is wrong usage with what to do',
  async (after) => {
    feed.add('order.closed');
    const { code, stderr } = await listens('--after', `${after}`);
    const text = `The feed has no event ${after}; its newest is 1.`;
    expect([code, stderr]).toEqual([2, expect.stringContaining(text)]);
  },
);

test('a stored position beyond the feed is wrong usage, and the newest one is not', async () => {
  feed.add('order.closed');
  await listens('--after', '0', '--until', 'order.closed');
  writeFileSync(positionFile(), JSON.stringify({ ...position(), after: 9 }), { mode: 0o600 });
  expect(await listens()).toMatchObject({ code: 2, stderr: expect.stringContaining('--after 0') });
  const first = start('--after', '1', '--until', 'order.sealed');
  await first.printed('begun at 1, 0 waiting');
  feed.add('order.sealed');
  expect((await first.ended).code).toBe(0);
});

test.each([
  [['listen', '--forward-to', 'ftp://x']],
  [['listen', '--forward-to', 'http://a:b@localhost']],
  [['listen', '--forward-to', 'http://localhost', '--until', 'order.close']],
  [['listen', '--forward-to', 'http://localhost', '--expect', 'order.closed,x']],
  [['listen', '--forward-to', 'http://localhost', '--timeout', '25h']],
])('%j is wrong usage', async (given) => {
  expect((await runPto(home.environment, given)).code).toBe(2);
});
