import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { freePort } from '@pto/testing';
import { knownEventNames } from '@pto/webhook-verifier';
import { checks } from '../src/certify/checks/index.ts';
import { type Flaw, nextSecret, secret, startFlawed } from './a-receiver.ts';
import { type SandboxFaults, startSandbox, trustedKeys } from './a-sandbox.ts';
import { aHome, runPto, startPto } from './pto-command.ts';

const names = checks.map(({ name }) => name);
const custodyVerify = new URL(
  '../../../verifiers/custody-verifier/src/bin/custody-verify.ts',
  import.meta.url,
).pathname;

let home: ReturnType<typeof aHome>;
beforeEach(() => {
  home = aHome({ PTO_API_KEY: 'svc_test_canary7', PTO_WEBHOOK_SECRET: secret });
});
afterEach(() => home.forget());

interface Report {
  readonly result: string;
  readonly checks: readonly { name: string; result: string; saw: string; fix: string | null }[];
}

/** Runs all checks, or those of `words`, against a receiver with a flaw. */
const certify = async ({
  flaw = {},
  faults = {},
  words = [],
  environment = {},
}: {
  flaw?: Flaw;
  faults?: SandboxFaults;
  words?: readonly string[];
  environment?: NodeJS.ProcessEnv;
}) => {
  const [sandbox, receiver] = await Promise.all([startSandbox(faults), startFlawed(flaw)]);
  const file = join(home.environment.HOME!, 'report.json');
  const given = { ...home.environment, PTO_BASE_URL: sandbox.baseUrl, ...environment };
  const all = ['certify', '--forward-to', receiver.url, '--report', file, ...words];
  const ended = await runPto(given, all);
  await Promise.all([sandbox.stop(), receiver.stop()]);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  expect(`${text}${ended.stdout}${ended.stderr}`).not.toContain('canary');
  const report: Report = text ? JSON.parse(text) : null;
  const withResult = (result: string) =>
    report.checks.filter((check) => check.result === result).map(({ name }) => name);
  return { ...ended, report, withResult, created: sandbox.created, stored: receiver.stored };
};

const verifier = (): string => {
  const keys = join(home.environment.HOME!, 'keys.json');
  writeFileSync(keys, JSON.stringify({ keys: trustedKeys }));
  return `"${process.execPath}" "${custodyVerify}" --keys "${keys}"`;
};

test('a good receiver, with a second secret and a verifier, passes every check', async () => {
  const words = ['--verify-command', verifier()];
  const environment = { PTO_WEBHOOK_NEXT_SECRET: nextSecret };
  const { code, stdout, stderr, report, withResult, created } = await certify({
    words,
    environment,
  });
  expect([code, withResult('passed')]).toEqual([0, names]);
  expect(report).toMatchObject({
    ...{ v: 'pto-certify/1', result: 'passed', organization: 'Demo', environment: 'sandbox' },
    receiver: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/hooks$/),
    left_out: [],
  });
  expect(stdout).toMatch(
    /^PASSED {3}handshake\n {9}did: {2}\S.*\n {9}saw: {2}the handshake: 200 in/,
  );
  expect(stdout.trimEnd().split('\n').at(-1)).toBe(
    `passed: ${names.length} passed, 0 failed, 0 skipped`,
  );
  expect(stderr).toMatch(/^report in .*report\.json\n$/);
  // a key has 60 writes a minute
  expect(created).toEqual([null, 'auto', 'tampered_proof', 'tampered_proof']);
});

test('without a second secret and a verifier their checks are skipped, and nothing fails', async () => {
  const { code, report, withResult, stdout } = await certify({});
  expect([code, report.result]).toEqual([0, 'incomplete']);
  expect(withResult('skipped')).toEqual(['rotation-complete', 'proof-verifier']);
  expect(stdout).toContain('saw:  Give --verify-command');
});

const statuses = [...knownEventNames.map((name) => name.slice('order.'.length)), 'cancelled'];

const bad: [check: string, what: string, flaw: Flaw][] = [
  ['handshake', 'returns a page', { handshake: (nonce) => `<html>${nonce}</html>` }],
  ['genuine', 'never responds to the first', { status: (a) => (a.before === 0 ? 'never' : null) }],
  ['retry', 'keeps a lock of a broken attempt', { status: (a) => (a.hasBroken ? 409 : null) }],
  ['duplicate', 'refuses duplicates', { status: (a) => (a.isKnown ? 409 : null) }],
  [
    'reordering',
    'refuses an older status',
    {
      status: ({ body, statuses }) =>
        body.data.order.status === 'assigned' && statuses.includes('accepted') ? 409 : null,
    },
  ],
  [
    'outage',
    'refuses old events',
    {
      status: ({ body, verdict }) =>
        verdict.valid &&
        body.event === 'order.updated' &&
        Date.now() - Date.parse(body.occurred_at) > 600_000
          ? 422
          : null,
    },
  ],
  [
    'unknown-event',
    'fails for unknown events',
    { status: ({ verdict }) => (verdict.valid && !verdict.known ? 500 : null) },
  ],
  [
    'unknown-status',
    'fails for unknown statuses',
    { status: ({ body }) => (statuses.includes(body.data.order.status) ? null : 500) },
  ],
  [
    'unknown-fields',
    'refuses unknown members',
    { status: ({ body }) => (body.later === undefined ? null : 400) },
  ],
  [
    'rotation-overlap',
    'expects one signature',
    { status: ({ header = '' }) => (header.split('v1=').length > 2 ? 401 : null) },
  ],
  ['rotation-complete', 'knows the present secret alone', { secrets: [secret] }],
  [
    'forged-signature',
    'accepts a request without a signature',
    { status: ({ header }) => (header === undefined ? 204 : null) },
  ],
  [
    'forged-signature',
    'fails for a malformed signature',
    { status: ({ header }) => (header?.includes('v1=none') ? 500 : null) },
  ],
  [
    'changed-body',
    'verifies a body that it has serialized again',
    { verified: (rawBody) => JSON.stringify(JSON.parse(rawBody.toString())) },
  ],
  ['old-timestamp', 'does not look at the time', { toleranceSeconds: 1e9 }],
  [
    'order',
    'fails for an event of the order',
    { status: ({ body }) => (body.event === 'order.in_transit' ? 500 : null) },
  ],
];

test.each(bad)('a receiver fails %s alone if it %s', async (name, _, flaw) => {
  const environment = { PTO_WEBHOOK_NEXT_SECRET: nextSecret };
  const { code, report, withResult, stdout } = await certify({ flaw, environment });
  expect([code, report.result, withResult('failed')]).toEqual([1, 'failed', [name]]);
  const { fix } = report.checks.find((check) => check.name === name)!;
  expect(stdout).toContain(`FAILED   ${name}\n`);
  expect(stdout).toContain(`         do:   ${fix}\n         read: http://`);
});

const own: [what: string, flaw: Flaw][] = [
  ['responds 202, and 400 to what it rejects', { status: (a) => (a.verdict.valid ? 202 : 400) }],
  ['returns the nonce as a JSON string', { handshake: (nonce) => `${JSON.stringify(nonce)}\n` }],
  ['returns it in an object', { handshake: (nonce) => JSON.stringify({ a: 1, nonce }) }],
  [
    'responds to the first delivery after 8 s',
    {
      status: async ({ before }) => {
        if (before === 0) await new Promise((resolve) => setTimeout(resolve, 8000));
        return null;
      },
    },
  ],
];

test.each(own)('a receiver fails nothing if it %s', async (_, flaw) => {
  const environment = { PTO_WEBHOOK_NEXT_SECRET: nextSecret };
  const { code, withResult } = await certify({ flaw, environment });
  expect([code, withResult('failed'), withResult('skipped')]).toEqual([0, [], ['proof-verifier']]);
});

test.each([[[]], [['--only', 'forged-signature,changed-body,old-timestamp']]])(
  'forgeries are skipped if the receiver refuses a genuine event: %j',
  async (words) => {
    const body = `no_signature\u0007_matches\n\u202e${secret}${'x'.repeat(300)}`;
    const { report, withResult, stdout } = await certify({
      flaw: { status: () => 401, body },
      words,
    });
    expect(withResult('passed')).toEqual(words.length > 0 ? [] : ['handshake', 'tampered-proof']);
    for (const name of ['forged-signature', 'changed-body', 'old-timestamp'])
      expect(report.checks.find((check) => check.name === name)).toMatchObject({
        result: 'skipped',
        saw: expect.stringMatching(
          /^the receiver refuses a genuine event; an event \(order\.updated\): 401 in \d+ ms: no_signature _matches \(secret\)x{1,170}, expected 2xx$/,
        ),
      });
    expect(stdout).toContain('no_signature _matches (secret)xxx');
  },
);

test('a 4xx shows the body, and a 5xx to a forgery says that the sender tries again', async () => {
  const words = ['--only', 'forged-signature'];
  const good = await certify({ flaw: { body: 'no match' }, words });
  expect(good.report.checks[0]).toMatchObject({
    result: 'passed',
    saw: expect.stringMatching(
      /^the signature of another secret \(order\.updated\): 401 in \d+ ms: no match; /,
    ),
  });
  const flaw: Flaw = { status: (a) => (a.verdict.valid ? null : 500) };
  expect((await certify({ flaw, words })).report.checks[0]!.fix).toMatch(
    /constant time\. A 5xx means that the sender tries again\.$/,
  );
});

test('a handshake with another body says so, with the body', async () => {
  const flaw: Flaw = { handshake: () => '<html>\n<p>Hello' };
  const { report } = await certify({ flaw, words: ['--only', 'handshake'] });
  expect(report.checks[0]!.saw).toMatch(
    /^the handshake: 200 in \d+ ms, but the body is not the nonce: <html> <p>Hello$/,
  );
});

test('there is a bad receiver, sandbox or verifier for each check', () => {
  const tried = new Set([...bad.map(([name]) => name), 'tampered-proof', 'proof-verifier']);
  expect([...tried]).toEqual(names);
});

test.each<[string, SandboxFaults, string]>([
  ['tampered-proof', { genuineProofs: true }, 'the proof is consistent'],
  ['order', { numbers: [1, 3] }, 'entry 3 came where entry 2 was expected'],
  ['order', { noCourier: true }, 'the courier of the sandbox is unavailable'],
])('%s fails for a sandbox with %j', async (name, faults, saw) => {
  const { code, report } = await certify({ faults, words: ['--only', name] });
  expect([code, report.checks]).toMatchObject([
    1,
    [{ name, result: 'failed', saw: expect.stringContaining(saw) }],
  ]);
});

test.each([
  ['true', 'the verifier accepts a changed proof'],
  ['false', 'the verifier rejects a genuine proof'],
  ['kill -9 $$; true', 'the verifier was ended by SIGKILL'],
  ['/none/verifier', 'the verifier could not be started: '],
  ['/none/verifier', '/none/verifier'],
  [`"${process.execPath}" /none/verifier.mjs`, "exit code 1: Error: Cannot find module '/none/"],
  ['echo first >&2; echo second >&2; false', 'exit code 1: second'],
])('proof-verifier fails for the verifier %j', async (command, saw) => {
  const words = ['--only', 'proof-verifier', '--verify-command', command];
  const { code, report } = await certify({ words });
  expect([code, report.checks]).toMatchObject([1, [{ saw: expect.stringContaining(saw) }]]);
});

test('the verifier gets neither the key nor a secret', async () => {
  const file = join(home.environment.HOME!, 'environment');
  const words = ['--only', 'proof-verifier', '--verify-command', `env > ${file}; true`];
  await certify({ words });
  expect(readFileSync(file, 'utf8')).not.toContain('canary');
});

test('--only runs these checks and names the others in the report', async () => {
  const words = ['--only', 'duplicate, genuine', '--json'];
  const { code, stdout, report, created } = await certify({ words });
  expect([code, report.result]).toEqual([0, 'incomplete']);
  expect(report.checks.map(({ name }) => name)).toEqual(['genuine', 'duplicate']);
  expect(report).toMatchObject({
    left_out: names.filter((name) => name !== 'genuine' && name !== 'duplicate'),
  });
  expect(JSON.parse(stdout)).toEqual(report);
  expect(created).toEqual([null]);
});

test('a report that cannot be written is wrong usage before anything is checked', async () => {
  const words = ['--report', join(home.environment.HOME!, 'none', 'report.json')];
  const { code, stderr, created } = await certify({ words });
  expect([code, created]).toEqual([2, []]);
  expect(stderr).toContain('report.json cannot be written');
});

test('--list prints every check, without a key', async () => {
  const { stdout } = await runPto(aHome().environment, ['certify', '--list', '--json']);
  expect(JSON.parse(stdout).map(({ name }: { name: string }) => name)).toEqual(names);
});

test('production is wrong usage, and no order is created', async () => {
  const { code, stderr, created } = await certify({ faults: { environment: 'production' } });
  expect([code, created]).toEqual([2, []]);
  expect(stderr).toContain('This key is for production: certify runs in the sandbox alone.');
});

test('a receiver that does not listen fails, and the failure is named', async () => {
  const words = ['--forward-to', `http://127.0.0.1:${await freePort()}`];
  const { code, report, withResult } = await certify({ words });
  expect(code).toBe(1);
  expect(withResult('passed')).toEqual(['tampered-proof']);
  expect(report.checks[1]!.saw).toMatch(/ECONNREFUSED\), expected 2xx$/);
  for (const { name, result, fix } of report.checks)
    if (result === 'failed')
      expect([name, fix]).toEqual([name, expect.stringContaining('start the')]);
  expect(withResult('skipped')).toEqual(expect.arrayContaining(['forged-signature']));
});

test.each([
  [['certify'], 'Which receiver? Give --forward-to.'],
  [['certify', '--forward-to', 'ftp://x'], 'expected a URL'],
  [['certify', '--forward-to', 'http://localhost', '--only', 'x'], 'expected handshake, genuine'],
  [
    ['certify', '--forward-to', 'http://localhost', '--secret', 'canary'],
    '--secret: expected whsec_',
  ],
])('%j is wrong usage', async (words, message) => {
  const { code, stderr } = await runPto(home.environment, words);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  expect(stderr).not.toContain('canary');
});

test('without a secret it is wrong usage', async () => {
  const { code, stderr } = await certify({ environment: { PTO_WEBHOOK_SECRET: '' } });
  expect([code, stderr]).toEqual([2, expect.stringContaining('Set PTO_WEBHOOK_SECRET.')]);
});

test('Ctrl-C during an attempt ends with 130, without a report', async () => {
  const [sandbox, receiver] = await Promise.all([
    startSandbox(),
    startFlawed({ status: () => 'never' }),
  ]);
  const environment = { ...home.environment, PTO_BASE_URL: sandbox.baseUrl };
  const words = ['certify', '--forward-to', receiver.url];
  const { child, ended, printed } = startPto(environment, words);
  await printed('PASSED   handshake');
  child.kill('SIGINT');
  expect((await ended).code).toBe(130);
  await Promise.all([sandbox.stop(), receiver.stop()]);
});
