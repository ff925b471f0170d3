/** The partner's command line as it is installed, against the local stack. */
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { verify } from '@pto/webhook-verifier';
import { startPartner } from '../../../clients/command-line/test/a-feed.ts';
import { nextSecret, secret, startFlawed } from '../../../clients/command-line/test/a-receiver.ts';
import {
  aHome,
  hasKeyring,
  runPto,
  startPto,
  withKeyring,
} from '../../../clients/command-line/test/pto-command.ts';
import { eventsOfALife } from '../../deliveries.ts';
import { liveOrder } from '../../load.ts';
import { partner as partnerOf } from '../../partner.ts';
import { startReceiver } from '../../receiver.ts';
import { sharedStack } from '../test-stack.ts';
import { npmProject, packages } from './artifacts.ts';
import { run } from './program.ts';
import { nodePrograms } from './versions.ts';

const folder = mkdtempSync(join(tmpdir(), 'pto-'));
const home = aHome();
let project: string;
const stack = sharedStack();
beforeAll(async () => {
  const built = await packages();
  const tarball = built.find((path) => /partner-transport-orders-[^/]*\.tgz$/.test(path))!;
  project = await npmProject(join(folder, 'project'), [tarball]);
});
const baseUrl = () => `${stack.file().gateways[0]}/api/partner/v1`;
afterAll(() => {
  home.forget();
  rmSync(folder, { recursive: true, force: true });
});

const settings = () => ({
  PTO_API_KEY: stack.file().organizations[0]!.keys.all,
  PTO_BASE_URL: baseUrl(),
});

test('npx pto ping works in a folder with nothing but the package', async () => {
  const place = { cwd: project, env: settings() };
  const installed = readdirSync(join(project, 'node_modules'));
  expect(installed.filter((name) => !name.startsWith('.'))).toEqual(['partner-transport-orders']);
  expect(await run(place, 'npx', '--offline', 'pto', 'ping')).toMatch(/^organization +Demo Clinic/);
});

test('the program runs on the oldest Node at hand, and completes words', async () => {
  const program = join(project, 'node_modules/.bin/pto');
  const place = { cwd: project, env: settings() };
  for (const node of await nodePrograms(folder)) {
    expect(JSON.parse(await run(place, node, program, 'ping', '--json'))).toMatchObject({
      organization: 'Demo Clinic',
    });
    expect(await run(place, node, program, 'complete', '--', 'pi')).toContain('ping');
  }
});

test('the package names the licenses of what its program contains', () => {
  const place = join(project, 'node_modules/partner-transport-orders/dist/command-line');
  const licenses = readFileSync(join(place, 'LICENSES'), 'utf8');
  expect(licenses).toMatch(/^commander 15\.1\.0, MIT/m);
  expect(licenses).toMatch(/^@bomb\.sh\/tab 0\.0\.22, MIT/m);
});

test('the library loads nothing of the command line', async () => {
  const script = `
    import { registerHooks } from 'node:module';
    import { writeSync } from 'node:fs';
    registerHooks({ load: (url, context, next) => { writeSync(1, url + '\\n'); return next(url, context); } });
    await import('partner-transport-orders');`;
  const place = { cwd: project, env: {} };
  const loaded = await run(place, process.execPath, '--input-type=module', '--eval', script);
  expect(loaded).toContain('/dist/index.js');
  expect(loaded).not.toMatch(/command-line|commander/);
});

test('login stores a key that the API accepts, for its owner alone', async () => {
  const { PTO_API_KEY, PTO_BASE_URL } = settings();
  const words = ['login', '--base-url', PTO_BASE_URL];
  expect((await runPto(home.environment, words, PTO_API_KEY)).code).toBe(0);
  expect(statSync(home.credentials).mode & 0o777).toBe(0o600);
  expect((await runPto(home.environment, ['ping'])).stdout).toContain('Demo Clinic');
  const wrong = await runPto(home.environment, words, `svc_test_${'x'.repeat(43)}`);
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringMatching(/^error: 401 /)]);
  expect((await runPto(home.environment, ['ping'])).code).toBe(0); // the stored key has stayed
});

test('the package stores a key in a file, and with the library beside it in the keyring', async () => {
  const { PTO_API_KEY, PTO_BASE_URL } = settings();
  const own = aHome();
  const installed = { program: join(project, 'node_modules/.bin/pto') };
  const words = ['login', '--base-url', PTO_BASE_URL];
  try {
    const { code, stderr } = await runPto(own.environment, words, PTO_API_KEY, installed);
    expect([code, stderr]).toEqual([
      0,
      'The key is in a file that you alone can read, because the package @napi-rs/keyring is not installed.\n',
    ]);
    if (!hasKeyring) return;
    const napi = new URL('../../../node_modules/@napi-rs', import.meta.url);
    for (const name of readdirSync(napi).filter((one) => one.startsWith('keyring')))
      cpSync(
        new URL(`@napi-rs/${name}`, new URL('.', napi)),
        join(project, 'node_modules/@napi-rs', name),
        { recursive: true },
      );
    const kept = await withKeyring(own.environment, words, PTO_API_KEY, installed);
    expect([kept.code, kept.stdout]).toEqual([0, expect.stringContaining('the keyring of this')]);
    expect((await withKeyring(own.environment, ['ping'], '', installed)).code).toBe(0);
  } finally {
    own.forget();
  }
});

test('listen forwards an event of a life exactly as its webhook is sent', async () => {
  const partner = await startPartner();
  const receiver = await startReceiver(stack);
  const environment = { ...home.environment, ...settings(), PTO_WEBHOOK_SECRET: secret };
  const words = ['listen', '--forward-to', partner.url, '--until', 'order.closed', '--json'];
  const { ended, printed } = startPto(environment, words);
  try {
    const endpoint = await receiver.subscribe();
    await printed('begun at');
    const id = await liveOrder(stack, 'pto-listen');
    const { code, stdout } = await ended;
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n')).toHaveLength(eventsOfALife);
    await until(() => receiver.received.length >= eventsOfALife, { what: 'the webhooks' });
    const plain = ({ sequence: _, ...event }: Record<string, unknown>) => event;
    const forwarded = partner.received.map(({ body }) => plain(JSON.parse(body.toString())));
    const delivered = receiver.received
      .toSorted((a, b) => a.body.data.order.sequence - b.body.data.order.sequence)
      .map(({ body }) => plain(body));
    expect(forwarded).toEqual(delivered);
    for (const { body: rawBody, headers } of partner.received) {
      const header = headers['x-service-signature'];
      const verdict = await verify({ rawBody, header, secrets: [secret] });
      expect(verdict).toMatchObject({ valid: true, event: { data: { order: { id } } } });
    }
    const events = await runPto(environment, ['events', '--json', '--limit', '0']);
    expect(events.stdout.trimEnd().split('\n')).toHaveLength(eventsOfALife);
    await partnerOf(stack).call('DELETE', `/webhooks/${endpoint.body.id}`);
  } finally {
    await receiver.stop();
    await partner.stop();
  }
});

test('trigger and advance move an order by the courier of the sandbox', async () => {
  const environment = { ...home.environment, ...settings() };
  const triggered = await runPto(environment, ['trigger', 'order.sealed', '--json']);
  expect(triggered.code).toBe(0);
  const { id, status } = JSON.parse(triggered.stdout);
  expect(status).toBe('SEALED');
  const advanced = await runPto(environment, ['orders', 'advance', id, 'CLOSED', '--json']);
  expect([advanced.code, JSON.parse(advanced.stdout).status]).toEqual([0, 'CLOSED']);
});

test('trigger reports an incident with its text in the history', async () => {
  const environment = { ...home.environment, ...settings() };
  const words = ['trigger', 'order.incident_reported', '--note', 'The box was dropped.', '--json'];
  const { code, stdout } = await runPto(environment, words);
  expect(code).toBe(0);
  const { id } = JSON.parse(stdout);
  await until(
    async () => {
      const { body } = await partnerOf(stack).call('GET', `/orders/${id}/events`);
      return JSON.stringify(body).includes('"value":"The box was dropped."');
    },
    { what: 'the incident in the history' },
  );
});

test.each(['order.escalated', 'order.cancelled', 'order.updated'])(
  'trigger makes %s, which comes in the feed',
  async (event) => {
    const environment = { ...home.environment, ...settings() };
    const { code, stdout, stderr } = await runPto(environment, ['trigger', event, '--json']);
    expect([code, stderr]).toEqual([0, '']);
    const { id } = JSON.parse(stdout);
    await until(
      async () => {
        const words = ['events', '--order', id, '--json', '--limit', '0'];
        const events = await runPto(environment, words);
        return events.stdout.includes(`"event":"${event}"`);
      },
      { what: event },
    );
  },
);

test('certify passes the receiver and the verifier of this project, and fails one without', async () => {
  const receiver = await startFlawed();
  const keys = join(folder, 'keys.json');
  const answer = await fetch(new URL('/custody/keys.json', baseUrl()));
  writeFileSync(keys, await answer.text());
  const program = fileURLToPath(
    new URL('../../../verifiers/custody-verifier/src/bin/custody-verify.ts', import.meta.url),
  );
  const secrets = { PTO_WEBHOOK_SECRET: secret, PTO_WEBHOOK_NEXT_SECRET: nextSecret };
  const environment = { ...home.environment, ...settings(), ...secrets };
  const words = ['certify', '--forward-to', receiver.url, '--json', '--verify-command'];
  try {
    const verifier = `"${process.execPath}" "${program}" --keys "${keys}"`;
    const { code, stdout } = await runPto(environment, [...words, verifier]);
    const report = JSON.parse(stdout);
    const others = report.checks.filter(({ result }: { result: string }) => result !== 'passed');
    expect([code, others]).toEqual([0, []]);
    const { evidence } = report.checks.find(({ name }: { name: string }) => name === 'order');
    expect(evidence.facts).toEqual([`${eventsOfALife} events without a gap`, expect.any(String)]);
    expect(evidence.attempts).toHaveLength(eventsOfALife);
    const only = [...words, 'true', '--only', 'proof-verifier'];
    expect((await runPto(environment, only)).code).toBe(1);
    for (const { documentation } of report.checks) {
      const { pathname, hash } = new URL(documentation);
      const page = await (await fetch(`${new URL(baseUrl()).origin}${pathname}`)).text();
      expect([documentation, page.includes(`id="${hash.slice(1)}"`)]).toEqual([
        documentation,
        true,
      ]);
    }
  } finally {
    await receiver.stop();
  }
}, 120_000);
